import type { Envelope } from '../contracts/command.ts'
import type { Json } from '../contracts/json.ts'
import { derivedUuid } from '../runtime/ids.ts'
import type { Decider } from './decider.ts'
import { type EventStore, type NewEvent, type StoredEvent, WrongExpectedRevision } from './event-store.ts'

type AnyEvent = { type: string; data: unknown }

export interface Loaded<State> {
  state: State
  /** Of the stream's last event; `none` when there is no stream. */
  revision: number | 'none'
  /** Ids of the commands that wrote the stream. */
  causes: ReadonlySet<string>
}

/** Folds a stream. `upTo` (inclusive) stops earlier: the state as it was at that revision. */
export async function load<State, Event extends AnyEvent>(
  store: EventStore,
  { initialState, evolve }: Pick<Decider<State, never, Event>, 'initialState' | 'evolve'>,
  stream: string,
  { upTo }: { upTo?: number } = {},
): Promise<Loaded<State>> {
  let state = initialState
  let revision: number | 'none' = 'none'
  const causes = new Set<string>()
  for await (const event of store.readStream(stream, upTo === undefined ? {} : { limit: upTo + 1 })) {
    state = evolve(state, domainEvent<Event>(event))
    revision = event.revision
    if (typeof event.metadata.causation_id === 'string') causes.add(event.metadata.causation_id)
  }
  return { state, revision, causes }
}

/** A stream holds only what its own decider wrote: its type is the contract. */
export function domainEvent<Event extends AnyEvent>({ type, data }: StoredEvent): Event {
  return { type, data } as Event
}

export interface Handled<State> {
  state: State
  revision: number | 'none'
}

/** Two writers on one stream: the slower one looks again. More often than this is a fault. */
const maxConflicts = 20

/**
 * Load, decide, append. A command that is delivered again finds its own events and appends nothing.
 * Throws the decider's DomainError, and what the event store throws.
 */
export async function handleCommand<State, Command extends { type: string; data: unknown }, Event extends AnyEvent>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  stream: string,
  command: Envelope<Command>,
): Promise<Handled<State>> {
  for (let conflicts = 0; ; conflicts++) {
    const loaded = await load(store, decider, stream)
    if (loaded.causes.has(command.metadata.id)) return loaded
    const events = decider.decide(command, loaded.state)
    const [first, ...rest] = events.map((event, index) => newEvent(event, command, stream, index))
    if (!first) return loaded
    try {
      const { revision } = await store.append(stream, [first, ...rest], loaded.revision)
      return { state: events.reduce(decider.evolve, loaded.state), revision }
    } catch (err) {
      if (!(err instanceof WrongExpectedRevision) || conflicts >= maxConflicts) throw err
    }
  }
}

function newEvent(event: AnyEvent, command: Envelope<unknown>, stream: string, index: number): NewEvent {
  const { id, time, correlation_id, traceparent } = command.metadata
  return {
    id: derivedUuid(id, stream, index),
    type: event.type,
    data: event.data as Json,
    metadata: { time, correlation_id, causation_id: id, ...(traceparent !== undefined && { traceparent }) },
  }
}
