import { randomUUID } from 'node:crypto'
import type { Position as LogPosition } from '@eventstore/db-client'
import { defined } from '@platen/foundation/json/defined.ts'
import { InvalidPosition, WrongExpectedRevision } from '../../event-store.ts'
import { appendEvents } from './append.ts'
import { type Anchor, encodePlace, isSame, type Place } from './codec.ts'
import { isNoPosition } from './errors.ts'
import type { LeaderClient } from './leader-client.ts'
import { endOfLog, readAnchor, readEvents } from './read.ts'
import type { Credentials } from './url.ts'

/** Its first event is made by the first process that uses the server. The id of this event is the epoch. */
const epochStream = 'platen-store'

const createTimeoutMs = 5_000

export interface Server {
  leader: LeaderClient
  credentials: Credentials
  /** How long to wait for an answer. */
  idleMs: number
}

/** Tells whether a server has the log that a reader knows: after a restore it may have another, or an older copy. */
export class LogIdentity {
  readonly #server: Server
  #known: Promise<string> | undefined

  constructor(server: Server) {
    this.#server = server
  }

  /** The id of the log, part of every position. Throws StoreUnavailable. */
  epoch(): Promise<string> {
    this.#known ??= this.#readOrCreate()
    this.#known.catch(() => {
      this.#known = undefined
    })
    return this.#known
  }

  /**
   * Where a subscription can resume after `place`. Throws InvalidPosition if the log is another one, or lacks the event
   * that the reader has seen last.
   */
  async resumeAfter(place: Place, signal: AbortSignal): Promise<LogPosition> {
    const [epoch, known] = await Promise.all([this.#read(signal), this.epoch()])
    if (epoch !== known) {
      throw new InvalidPosition(`The event store was replaced: it was ${known}, and is ${epoch ?? 'an empty one'} now`)
    }
    const { position, anchor } = place
    const text = encodePlace({ ...place, epoch })
    if (anchor && !(await this.#has(anchor, signal))) {
      throw new InvalidPosition(`The event store does not have the event of the position ${text}`)
    }
    const end = await endOfLog({ ...this.#server, signal })
    const isBeyondEnd = end === 'start' || end.commit < position.commit
    const isAnchor = anchor !== undefined && isSame(anchor.position, position)
    if (!isBeyondEnd && (isAnchor || (await this.#hasRecord(position, signal)))) return position
    // The log differs from the one that the reader has seen, but only in events of other categories.
    if (anchor && !isAnchor) return anchor.position
    const problem = isBeyondEnd ? 'ends before' : 'has no record at'
    throw new InvalidPosition(`The event store ${problem} the position ${text}`)
  }

  /**
   * Rejects unless this user may append and the server accepts appends. Sends the first event of the log again, which
   * the server recognises, so that nothing is written.
   */
  async checkWrites(epoch: string, timeoutMs: number): Promise<void> {
    await this.#appendFirst(epoch, timeoutMs).catch((err) => {
      // The log was replaced, or its first event was removed. The server accepts appends all the same.
      if (!(err instanceof WrongExpectedRevision)) throw err
    })
  }

  async #has({ position, id }: Anchor, signal: AbortSignal): Promise<boolean> {
    try {
      const found = await readAnchor({ ...this.#server, signal }, position)
      // The server goes on to the next event where one was removed, which an operator may do with old events.
      return found !== undefined && (!isSame(found.position, position) || found.id === id)
    } catch (err) {
      if (isNoPosition(err)) return false
      throw err
    }
  }

  /** A server does not read from a position between two records. */
  async #hasRecord(position: LogPosition, signal: AbortSignal): Promise<boolean> {
    try {
      await readAnchor({ ...this.#server, signal }, position)
      return true
    } catch (err) {
      if (isNoPosition(err)) return false
      throw err
    }
  }

  async #readOrCreate(): Promise<string> {
    const existing = await this.#read()
    if (existing !== undefined) return existing
    const id = randomUUID()
    try {
      await this.#appendFirst(id, createTimeoutMs)
      return id
    } catch (err) {
      const other = err instanceof WrongExpectedRevision ? await this.#read() : undefined
      if (other !== undefined) return other
      throw err
    }
  }

  async #appendFirst(id: string, timeoutMs: number): Promise<void> {
    const events = [{ id, type: 'StoreCreated', data: {} }] as const
    await appendEvents({ ...this.#server, epoch: id, stream: epochStream, events, expected: 'none', timeoutMs })
  }

  async #read(signal?: AbortSignal): Promise<string | undefined> {
    const reading = readEvents({ ...this.#server, epoch: '', stream: epochStream, limit: 1, ...defined({ signal }) })
    for await (const { id } of reading) return id
    return undefined
  }
}
