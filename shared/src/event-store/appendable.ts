import { AppendTooLarge, type ExpectedRevision, InvalidName, maxAppendBytes, type NewEvent } from './event-store.ts'
import { assertStreamName } from './stream-name.ts'

/** Lower case only: stores compare ids as text, or give them back in lower case. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * What every adapter checks before it asks its engine, so that one engine accepts what the other does.
 * Throws InvalidName, AppendTooLarge, and RangeError for an expectation that no stream can meet.
 */
export function assertAppendable(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): void {
  assertStreamName(stream)
  if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new RangeError(`An expected revision is 'none', 'any' or a whole number from 0, not ${expected}`)
  }
  if (events.length === 0) throw new RangeError('An append has at least one event')
  for (const { id, type } of events) {
    if (!uuid.test(id)) throw new InvalidName(`The id of ${type} is not a UUID in lower case`)
  }
  const bytes = appendBytes(events)
  if (bytes > maxAppendBytes) {
    throw new AppendTooLarge(`An append is at most ${maxAppendBytes} bytes of JSON, this one is ${bytes}`)
  }
}

/** The events as one JSON text: somewhat more than any engine counts, so its own limit (1 MiB) is never met. */
export function appendBytes(events: readonly NewEvent[]): number {
  return Buffer.byteLength(JSON.stringify(events))
}
