import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A local HTTP server whose files arrive late. */
export interface Site extends AsyncDisposable {
  /** The URL without a slash at its end. */
  url: string
}

export interface SiteFile {
  /** The media type, with its charset where the file is text. */
  type: string
  body: string | Uint8Array
}

export interface SiteOptions {
  /** The file at a decoded path such as `/styles/a.css`; undefined is answered with 404. */
  find(path: string): SiteFile | undefined | Promise<SiteFile | undefined>
  /** How long each sub-resource takes. The document itself is answered at once. */
  delayMs: number
}

export async function openSite({ find, delayMs }: SiteOptions): Promise<Site> {
  const server = createServer(async (request, response) => {
    if (request.headers['sec-fetch-dest'] !== 'document') await delay(delayMs)
    const file = await Promise.resolve(find(pathOf(request.url ?? '/'))).catch(() => undefined)
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('cache-control', 'no-store')
    if (file) response.setHeader('content-type', file.type).end(file.body)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function pathOf(target: string): string {
  const { pathname } = new URL(target, 'http://127.0.0.1')
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}
