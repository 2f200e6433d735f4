import { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { readMessages } from './read-messages.ts'
import { AnswerTooLong, ConnectionClosed, ProtocolError, type Session } from './session.ts'

interface Message {
  id?: number
  sessionId?: string
  method?: string
  params?: unknown
  result?: unknown
  error?: { message: string }
}

interface PendingCommand {
  method: string
  sessionId: string | undefined
  resolve(result: unknown): void
  reject(err: Error): void
}

export interface ConnectionOptions {
  /** Commands to the browser. */
  input: Writable
  /** Its answers and events. */
  output: Readable
  /** A longer answer rejects its command with AnswerTooLong. */
  maxAnswerBytes: number
}

/** A DevTools connection over a pipe: the browser's own session and one for each attached target. */
export class Connection {
  readonly browser: Session
  readonly #input: Writable
  readonly #output: Readable
  readonly #pending = new Map<number, PendingCommand>()
  readonly #sessions = new Map<string | undefined, EventEmitter>()
  readonly #closed = new AbortController()
  #lastId = 0

  constructor({ input, output, maxAnswerBytes }: ConnectionOptions) {
    this.#input = input
    this.#output = output
    this.browser = this.#open(undefined)
    const close = () => this.close()
    input.on('error', close)
    output.on('error', close).on('close', close).on('end', close)
    readMessages(output, {
      maxBytes: maxAnswerBytes,
      onMessage: (text) => this.#receive(parseMessage(text)),
      onTooLong: (head) => {
        const id = Number(/^\{"id":(\d+)/.exec(head)?.[1])
        this.#take(id)?.reject(new AnswerTooLong(`more than ${maxAnswerBytes} bytes`))
      },
    })
  }

  /** Aborts when the pipe has closed. */
  get closed(): AbortSignal {
    return this.#closed.signal
  }

  /** The session of a target that was attached with `flatten`. */
  session(sessionId: string): Session {
    return this.#open(sessionId)
  }

  close(): void {
    if (this.closed.aborted) return
    this.#closed.abort()
    this.#input.destroy()
    this.#output.destroy()
    for (const command of this.#pending.values()) command.reject(new ConnectionClosed(command.method))
    this.#pending.clear()
  }

  #open(sessionId: string | undefined): Session {
    const events = new EventEmitter().setMaxListeners(0)
    this.#sessions.set(sessionId, events)
    const send = (method: string, params: unknown = {}) =>
      new Promise((resolve, reject) => {
        if (this.closed.aborted || !this.#sessions.has(sessionId)) return reject(new ConnectionClosed(method))
        const id = ++this.#lastId
        this.#pending.set(id, { method, sessionId, resolve, reject })
        this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
      })
    return Object.assign(events, { send }) as unknown as Session
  }

  #take(id: number): PendingCommand | undefined {
    const command = this.#pending.get(id)
    this.#pending.delete(id)
    return command
  }

  #receive({ id, sessionId, method, params, result, error }: Message): void {
    if (id !== undefined) {
      const command = this.#take(id)
      if (error) command?.reject(new ProtocolError(`${command.method}: ${error.message}`))
      else command?.resolve(result)
    } else if (method !== undefined) {
      this.#sessions.get(sessionId)?.emit(method, params)
      if (method === 'Target.detachedFromTarget') this.#detach((params as { sessionId: string }).sessionId)
    }
  }

  #detach(sessionId: string): void {
    this.#sessions.get(sessionId)?.emit('Inspector.detached', { reason: 'the target was closed' })
    this.#sessions.delete(sessionId)
    for (const [id, command] of this.#pending) {
      if (command.sessionId === sessionId) this.#take(id)?.reject(new ConnectionClosed(command.method))
    }
  }
}

/** A document decides how long the reports about it are. Longer ones are passed on without their parameters. */
export const maxReportChars = 64 * 1024
const isReport = /^\{"method":"(Log\.entryAdded|Network\.\w+)"/

function parseMessage(text: string): Message {
  const [, method] = text.length > maxReportChars ? (isReport.exec(text) ?? []) : []
  if (method === undefined) return JSON.parse(text)
  const [, sessionId] = /"sessionId":"(\w+)"\}$/.exec(text.slice(-100)) ?? []
  return { method, params: {}, ...(sessionId !== undefined && { sessionId }) }
}
