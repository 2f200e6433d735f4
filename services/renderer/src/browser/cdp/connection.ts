import { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { readMessages } from './read-messages.ts'
import { AnswerTooLong, ConnectionClosed, ProtocolError, type Session } from './session.ts'

/** A browser's pipe: its own session and one for each target that was attached to. */
export interface Connection {
  browser: Session
  /** Aborts when the pipe has closed. */
  closed: AbortSignal
  /** The session of a target that was attached to with `flatten`. */
  session(sessionId: string): Session
  close(): void
}

interface Message {
  id?: number
  sessionId?: string
  method?: string
  params?: unknown
  result?: unknown
  error?: { message: string }
}

interface Pending {
  method: string
  sessionId: string | undefined
  resolve(result: unknown): void
  reject(err: Error): void
}

/** What a page reports of itself may be as long as its document likes: longer ones are passed on without their content. */
export const maxReportChars = 64 * 1024
const isReport = /^\{"method":"(Log\.entryAdded|Network\.\w+)"/

function parseMessage(text: string): Message {
  const [, method] = text.length > maxReportChars ? (isReport.exec(text) ?? []) : []
  if (method === undefined) return JSON.parse(text)
  const [, sessionId] = /"sessionId":"(\w+)"\}$/.exec(text.slice(-100)) ?? []
  return { method, params: {}, ...(sessionId !== undefined && { sessionId }) }
}

export interface ConnectionOptions {
  /** Commands to the browser. */
  input: Writable
  /** Its answers and events. */
  output: Readable
  /** A longer answer rejects its call with AnswerTooLong. */
  maxAnswerBytes: number
}

export function openConnection({ input, output, maxAnswerBytes }: ConnectionOptions): Connection {
  const pending = new Map<number, Pending>()
  const sessions = new Map<string | undefined, EventEmitter>()
  const closed = new AbortController()
  let lastId = 0

  const open = (sessionId?: string): Session => {
    const events = new EventEmitter().setMaxListeners(0)
    sessions.set(sessionId, events)
    const send = (method: string, params: unknown = {}) =>
      new Promise((resolve, reject) => {
        if (closed.signal.aborted || !sessions.has(sessionId)) return reject(new ConnectionClosed(method))
        lastId += 1
        pending.set(lastId, { method, sessionId, resolve, reject })
        input.write(
          `${JSON.stringify({ id: lastId, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`,
        )
      })
    return Object.assign(events, { send }) as unknown as Session
  }
  const forget = (sessionId: string) => {
    sessions.get(sessionId)?.emit('Inspector.detached', { reason: 'the target has gone' })
    sessions.delete(sessionId)
    for (const [id, call] of pending) {
      if (call.sessionId !== sessionId) continue
      pending.delete(id)
      call.reject(new ConnectionClosed(call.method))
    }
  }
  const receive = ({ id, sessionId, method, params, result, error }: Message) => {
    if (id !== undefined) {
      const call = pending.get(id)
      pending.delete(id)
      if (error) call?.reject(new ProtocolError(`${call.method}: ${error.message}`))
      else call?.resolve(result)
      return
    }
    if (method === undefined) return
    sessions.get(sessionId)?.emit(method, params)
    if (method === 'Target.detachedFromTarget') forget((params as { sessionId: string }).sessionId)
  }
  const close = () => {
    if (closed.signal.aborted) return
    closed.abort()
    input.destroy()
    output.destroy()
    for (const call of pending.values()) call.reject(new ConnectionClosed(call.method))
    pending.clear()
  }

  const browser = open()
  input.on('error', close)
  output.on('error', close).on('close', close).on('end', close)
  readMessages(output, {
    maxBytes: maxAnswerBytes,
    take: (text) => receive(parseMessage(text)),
    tooLong(head) {
      const id = Number(/^\{"id":(\d+)/.exec(head)?.[1])
      pending.get(id)?.reject(new AnswerTooLong(`more than ${maxAnswerBytes} bytes`))
      pending.delete(id)
    },
  })
  return { browser, closed: closed.signal, session: (sessionId) => open(sessionId), close }
}
