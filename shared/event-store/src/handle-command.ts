import { randomUUID } from 'node:crypto'
import { type CommandMetadata, type Envelope, isPastDeadline } from '@platen/foundation/command.ts'
import { DomainError } from '@platen/foundation/errors/errors.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { derivedUuid, newId } from '@platen/foundation/runtime/ids.ts'
import type { Decider, Unreadable } from './decider.ts'
import { movedToArchive, tombstone } from './event-catalogue.ts'
import { type EventStore, type NewEvent, type StoredEvent, WrongExpectedRevision } from './event-store.ts'
import { eventTime, placeOf } from './event-time.ts'
import { readBack } from './read-back.ts'
import { snapshotEvery, stateIn, withSnapshot } from './snapshot.ts'

type AnyEvent = { type: string; data: unknown }

export interface Loaded<State> {
  state: State
  /** The revision of the stream's last event; `none` if the stream does not exist. */
  revision: number | 'none'
  /** The ids of the events that were read. */
  events: ReadonlySet<string>
  /** The result of the events of `commandId`, whatever came after them; undefined if it has recorded none. */
  executed: Handled<State> | undefined
}

export type Fold<State, Event> = Pick<Decider<State, never, Event>, 'initialState' | 'evolve' | 'isWhole' | 'foldId'>

export interface LoadOptions {
  /** Folds this many events of the stream. */
  version?: number
  /** A command whose events are searched in everything recorded since it was sent. */
  command?: { metadata: CommandMetadata }
  /** See `Handling`. */
  now?: (() => number) | undefined
}

/** Folds a stream, if it can from its last whole event or recorded state on. */
export async function load<State, Event extends AnyEvent>(
  store: Pick<EventStore, 'readStream'>,
  fold: Fold<State, Event>,
  stream: string,
  options: LoadOptions = {},
): Promise<Loaded<State>> {
  const { initialState, isWhole, foldId } = fold
  if (isWhole || foldId) return loadBack(store, fold, stream, options)
  const { version, command } = options
  let state = initialState
  let revision: number | 'none' = 'none'
  let executed: Handled<State> | undefined
  const events = new Set<string>()
  for await (const event of store.readStream(stream, version === undefined ? {} : { limit: version })) {
    state = evolveStored(fold, state, event)
    revision = event.revision
    events.add(event.id)
    if (isOf(event, command)) executed = { state, revision }
  }
  return { state, revision, events, executed }
}

/** A deadline is 4.5 s after the command was sent, and the clocks of NATS and of the event store may differ by the rest. */
const clockSkewMs = 10_000

async function loadBack<State, Event extends AnyEvent>(
  store: Pick<EventStore, 'readStream'>,
  fold: Fold<State, Event>,
  stream: string,
  { version, command, now }: LoadOptions,
): Promise<Loaded<State>> {
  if (version === 0) return { state: fold.initialState, revision: 'none', events: new Set(), executed: undefined }
  const back = await backToWhole(store, fold, stream, version === undefined ? 'end' : version - 1)
  const { newestFirst } = back
  const events = new Set(newestFirst.map(({ id }) => id))
  const foundAt = newestFirst.findIndex((event) => isOf(event, command))
  const loaded = { ...foldBack(fold, back), events }
  if (foundAt >= 0) return { ...loaded, executed: foldBack(fold, { ...back, newestFirst: newestFirst.slice(foundAt) }) }
  const oldest = newestFirst.at(-1)
  const from = command && oldest && (await findBefore(store, oldest, { command, events, now }))
  if (from === undefined) return { ...loaded, executed: undefined }
  return { ...loaded, executed: foldBack(fold, await backToWhole(store, fold, stream, from)) }
}

