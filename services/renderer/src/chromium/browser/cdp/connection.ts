import { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { type KnownJson, messageParts } from './known-json.ts'
import { readPrintedAnswer } from './printed-answer.ts'
import { readMessages } from './read-messages.ts'
import { AnswerTooLong, ConnectionClosed, ProtocolError, type Session } from './session.ts'

interface Answer {
  id?: number
  result?: unknown
  error?: { message: string }
}

interface PendingCommand {
  method: string
  sessionId: string | undefined
  resolve(result: unknown): void
  reject(err: Error): void
}

const longAnswerBytes = 2 ** 20

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
  readonly #sessions = new Map<string | undefined, Session & EventEmitter>()
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
      onMessage: (bytes) => this.#receive(bytes),
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
    const send = (method: string, params: unknown = {}, known?: KnownJson) =>
      new Promise((resolve, reject) => {
        if (this.closed.aborted || !this.#sessions.has(sessionId)) return reject(new ConnectionClosed(method))
        const id = ++this.#lastId
        this.#pending.set(id, { method, sessionId, resolve, reject })
        this.#write(messageParts({ id, method, params, sessionId }, known))
      })
    const session = Object.assign(events, { send, sendLong: send, received: 0 }) as unknown as Session & EventEmitter
    this.#sessions.set(sessionId, session)
    return session
  }

  #write(parts: readonly (string | Uint8Array)[]): void {
    const [only, ...others] = parts
    if (others.length === 0) return void this.#input.write(only)
    this.#input.cork()
    for (const part of parts) this.#input.write(part)
    this.#input.uncork()
  }

  #take(id: number): PendingCommand | undefined {
    const command = this.#pending.get(id)
    this.#pending.delete(id)
    return command
  }

  #receive(bytes: Buffer): void {
    const method = isEvent.exec(bytes.toString('latin1', 0, headBytes))?.[1]
    if (method === undefined) this.#settle(bytes)
    else this.#emit(method, bytes)
  }

  #settle(bytes: Buffer): void {
    const print = this.#longPrint(bytes)
    // Its parts were joined in this turn of the event loop.
    if (print) setImmediate(() => settle(print, readPrintedAnswer(bytes)))
    else {
      const answer: Answer = JSON.parse(bytes.toString('utf8'))
      settle(this.#take(answer.id ?? 0), answer)
    }
  }

  /** The command that is answered with a long file. */
  #longPrint(bytes: Buffer): PendingCommand | undefined {
    if (bytes.length < longAnswerBytes) return undefined
    const id = Number(/^\{"id":(\d+)/.exec(bytes.toString('latin1', 0, headBytes))?.[1])
    return this.#pending.get(id)?.method === 'Page.printToPDF' ? this.#take(id) : undefined
  }

  /** Events without a listener are only counted: a document can cause hundreds of megabytes of them. */
  #emit(method: string, bytes: Buffer): void {
    const sessionId = endsWithSession.exec(bytes.toString('latin1', Math.max(0, bytes.length - tailBytes)))?.[1]
    const session = this.#sessions.get(sessionId)
    if (!session) return
    session.received += 1
    const isDetached = method === 'Target.detachedFromTarget'
    if (session.listenerCount(method) === 0 && !isDetached) return
    const tooLong = bytes.length > maxReportBytes && isReport.test(method)
    const params = tooLong ? {} : JSON.parse(bytes.toString('utf8')).params
    session.emit(method, params)
    if (isDetached) this.#detach(params.sessionId)
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
export const maxReportBytes = 64 * 1024
const isReport = /^(Log\.entryAdded|Network\.\w+)$/

const headBytes = 100
const tailBytes = 100
const isEvent = /^\{"method":"([\w.]+)"/
/** Chromium writes the session id last. In a text of the document its quotes would be escaped. */
const endsWithSession = /"sessionId":"(\w+)"\}$/

function settle(command: PendingCommand | undefined, { result, error }: Answer): void {
  if (error) command?.reject(new ProtocolError(`${command.method}: ${error.message}`))
  else command?.resolve(result)
}
