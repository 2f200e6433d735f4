import { createHash } from 'node:crypto'
import type { Json } from '@platen/foundation/json/json.ts'
import type { NewEvent, StoredEvent } from './event-store.ts'

/**
 * The state after an event, in the metadata of that event as `snapshot`. It is appended with the event, so that it is never
 * without it, and never says more than the stream.
 */
interface Snapshot {
  /** The `foldId` of the decider that made the state. */
  fold: string
  /** SHA-256 of the fold, the stream, the revision and the state, in hex. */
  hash: string
  state: Json
}

/** A long stream has a snapshot among as many of its newest events. A shorter one has none. */
export const snapshotEvery = 50

/** A larger state is not recorded: its events are read instead. */
const maxStateChars = 100_000

export interface Folded<State> {
  fold: string
  stream: string
  /** Of the event that led to the state. */
  revision: number
  state: State
}

/** The events of an append, the last one with the state after it, unless that is too large. The state is JSON without bigints. */
export function withSnapshot<State>(
  [first, ...rest]: readonly [NewEvent, ...NewEvent[]],
  { fold, stream, revision, state }: Folded<State>,
): [NewEvent, ...NewEvent[]] {
  const text = JSON.stringify(state)
  if (text.length > maxStateChars) return [first, ...rest]
  const hash = hashOf({ fold, stream, revision, state: text })
  // Parsed, because a state may have fields that are undefined.
  const snapshot = { fold, hash, state: JSON.parse(text) as Json }
  const withState = (event: NewEvent): NewEvent => ({ ...event, metadata: { ...event.metadata, snapshot } })
  const last = rest.pop()
  return last ? [first, ...rest, withState(last)] : [withState(first)]
}

/**
 * The state after the event, if the event has it. Undefined if another fold has made it, for example that of another version
 * of the program, or if it is not what was recorded at this place.
 */
export function stateIn<State>({ metadata, stream, revision }: StoredEvent, fold: string): State | undefined {
  const snapshot = metadata.snapshot as Partial<Snapshot> | null | undefined
  if (snapshot?.fold !== fold || snapshot.state === undefined) return undefined
  const state = JSON.stringify(snapshot.state)
  return snapshot.hash === hashOf({ fold, stream, revision, state }) ? (snapshot.state as State) : undefined
}

function hashOf({ fold, stream, revision, state }: Folded<string>): string {
  return createHash('sha256')
    .update(JSON.stringify([fold, stream, revision, state]))
    .digest('hex')
}