/** The events that a state was folded from, and that state: they begin with the last one after which the whole state is known. */
export async function loadEvents<State, Event extends AnyEvent>(
  store: Pick<EventStore, 'readStream'>,
  fold: Fold<State, Event>,
  stream: string,
): Promise<{ newestFirst: readonly StoredEvent[]; state: State }> {
  const back = await backToWhole(store, fold, stream, 'end')
  return { newestFirst: back.newestFirst, state: foldBack(fold, back).state }
}

interface Back<State> {
  newestFirst: readonly StoredEvent[]
  /** The state after the oldest of them. */
  state: State
}

function foldBack<State, Event extends AnyEvent>(
  fold: Fold<State, Event>,
  { newestFirst, state }: Back<State>,
): Handled<State> {
  const next = (before: State, event: StoredEvent) => evolveStored(fold, before, event)
  return { state: newestFirst.slice(0, -1).reduceRight(next, state), revision: newestFirst[0]?.revision ?? 'none' }
}

/** The events from a revision or the end back to the last one after which the whole state is known. */
async function backToWhole<State, Event extends AnyEvent>(
  store: Pick<EventStore, 'readStream'>,
  fold: Fold<State, Event>,
  stream: string,
  from: number | 'end',
): Promise<Back<State>> {
  const newestFirst: StoredEvent[] = []
  const firstEvents = fold.foldId ? snapshotEvery : 1
  for await (const event of readBack(store, stream, { from, firstEvents })) {
    newestFirst.push(event)
    const state = wholeState(fold, event)
    if (state !== undefined) return { newestFirst, state }
  }
  const first = newestFirst.at(-1)
  return { newestFirst, state: first ? evolveStored(fold, fold.initialState, first) : fold.initialState }
}

function wholeState<State, Event extends AnyEvent>(fold: Fold<State, Event>, event: StoredEvent): State | undefined {
  if (fold.isWhole?.(domainEvent<Event>(event))) return evolveStored(fold, fold.initialState, event)
  return fold.foldId && stateIn<State>(event, fold.foldId())
}

/** The state after these events of a stream, which begin with its first. */
export function foldOf<State, Event extends AnyEvent>(fold: Fold<State, Event>, events: readonly StoredEvent[]): State {
  return events.reduce((state, event) => evolveStored(fold, state, event), fold.initialState)
}

function evolveStored<State, Event extends AnyEvent>({ evolve }: Fold<State, Event>, state: State, event: StoredEvent) {
  return evolve(state, domainEvent<Event>(event), placeOf(event))
}

/** Events that are read between two checks of the deadline: after it, nobody waits for the answer. */
const maxEventsAfterDeadline = 1_000

/**
 * The revision of the last event of the command before another event, among all events since the command was sent. Adds
 * the ids that it reads to `events`. It reads no data, as others may have recorded many events.
 */
async function findBefore(
  store: Pick<EventStore, 'readStream'>,
  oldest: StoredEvent,
  { command, events, now }: Pick<LoadOptions, 'now'> & Required<Pick<LoadOptions, 'command'>> & { events: Set<string> },
): Promise<number | undefined> {
  const { time, deadline = time } = command.metadata
  const sentMs = Date.parse(time)
  // A deadline has the time of NATS: the clock of who has sent the command first is ahead, and nobody knows by how much.
  const sinceMs = sentMs > Date.parse(deadline) ? Number.NEGATIVE_INFINITY : sentMs - clockSkewMs
  if (oldest.revision === 0 || latestTimeOf(oldest) < sinceMs) return undefined
  for await (const event of readBack(store, oldest.stream, { from: oldest.revision - 1, withoutData: true })) {
    events.add(event.id)
    if (now && events.size % maxEventsAfterDeadline === 0) refuseAfterDeadline(command.metadata, now())
    if (isOf(event, command)) return event.revision
    if (latestTimeOf(event) < sinceMs) return undefined
  }
  return undefined
}

/**
 * In ms since the epoch: that of the clock of the event store, which may be behind, or that of who has sent the command, which may
 * have been long ago.
 */
