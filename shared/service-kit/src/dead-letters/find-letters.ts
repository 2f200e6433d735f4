import { streams } from '@platen/domain/streams/subjects.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { contentOf, type DeadLetter, findDeadLetter } from './dead-letters.ts'

/** What selects dead letters. Times are in ms since the epoch. */
export interface LetterFilter {
  /** A part of the reason. */
  reason?: string | undefined
  /** The beginning of the subject. */
  subject?: string | undefined
  ownerId?: string | undefined
  /** Given up at this time or later. */
  since?: number | undefined
  /** Given up before this time. */
  until?: number | undefined
}

/** Without its content: that of all together may be larger than the memory. */
export interface ListedLetter extends Omit<DeadLetter, 'payload'> {
  bytes: number
  ownerId?: string
  /** The newest generation that its document was rendered again as. */
  retriedAs?: string
}

export function isWanted(letter: ListedLetter, filter: LetterFilter): boolean {
  const { reason = '', subject = '', ownerId, since = 0, until = Number.POSITIVE_INFINITY } = filter
  const at = Date.parse(letter.at)
  return (
    letter.reason.includes(reason) &&
    letter.subject.startsWith(subject) &&
    (ownerId === undefined || letter.ownerId === ownerId) &&
    at >= since &&
    at < until
  )
}

export function listed({ payload, ...letter }: DeadLetter): ListedLetter {
  const ownerId = ownerOf(letter.subject, payload)
  return { ...letter, bytes: payload.byteLength, ...defined({ ownerId }) }
}

/** The subject of a document has its owner. Other messages have it in their data, if they are of an owner. */
function ownerOf(subject: string, payload: Uint8Array): string | undefined {
  const [, ofRender] = /^commands\.render\.\w+\.([^.]+)\./.exec(subject) ?? []
  if (ofRender !== undefined) return ofRender
  const { data } = (contentOf(payload) ?? {}) as { data?: { owner_id?: unknown } }
  return typeof data?.owner_id === 'string' ? data.owner_id : undefined
}

export interface LetterSearch {
  filter: LetterFilter
  /** Exclusive. Letters are looked at from there on. Default: the first, or the last when reading backwards. */
  from?: number | undefined
  backwards?: boolean
  /** At most so many are found. */
  limit: number
}

export interface FoundLetters {
  letters: ListedLetter[]
  /** Where the next search goes on; absent if all were looked at. */
  next?: number
}

/** A letter has up to 1 MiB: more are not read for one request. */
const mostReads = 2_000
const readsAtOnce = 20

/** Reads the letters themselves, as JetStream does not find them by their headers. */
export async function searchLetters(bus: Pick<Bus, 'queries'>, search: LetterSearch): Promise<FoundLetters> {
  const { filter, from, backwards = false, limit } = search
  const info = await found(bus.queries.streams.info(streams.deadLetters))
  const { first_seq = 1, last_seq = 0, messages = 0 } = info?.state ?? {}
  if (messages === 0) return { letters: [] }
  const step = backwards ? -1 : 1
  const first = backwards ? Math.min(last_seq, (from ?? last_seq + 1) - 1) : Math.max(first_seq, (from ?? 0) + 1)
  const isWithin = (seq: number) => seq >= first_seq && seq <= last_seq
  const letters: ListedLetter[] = []
  let seq = first
  for (let reads = 0; reads < mostReads && isWithin(seq); reads += readsAtOnce) {
    const seqs = Array.from({ length: readsAtOnce }, (_, at) => seq + at * step).filter(isWithin)
    const read = await Promise.all(seqs.map((one) => findDeadLetter(bus, one)))
    for (const [at, letter] of read.entries()) {
      const one = letter && listed(letter)
      if (!one || !isWanted(one, filter)) continue
      letters.push(one)
      if (letters.length < limit) continue
      const reached = seqs[at] ?? seq
      return { letters, ...(isWithin(reached + step) && { next: reached }) }
    }
    seq += readsAtOnce * step
  }
  return { letters, ...(isWithin(seq) && { next: seq - step }) }
}
