import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { NoAnswer, toUnavailable } from './errors.ts'

/**
 * The body of a response. It fails unless all bytes of Content-Length arrive. The idle timeout runs only while the
 * reader waits for the store.
 */
export function wholeBody(response: IncomingMessage, idleMs: number): Readable {
  const announced = Number(response.headers['content-length'] ?? Number.NaN)
  let received = 0
  let idle: NodeJS.Timeout | undefined
  response.socket.setTimeout(0)

  const fail = (err: unknown) => body.destroy(toUnavailable('read to the end', err))
  const expectMore = () => {
    clearTimeout(idle)
    idle = setTimeout(() => fail(new NoAnswer('The object store stopped sending')), idleMs)
  }
  const body = new Readable({
    read() {
      expectMore()
      response.resume()
    },
    destroy(err, done) {
      clearTimeout(idle)
      response.destroy()
      done(err)
    },
  })

  response.pause()
  response.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (body.push(chunk)) return expectMore()
    clearTimeout(idle)
    response.pause()
  })
  response.on('end', () => {
    clearTimeout(idle)
    // A body without Content-Length is chunked, and the HTTP parser detects its end.
    if (received === announced || Number.isNaN(announced)) body.push(null)
    else fail(new Error(`received ${received} of ${announced} bytes`))
  })
  response.on('error', fail)
  // A connection can end early without an error.
  response.on('close', () => response.complete || fail(new Error(`the connection ended after ${received} bytes`)))
  return body
}
