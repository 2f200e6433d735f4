import { type LettersResult, mostLettersAtOnce } from '@platen/domain/dead-letter/dead-letter.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { asBusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import type { Inbox } from '@platen/messaging/requests/reply.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { dropDeadLetter, findDeadLetter } from '@platen/service-kit/dead-letters/dead-letters.ts'
import { type LetterFilter, searchLetters } from '@platen/service-kit/dead-letters/find-letters.ts'
import { retryLetter } from '@platen/service-kit/dead-letters/retry-letter.ts'
import type { GenerationFinder } from '../generations/find-generation.ts'

export interface LetterSources {
  bus: Bus
  inbox: Inbox
  objects: ObjectStore
  finder: Pick<GenerationFinder, 'findOfAny'>
}

export interface Acting extends LetterSources {
  /** Of the request that acts. */
  metadata: () => CommandMetadata
}

export interface ChosenLetters {
  /** Their numbers, oldest first. */
  seqs: number[]
  /** The last that was looked at, if there may be more. */
  next?: number | undefined
}

/** A request ends in this time; then `next_after` says where to go on. Each retry may wait ten seconds for its answer. */
const workMs = 15_000

/** Those with these numbers, or the oldest that the filter selects. */
export async function chooseLetters(
  bus: Bus,
  { ids, filter = {}, after, limit }: { ids?: string[]; filter?: LetterFilter; after?: number; limit: number },
): Promise<ChosenLetters> {
  if (ids) {
    const seqs = [...new Set(ids.map(Number))].sort((one, other) => one - other)
    return { seqs: seqs.filter((seq) => seq > (after ?? 0)) }
  }
  const { letters, next } = await searchLetters(bus, { filter, from: after, limit })
  return { seqs: letters.map(({ seq }) => seq), next }
}

/** What a dry run answers. */
export function onlyChosen({ seqs, next }: ChosenLetters): LettersResult {
  return { ...resultOf(seqs, true), ...(next !== undefined && { next_after: String(next) }) }
}

/**
 * Sends the letters again, or removes them, oldest first. A crash in between repeats it: a command keeps its id, and the new
 * generation of a document its own.
 */
export async function actOnLetters(
  sources: Acting,
  { seqs, next }: ChosenLetters,
  act: 'retry' | 'drop',
): Promise<LettersResult> {
  const { bus } = sources
  const result = resultOf(seqs, false)
  const until = performance.now() + workMs
  let reached: number | undefined
  for (const seq of seqs) {
    if (performance.now() > until) return { ...result, next_after: String(reached ?? seq - 1) }
    try {
      if (act === 'retry') {
        const generation_id = await retryOne(sources, seq)
        result.done.push({ id: String(seq), ...defined({ generation_id }) })
      } else {
        await dropDeadLetter(bus, seq)
        result.done.push({ id: String(seq) })
      }
    } catch (err) {
      const reason = asBusUnavailable(err)
      // Each of the others would wait for the same unavailable service.
      if (reason instanceof DependencyUnavailable && result.done.length === 0) throw reason
      result.kept.push({ id: String(seq), reason: reason instanceof Error ? reason.message : String(reason) })
      if (reason instanceof DependencyUnavailable) return { ...result, next_after: String(reached ?? seq - 1) }
    }
    reached = seq
  }
  return { ...result, ...(next !== undefined && { next_after: String(next) }) }
}

/** One that was sent again before is done. Throws NotRetried. */
async function retryOne({ bus, inbox, objects, finder, metadata }: Acting, seq: number): Promise<string | undefined> {
  const letter = await findDeadLetter(bus, seq)
  const statusOf = async (id: string) => (await finder.findOfAny(id))?.state.status
  const retrying = { bus, inbox, metadata, openObjects: async () => objects, statusOf }
  return letter && (await retryLetter(retrying, letter)).generation_id
}

function resultOf(seqs: readonly number[], dry_run: boolean): LettersResult {
  return { dry_run, count: seqs.length, ids: seqs.slice(0, mostLettersAtOnce).map(String), done: [], kept: [] }
}
