import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { removalsStream as stream } from '../event-catalogue.ts'
import { type EventStore, type Position, type StoredEvent, WrongExpectedRevision } from '../event-store.ts'
import { isBefore } from '../place-in-log.ts'
import { SegmentName } from './segment.ts'

/** The event of a removal that may remove events of more segments than the ones before. */
export const removalBegun = 'RemovalBegun'

export const Removal = Type.Object({
  /** Events up to this position may have been removed. It is the end of a segment. */
  through: Type.Unsafe<Position>(Type.String()),
  /** The number of that segment. */
  segment: Type.Integer({ minimum: 1 }),
  /** Of the segments up to this number all was removed that ever can be. */
  cleared: Type.Integer({ minimum: 0 }),
  /** Later segments of which it was, too, so that the next removal reads only those with streams that were left. Ascending. */
  cleared_also: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }))),
  /**
   * The names of the segments from the start of the log through this one, see `nameOf`: readers need all of them. Absent in
   * `RemovalEnded`, if they are very many, and in events of earlier states of the source.
   */
  segments: Type.Optional(Type.Array(SegmentName)),
})
export type Removal = Static<typeof Removal>

/** Further ones are read again. */
const mostKnown = 1_000

const schema = Compile(Removal)

/** Undefined for another event. Throws if its data is of another version. */
export function removalBegunBy({ type, data }: Pick<StoredEvent, 'type' | 'data'>): Removal | undefined {
  if (type !== removalBegun) return undefined
  if (schema.Check(data)) return data
  throw new Error(`an event ${removalBegun} of ${stream} is of another version`)
}

type Log = Pick<EventStore, 'readStream' | 'append'>

/** The last removal that was begun; undefined if there was none. Throws StoreUnavailable. */
export async function lastRemoval(log: Pick<EventStore, 'readStream'>): Promise<Removal | undefined> {
  return (await last(log))?.removal
}

async function last(log: Pick<EventStore, 'readStream'>) {
  for await (const { data, revision } of log.readStream(stream, { backwards: true, limit: 1 })) {
    if (!schema.Check(data)) throw new Error(`the last event of ${stream} is of another version`)
    return { removal: data, revision }
  }
  return undefined
}

/**
 * Records a removal before its first event is removed, or how far it came. Neither position nor number goes back, whichever
 * processes remove at once.
 */
export async function recordRemoval(log: Log, wanted: Removal): Promise<Removal> {
  for (;;) {
    const { removal, revision } = (await last(log)) ?? { removal: undefined, revision: 'none' as const }
    const isFurther = removal === undefined || isBefore(removal.through, wanted.through)
    const { through, segment } = isFurther ? wanted : removal
    const cleared = unionOf(wanted, removal)
    if (removal !== undefined && !isFurther && isDeepStrictEqual(cleared, unionOf(removal))) return removal
    const { segments } = wanted
    const data = { through, segment, ...cleared, ...(isFurther && segments && { segments }) }
    try {
      await log.append(stream, [{ id: randomUUID(), type: isFurther ? removalBegun : 'RemovalEnded', data }], revision)
      return data
    } catch (err) {
      if (!(err instanceof WrongExpectedRevision)) throw err
    }
  }
}

type Cleared = Pick<Removal, 'cleared' | 'cleared_also'>

/** Which segments one or the other has cleared. */
export function unionOf(one: Cleared, other?: Cleared): Required<Cleared> {
  let cleared = Math.max(one.cleared, other?.cleared ?? 0)
  const also = new Set([...(one.cleared_also ?? []), ...(other?.cleared_also ?? [])])
  while (also.has(cleared + 1)) cleared++
  const later = [...also].filter((number) => number > cleared).sort((low, high) => low - high)
  return { cleared, cleared_also: later.slice(0, mostKnown) }
}
