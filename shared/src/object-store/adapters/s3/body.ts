import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { NoAnswer, toUnavailable } from './errors.ts'

/**
 * The body of an answer, whole or an error: it ends only after as many bytes as were announced. The idle time runs while
 * the reader waits for the store, never while the store waits for the reader.
 */
export function wholeBody(response: IncomingMessage, idleMs: number): Readable {
  const announced = Number(response.headers['content-length'] ?? Number.NaN)
  let received = 0
  let idle: NodeJS.Timeout | undefined
  response.socket.setTimeout(0)

  const fail = (err: unknown) => body.destroy(toUnavailable('read to the end', err))
  const expectMore = () => {
    clearTimeout(idle)
    idle = setTimeout(() => fail(new NoAnswer('The object store went silent')), idleMs)
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
    // An answer without a length is framed in chunks, and the HTTP parser sees its end.
    if (received === announced || Number.isNaN(announced)) body.push(null)
    else fail(new Error(`${received} bytes came of ${announced}`))
  })
  response.on('error', fail)
  // A connection that ends early may do so without an error.
  response.on('close', () => response.complete || fail(new Error(`The connection ended after ${received} bytes`)))
  return body
}
