import { isUtf8 } from 'node:buffer'
import { assetTypes } from '@platen/domain/asset/asset.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { fileTypeFromBuffer } from 'file-type'
import { isSvg } from './svg.ts'

export type AssetType = (typeof assetTypes)[number]

/** Every format is known by its beginning. More is not given to the library, so that no file can make it work for long. */
const headBytes = 4_096

/** Names that the library, older specifications and clients use. */
const sameTypes: Readonly<Record<string, AssetType>> = {
  'image/apng': 'image/png',
  'image/vnd.mozilla.apng': 'image/png',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'application/font-woff': 'font/woff',
  'application/x-font-woff': 'font/woff',
  'application/font-woff2': 'font/woff2',
  'application/x-font-ttf': 'font/ttf',
  'application/x-font-opentype': 'font/otf',
  'application/x-font-otf': 'font/otf',
  'application/vnd.ms-opentype': 'font/otf',
}
const known: ReadonlySet<string> = new Set(assetTypes)
const wanted = 'PNG, JPEG, GIF, WebP, AVIF, SVG, WOFF2, WOFF, TTF, OTF or CSS'

/** Types of a request that say nothing of its body: clients send them by default. */
const noType = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/x-www-form-urlencoded'])

/**
 * The type of an asset by its bytes; CSS, which no bytes identify, by its name or declared type. Throws
 * UNSUPPORTED_MEDIA_TYPE for anything else, and if the request declares another type.
 */
export async function assetTypeOf(bytes: Uint8Array, name: string, contentType = ''): Promise<AssetType> {
  const declared = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isCssByName = declared === 'text/css' || (noType.has(declared) && name.endsWith('.css'))
  const type = isCssByName && isText(bytes) ? 'text/css' : await typeByBytes(bytes)
  if (!noType.has(declared) && (sameTypes[declared] ?? declared) !== type && !isSfnt(declared, type)) {
    fail('UNSUPPORTED_MEDIA_TYPE', `The content-type is ${declared.slice(0, 100)}, but the bytes are ${type}`)
  }
  return type
}

async function typeByBytes(bytes: Uint8Array): Promise<AssetType> {
  const found = (await fileTypeFromBuffer(bytes.subarray(0, headBytes)))?.mime ?? ''
  const type = sameTypes[found] ?? found
  if (isAssetType(type) && type !== 'image/svg+xml') return type
  if (isText(bytes) && isSvg(bytes)) return 'image/svg+xml'
  const problem = found === '' ? 'the type of these bytes is not recognised' : `these bytes are ${found}`
  const css = isText(bytes) ? '. CSS is sent with content-type: text/css, or has a name that ends in .css' : ''
  return fail('UNSUPPORTED_MEDIA_TYPE', `An asset must be ${wanted}; ${problem}${css}`)
}

const isAssetType = (type: string): type is AssetType => known.has(type)

/** Both formats of fonts (RFC 8081, 4.4.1). */
const isSfnt = (declared: string, type: AssetType) =>
  declared === 'font/sfnt' && (type === 'font/ttf' || type === 'font/otf')

/** Valid UTF-8 without the bytes of binary formats. */
const isText = (bytes: Uint8Array) => isUtf8(bytes) && !bytes.includes(0)
