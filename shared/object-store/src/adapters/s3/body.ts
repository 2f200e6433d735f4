import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { NoAnswer, toUnavailable } from './errors.ts'

export interface BodyOptions {
  /** The longest time without traffic while the reader waits for the store. */
  idleMs: number
  /** Requests the body from this byte on, of the same version of the object. */
  reopen: (offset: number) => Promise<IncomingMessage>
}

/** Delays after failures in a row without new bytes. */
const delaysMs = [50, 200, 800]
/** The most reopens of one body. */
const maxReopens = 20

/**
 * The body of a response. If it breaks off, the rest is requested when the reader asks for it: a store may hang up on a
 * reader that pauses. It fails unless all bytes of Content-Length arrive.
 */
export function wholeBody(first: IncomingMessage, { idleMs, reopen }: BodyOptions): Readable {
  const announced = Number(first.headers['content-length'] ?? Number.NaN)
  let source: IncomingMessage | undefined
  let received = 0
  let wanted = false
  let opening = false
  let delays = delaysMs
  let reopens = 0
  let loss: unknown
  let idle: NodeJS.Timeout | undefined

  const expectMore = () => {
    clearTimeout(idle)
    idle = setTimeout(() => lose(new NoAnswer('The object store stopped sending')), idleMs)
  }
  const lose = (err: unknown) => {
    clearTimeout(idle)
    loss = err
    source?.destroy()
    source = undefined
    if (wanted) void resume()
  }
  const resume = async () => {
    if (opening || body.destroyed) return
    opening = true
    const [delayMs, ...rest] = delays
    delays = rest
    if (delayMs === undefined || ++reopens > maxReopens)
      return void body.destroy(toUnavailable('read to the end', loss))
    try {
      await sleep(delayMs)
      const next = await reopen(received)
      if (body.destroyed) return void next.destroy()
      opening = false
      attach(next)
    } catch (err) {
      opening = false
      lose(err)
    }
  }
  const attach = (response: IncomingMessage) => {
    source = response
    response.socket.setTimeout(0)
    response.pause()
    const isCurrent = () => source === response
    response.on('data', (chunk: Buffer) => {
      if (!isCurrent()) return
      received += chunk.length
      delays = delaysMs
      wanted = body.push(chunk)
      if (wanted) return expectMore()
      clearTimeout(idle)
      response.pause()
    })
    response.on('end', () => {
      if (!isCurrent()) return
      clearTimeout(idle)
      // A body without Content-Length is chunked, and the HTTP parser detects its end.
      if (received === announced || Number.isNaN(announced)) body.push(null)
      else lose(new Error(`received ${received} of ${announced} bytes`))
    })
    response.on('error', (err) => isCurrent() && lose(err))
    // A connection can end early without an error.
    response.on('close', () => {
      if (isCurrent() && !response.complete) lose(new Error(`the connection ended after ${received} bytes`))
    })
    if (wanted) read()
  }
  const read = () => {
    wanted = true
    if (source === undefined) return void resume()
    expectMore()
    source.resume()
  }
  const body: Readable = new Readable({
    read,
    destroy(err, done) {
      clearTimeout(idle)
      source?.destroy()
      done(err)
    },
  })
  attach(first)
  return body
}
