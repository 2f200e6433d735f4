import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { AppendTooLarge, type ExpectedRevision, InvalidName, maxAppendBytes, type NewEvent } from './event-store.ts'
import { assertStreamName } from './stream-name.ts'

/** Lower case only: some stores compare ids as text, others return them in lower case. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The checks every adapter makes before an append, so that all engines accept the same appends.
 * Throws InvalidName, AppendTooLarge, or RangeError for an impossible expected revision or an empty list.
 */
export function assertAppendable(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): void {
  assertStreamName(stream)
  if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new RangeError(`An expected revision must be 'none', 'any' or a whole number from 0, not ${expected}`)
  }
  if (events.length === 0) throw new RangeError('An append needs at least one event')
  for (const { id, type } of events) {
    if (!uuid.test(id)) throw new InvalidName(`The id of ${type} is not a UUID in lower case`)
  }
  const bytes = appendBytes(events)
  if (bytes > maxAppendBytes) {
    throw new AppendTooLarge(`An append may have at most ${maxAppendBytes} bytes of JSON; this one has ${bytes}`)
  }
}

/** The size of the events as JSON. No engine counts more, so an append never reaches an engine's own limit of 1 MiB. */
export function appendBytes(events: readonly NewEvent[]): number {
  return Buffer.byteLength(stringifyExact(events))
}
