import http, { type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

/** A webhook endpoint on loopback that records its requests. */
export interface Receiver extends AsyncDisposable {
  url(path: string, host?: string): string
  readonly received: readonly Received[]
  on(path: string): Received[]
  /** Resolves once `path` has been called `count` times. */
  calls(path: string, count: number): Promise<Received[]>
}

/** Sends the response. `nth` is the number of the call of this path, from 1. */
export type Answer = (response: ServerResponse, nth: number, request: Received) => void

/** Listens with TLS if there is a certificate. */
export async function startReceiver(
  answer: Answer = (response) => response.writeHead(204).end(),
  tls?: { key: string; cert: string },
): Promise<Receiver> {
  const received: Received[] = []
  const on = (path: string) => received.filter((call) => call.path === path)
  const listener: RequestListener = async (request, response) => {
    const call = { path: request.url ?? '', headers: request.headers, body: await text(request), atMs: Date.now() }
    received.push(call)
    answer(response, on(call.path).length, call)
  }
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (path, host = '127.0.0.1') => `${tls ? 'https' : 'http'}://${host}:${port}${path}`,
    received,
    on,
    async calls(path, count) {
      for (const deadline = Date.now() + 120_000; on(path).length < count; await delay(10)) {
        if (Date.now() > deadline) throw new Error(`${path} was called ${on(path).length} times, not ${count}`)
      }
      return on(path)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
