import { randomUUID } from 'node:crypto'
import { type CommandMetadata, type Envelope, isPastDeadline } from '@platen/foundation/command.ts'
import { DomainError } from '@platen/foundation/errors/errors.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { derivedUuid, newId } from '@platen/foundation/runtime/ids.ts'
import type { Decider } from './decider.ts'
import { type EventStore, type NewEvent, type StoredEvent, WrongExpectedRevision } from './event-store.ts'
import { eventTime } from './event-time.ts'

type AnyEvent = { type: string; data: unknown }

export interface Loaded<State> {
  state: State
  /** The revision of the stream's last event; `none` if the stream does not exist. */
  revision: number | 'none'
  events: ReadonlySet<string>
  /** What the events of `commandId` have led to, whatever came after them; undefined if it has recorded none. */
  executed: Handled<State> | undefined
}

export interface LoadOptions {
  /** Stops after that many events. */
  version?: number
  /** The command to be looked for. */
  commandId?: string
}

/** Folds a stream. */
export async function load<State, Event extends AnyEvent>(
  store: Pick<EventStore, 'readStream'>,
  { initialState, evolve }: Pick<Decider<State, never, Event>, 'initialState' | 'evolve'>,
  stream: string,
  { version, commandId }: LoadOptions = {},
): Promise<Loaded<State>> {
  let state = initialState
  let revision: number | 'none' = 'none'
  let executed: Handled<State> | undefined
  const events = new Set<string>()
  for await (const event of store.readStream(stream, version === undefined ? {} : { limit: version })) {
    state = evolve(state, domainEvent<Event>(event), eventTime(event))
    revision = event.revision
    events.add(event.id)
    if (commandId !== undefined && event.metadata.causation_id === commandId) executed = { state, revision }
  }
  return { state, revision, events, executed }
}

/** The event as a decider writes it. Only deciders append, so the types hold without a check. */
export function domainEvent<Event extends AnyEvent>(event: StoredEvent): Event {
  return { type: event.type, data: event.data } as Event
}

export interface Handling<State, Command, Event> {
  store: EventStore
  decider: Decider<State, Command, Event>
  stream: string
  command: Envelope<Command>
  /**
   * Set it if the decider cannot distinguish a redelivered command from a new one, such as a second delete. A command whose
   * events are in the stream is then not decided again, and is answered with what they have led to.
   */
  once?: boolean
  /**
   * Set it if two processes that handle the same command may decide differently: an append of one is then never taken
   * for a retry of the other's. Retries of an attempt have the same value.
   */
  attempt?: string | undefined
  /** Set it if the event does not say otherwise which API key the command was sent with. */
  recordKey?: boolean
  /** Set it to refuse the command after its deadline, in ms since the epoch. */
  now?: () => number
  /** The time of an event (RFC 3339). Default: the time of the command. */
  timeOf?: (event: Event) => string
}

export interface Handled<State> {
  state: State
  revision: number | 'none'
}

/** A concurrent append makes the command load and decide again. More conflicts than this are a bug. */
const maxConflicts = 20

/**
 * Loads the stream, decides and appends. Event ids derive from the ids of the command and of the attempt, so that a
 * repeated append writes no event twice. Throws the decider's DomainError and the errors of the event store.
 */
export async function handleCommand<State, Command extends { type: string; data: unknown }, Event extends AnyEvent>({
  store,
  decider,
  stream,
  command,
  once = false,
  attempt,
  recordKey = false,
  now,
  timeOf = () => command.metadata.time,
}: Handling<State, Command, Event>): Promise<Handled<State>> {
  for (let conflicts = 0; ; conflicts++) {
    const loaded = await load(store, decider, stream, once ? { commandId: command.metadata.id } : {})
    if (loaded.executed) return loaded.executed
    // Before each append: a conflict may be with a change that was acknowledged after this command had failed.
    if (now) refuseAfterDeadline(command.metadata, now())
    const events = decider.decide(command, loaded.state)
    const [first, ...rest] = events.map((event) =>
      newEvent(event, { command, attempt, recordKey, stream, time: timeOf(event) }),
    )
    // An append whose answer was lost has succeeded, and what it recorded led to another decision.
    if (!first || (attempt !== undefined && loaded.events.has(first.id))) return loaded
    try {
      const { revision } = await store.append(stream, [first, ...rest], loaded.revision)
      const state = events.reduce((state, event) => decider.evolve(state, event, timeOf(event)), loaded.state)
      return { state, revision }
    } catch (err) {
      if (!(err instanceof WrongExpectedRevision) || conflicts >= maxConflicts) throw err
    }
  }
}

/** Throws DomainError SERVICE_UNAVAILABLE. The client gets it only if the clocks of the servers differ. */
export function refuseAfterDeadline(metadata: CommandMetadata, nowMs: number): void {
  if (!isPastDeadline(metadata, nowMs)) return
  throw new DomainError('SERVICE_UNAVAILABLE', `The command arrived after its deadline, ${metadata.deadline}; retry`)
}

/** The metadata of a command that no request has caused. */
export function operatorMetadata(): CommandMetadata {
  return { id: randomUUID(), time: new Date().toISOString(), correlation_id: newId('req') }
}

export interface EventCause {
  command: { metadata: CommandMetadata }
  attempt: string | undefined
  /** Whether the event has the API key of the command in its metadata. */
  recordKey?: boolean
  stream: string
  /** RFC 3339. */
  time: string
}

/** The event for an append. Its id derives from its cause, so that a repeated append writes it once. */
export function newEvent(event: AnyEvent, { command, attempt, recordKey = false, stream, time }: EventCause): NewEvent {
  const { id, correlation_id, traceparent, api_key_id } = command.metadata
  return {
    id: derivedUuid(id, ...(attempt === undefined ? [] : [attempt]), stream, event.type),
    type: event.type,
    data: event.data as Json,
    metadata: {
      ...{ time, correlation_id, causation_id: id },
      ...(traceparent !== undefined && { traceparent }),
      ...(recordKey && api_key_id !== undefined && { api_key_id }),
    },
  }
}
