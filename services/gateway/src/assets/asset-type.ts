import { isUtf8 } from 'node:buffer'
import { assetTypes } from '@platen/domain/asset/asset.ts'
import { fail } from '@platen/domain/http/errors.ts'

export type AssetType = (typeof assetTypes)[number]

/** Every format is recognised by its first bytes. The library gets no more, so that no file can keep it busy. */
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
  'application/javascript': 'text/javascript',
  'application/x-javascript': 'text/javascript',
  'text/ecmascript': 'text/javascript',
}
const known: ReadonlySet<string> = new Set(assetTypes)
const wanted = 'PNG, JPEG, GIF, WebP, AVIF, SVG, WOFF2, WOFF, TTF, OTF, TTC, CSS, JavaScript or PDF'

/** Types without identifying bytes, by file extension. */
const textTypes: readonly [type: AssetType, name: RegExp][] = [
  ['text/css', /\.css$/i],
  ['text/javascript', /\.m?js$/i],
]

/** Content types that clients send by default and that do not describe the body. */
const noType = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/x-www-form-urlencoded'])

/**
 * The type of an asset by its bytes; CSS and JavaScript, which no bytes identify, by the name or declared type. Throws
 * UNSUPPORTED_MEDIA_TYPE for anything else, and if the request declares another type.
 */
export async function assetTypeOf(bytes: Uint8Array, name: string, contentType = ''): Promise<AssetType> {
  const declared = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const [said] = textTypes.find(([, ending]) => noType.has(declared) && ending.test(name)) ?? []
  const stated = said ?? textTypes.find(([type]) => type === (sameTypes[declared] ?? declared))?.[0]
  const type = stated && isText(bytes) ? stated : await typeByBytes(bytes)
  if (!noType.has(declared) && (sameTypes[declared] ?? declared) !== type && !isSfnt(declared, type)) {
    fail('UNSUPPORTED_MEDIA_TYPE', `The content-type is ${declared.slice(0, 100)}, but the bytes are ${type}`)
  }
  return type
}

async function typeByBytes(bytes: Uint8Array): Promise<AssetType> {
  // Loaded with the first upload, so that a start does not wait for it.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = (await fileTypeFromBuffer(bytes.subarray(0, headBytes)))?.mime ?? ''
  const type = sameTypes[found] ?? found
  if (isAssetType(type) && type !== 'image/svg+xml') return type
  if (isText(bytes) && isSvg(bytes)) return 'image/svg+xml'
  const problem = found === '' ? 'the type of these bytes is not recognised' : `these bytes are ${found}`
  const text = isText(bytes)
    ? '. CSS and JavaScript are sent with content-type: text/css or text/javascript, or have a name that ends in .css, .js or .mjs'
    : ''
  return fail('UNSUPPORTED_MEDIA_TYPE', `An asset must be ${wanted}; ${problem}${text}`)
}

const isAssetType = (type: string): type is AssetType => known.has(type)

/** The formats of fonts that have this structure (RFC 8081, 4.4.1). */
const isSfnt = (declared: string, type: AssetType) =>
  declared === 'font/sfnt' && (type === 'font/ttf' || type === 'font/otf' || type === 'font/collection')

/** Valid UTF-8 without the bytes of binary formats. */
const isText = (bytes: Uint8Array) => isUtf8(bytes) && !bytes.includes(0)

/** The most bytes before the root element. */
const maxPrologBytes = 64 * 1024

/** Whether the root element of an XML document is `<svg>`, with or without a prefix (XML 1.0, 2.8). */
export function isSvg(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, maxPrologBytes))
    .toString()
    .replace(/^\ufeff/, '')
  let at = 0
  for (;;) {
    while (/\s/.test(text.charAt(at))) at++
    const end = endOfMisc(text, at)
    if (end === undefined) return /^<(?:[\w.-]{1,50}:)?svg[\s/>]/.test(text.slice(at, at + 60))
    if (end === -1) return false
    at = end
  }
}

/** The offset after a comment, processing instruction or document type; -1 if it does not end; undefined if none begins. */
function endOfMisc(text: string, at: number): number | undefined {
  if (text.startsWith('<!--', at)) return after(text, '-->', at + 4)
  if (text.startsWith('<?', at)) return after(text, '?>', at + 2)
  if (!/^<!doctype\s/i.test(text.slice(at, at + 10))) return undefined
  const subset = text.indexOf('[', at)
  const end = text.indexOf('>', at)
  // An internal subset holds declarations, which end with the same character.
  return subset !== -1 && subset < end ? after(text, ']>', subset) : after(text, '>', at)
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? -1 : found + mark.length
}
