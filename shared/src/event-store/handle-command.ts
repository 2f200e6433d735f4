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

/** Folds a stream. `version` stops at that many events: the state as it was then. */
export async function load<State, Event extends AnyEvent>(
  store: EventStore,
  { initialState, evolve }: Pick<Decider<State, never, Event>, 'initialState' | 'evolve'>,
  stream: string,
  { version }: { version?: number } = {},
): Promise<Loaded<State>> {
  let state = initialState
  let revision: number | 'none' = 'none'
  const causes = new Set<string>()
  for await (const event of store.readStream(stream, version === undefined ? {} : { limit: version })) {
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

export interface Handling<State, Command, Event> {
  store: EventStore
  decider: Decider<State, Command, Event>
  stream: string
  command: Envelope<Command>
  /**
   * Set where the decider cannot tell a repeat from a second wish (a delete of what is deleted): a command whose events
   * are in the stream already is then not decided again.
   */
  once?: boolean
  /** When an event happened (RFC 3339). Default: when the command was given. */
  timeOf?: (event: Event) => string
}

export interface Handled<State> {
  state: State
  revision: number | 'none'
}

/** Two writers on one stream: the slower one looks again. More often than this is a fault. */
const maxConflicts = 20

/**
 * Load, decide, append. Event ids derive from the command's, so one that is delivered again appends nothing twice.
 * Throws the decider's DomainError, and what the event store throws.
 */
export async function handleCommand<State, Command extends { type: string; data: unknown }, Event extends AnyEvent>({
  store,
  decider,
  stream,
  command,
  once = false,
  timeOf = () => command.metadata.time,
}: Handling<State, Command, Event>): Promise<Handled<State>> {
  for (let conflicts = 0; ; conflicts++) {
    const loaded = await load(store, decider, stream)
    if (once && loaded.causes.has(command.metadata.id)) return loaded
    const events = decider.decide(command, loaded.state)
    const [first, ...rest] = events.map((event) => newEvent(event, { command, stream, time: timeOf(event) }))
    if (!first) return loaded
    try {
      const { revision } = await store.append(stream, [first, ...rest], loaded.revision)
      return { state: events.reduce(decider.evolve, loaded.state), revision }
    } catch (err) {
      if (!(err instanceof WrongExpectedRevision) || conflicts >= maxConflicts) throw err
    }
  }
}

function newEvent(
  event: AnyEvent,
  { command, stream, time }: { command: Envelope<unknown>; stream: string; time: string },
): NewEvent {
  const { id, correlation_id, traceparent } = command.metadata
  return {
    id: derivedUuid(id, stream, event.type),
    type: event.type,
    data: event.data as Json,
    metadata: { time, correlation_id, causation_id: id, ...(traceparent !== undefined && { traceparent }) },
  }
}
