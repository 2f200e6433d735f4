import type { Readable, Writable } from 'node:stream'
import type { CDPSession } from 'playwright-core'

/** A DevTools protocol session of one target. */
export interface Session extends Pick<CDPSession, 'send'> {
  /** Resolves with the next event of that name. */
  next(event: string): Promise<void>
}

interface Message {
  id?: number
  sessionId?: string
  method?: string
  result?: unknown
  error?: { message: string }
}

interface Call {
  resolve(result: unknown): void
  reject(err: Error): void
}

/**
 * A separate client, so that the baseline does not use the code it is compared with. When the browser has ended, all calls
 * reject with the reason.
 */
export function openDevtools(
  input: Writable,
  output: Readable,
  ended: Promise<string>,
): (sessionId?: string) => Session {
  const calls = new Map<number, Call>()
  const listeners = new Map<string, Call>()
  let lastId = 0
  let lost: Error | undefined
  void ended.then((reason) => {
    lost = new Error(`Chromium ${reason}`)
    for (const { reject } of [...calls.values(), ...listeners.values()]) reject(lost)
  })
  const receive = ({ id, sessionId = '', method, result, error }: Message) => {
    if (id === undefined) {
      const key = `${sessionId} ${method}`
      listeners.get(key)?.resolve(undefined)
      listeners.delete(key)
      return
    }
    const call = calls.get(id)
    calls.delete(id)
    if (error) call?.reject(new Error(error.message))
    else call?.resolve(result)
  }
  let parts: Buffer[] = []
  output.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, end))
      receive(JSON.parse(Buffer.concat(parts).toString()))
      parts = []
      start = end + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  })
  return (sessionId) => {
    const send = (method: string, params: unknown = {}) =>
      new Promise((resolve, reject) => {
        if (lost) return reject(lost)
        calls.set(++lastId, { resolve, reject })
        input.write(`${JSON.stringify({ id: lastId, sessionId, method, params })}\0`)
      })
    const next = (event: string) =>
      new Promise((resolve, reject) => listeners.set(`${sessionId ?? ''} ${event}`, { resolve, reject }))
    return { send, next } as Session
  }
}
