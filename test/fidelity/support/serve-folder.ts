import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { decodeHtml } from './decode-html.ts'
import type { SiteFile } from './open-site.ts'

const types: Record<string, string> = {
  '.avif': 'image/avif',
  '.css': 'text/css',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.otf': 'font/otf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xhtml': 'application/xhtml+xml',
}

/** The files below a folder, by their media types. HTML comes as UTF-8, which is how Platen gets it. */
export function serveFolder(folder: string): (path: string) => Promise<SiteFile | undefined> {
  const root = normalize(`${folder}${sep}`)
  return async (path) => {
    const file = join(root, path)
    if (!file.startsWith(root)) return undefined
    const body = await readFile(file)
    const extension = extname(file).toLowerCase()
    if (/^\.html?$/.test(extension)) return { type: 'text/html; charset=utf-8', body: decodeHtml(body) }
    return { type: types[extension] ?? 'application/octet-stream', body }
  }
}
