import { bytesOf, type RequestFiles } from '@platen/domain/generation/document-source.ts'
import type { ServedAsset } from './document-assets.ts'

/** The files of a request, which its document loads by relative URLs. */
export interface DocumentFiles {
  /** Undefined if the request has no file for the path of a URL. */
  get(pathname: string): ServedAsset | undefined
}

export function documentFiles(files: RequestFiles): DocumentFiles {
  return {
    get(pathname) {
      const name = decoded(pathname.slice(1))
      const content = name !== undefined && Object.hasOwn(files, name) ? files[name] : undefined
      if (name === undefined || content === undefined) return undefined
      return { type: typeOf(name), bytes: bytesOf(content) }
    },
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text).normalize('NFC')
  } catch {
    return undefined
  }
}

/** Media types by extension. Browsers refuse scripts and style sheets with another one. */
const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  avif: 'image/avif',
  ico: 'image/x-icon',
  bmp: 'image/bmp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  txt: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  md: 'text/plain; charset=utf-8',
  xml: 'application/xml',
  wasm: 'application/wasm',
  mp4: 'video/mp4',
  webm: 'video/webm',
}

const typeOf = (name: string) => types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