const latestTimeOf = (event: StoredEvent) => Math.max(event.recordedAt.getTime(), Date.parse(eventTime(event)))

function isOf({ metadata }: StoredEvent, command: LoadOptions['command']): boolean {
  return command !== undefined && metadata.causation_id === command.metadata.id
}

/** The event as a decider writes it. Only deciders append, and the catalogue was asked, so the types hold without a check. */
export function domainEvent<Event extends AnyEvent>({ type, data }: StoredEvent): Event | Unreadable {
  if (type === tombstone || type === movedToArchive) return { type: '$unreadable', data: null }
  return { type, data } as Event | Unreadable
}

export interface Handling<State, Command, Event> {
  store: EventStore
  decider: Decider<State, Command, Event>
  stream: string
  command: Envelope<Command>
  /**
   * Set it if the decider cannot distinguish a redelivered command from a new one, such as a second delete. If the
   * stream has events of the command, it is not decided again, and the answer is made from them.
   */
  once?: boolean
  /**
   * Set it if two processes may decide the same command differently, so that an append of one is never taken for a
   * retry of the other's. Retries of one attempt have the same value.
   */
  attempt?: string | undefined
  /** Set it if the stream is not known to exist: it is read only if the append finds that it does. */
  isNew?: boolean | undefined
  /** Set it if the event does not say otherwise which API key the command was sent with. */
  recordKey?: boolean
  /** Set it to refuse the command after its deadline: the clock that the deadline is of, in ms since the epoch. */
  now?: () => number
  /** Called before each append, when the stream was read. If it rejects, nothing is appended. */
  beforeAppend?: (() => Promise<void>) | undefined
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
  isNew = false,
  recordKey = false,
  now,
  beforeAppend,
  timeOf = () => command.metadata.time,
}: Handling<State, Command, Event>): Promise<Handled<State>> {
  for (let conflicts = 0; ; conflicts++) {
    const loaded =
      isNew && conflicts === 0 ? nothing(decider) : await load(store, decider, stream, once ? { command, now } : {})
    if (loaded.executed) return loaded.executed
    // Checked before each append: the conflict may be with a change that was acknowledged after this command had
    // failed.
    if (now) refuseAfterDeadline(command.metadata, now())
    const events = decider.decide(command, loaded.state)
    const [first, ...rest] = events.map((event) =>
      newEvent(event, { command, attempt, recordKey, stream, time: timeOf(event) }),
    )
    // The first append has succeeded although its answer was lost, and its events have changed the decision.
    if (!first || (attempt !== undefined && loaded.events.has(first.id))) return loaded
    await beforeAppend?.()
    const before = loaded.revision === 'none' ? -1 : loaded.revision
    const evolve = (state: State, event: Event, index: number) =>
      decider.evolve(state, event, { revision: before + 1 + index, time: timeOf(event) })
    const state = events.reduce(evolve, loaded.state)
    const { foldId } = decider
    const isSnapshotDue = foldId && loaded.events.size + events.length >= snapshotEvery
    const plain: [NewEvent, ...NewEvent[]] = [first, ...rest]
    const recorded = isSnapshotDue
      ? withSnapshot(plain, { fold: foldId(), stream, revision: before + events.length, state })
      : plain
    try {
      const { revision } = await store.append(stream, recorded, loaded.revision)
      return { state, revision }
    } catch (err) {
      if (!(err instanceof WrongExpectedRevision) || conflicts >= maxConflicts) throw err
    }
  }
}

function nothing<State>({ initialState }: Pick<Decider<State, never, never>, 'initialState'>): Loaded<State> {
  return { state: initialState, revision: 'none', events: new Set(), executed: undefined }
}

/** Throws DomainError SERVICE_UNAVAILABLE. The client has had an error before, unless the clock has jumped. */
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
      time,
      correlation_id,
      causation_id: id,
      ...defined({ traceparent }),
      ...(recordKey && api_key_id !== undefined && { api_key_id }),
    },
  }
}
