import { publishedEventOf, publishedEvents, relays } from '@platen/domain/catalogue/events.ts'
import { eventSubject } from '@platen/domain/catalogue/messages.ts'
import type { RelayName } from '@platen/domain/events/define-event.ts'
import type { EventStore, Position, StoredEvent } from '@platen/event-store/event-store.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { setChecksum } from '@platen/messaging/envelopes/checksum.ts'
import { type EventMessage, type Publisher, toMessage } from '@platen/service-kit/relay/cloud-event.ts'
import { openingEvents } from '@platen/service-kit/relay/opening-events.ts'
import { lastMessage, positionHeader, replayHeader, resumeHeader } from '@platen/service-kit/relay/resume-point.ts'
import type { Target } from './target.ts'
import { eventsTarget } from './target.ts'

/** The categories whose events are published. */
export const publishedCategories: readonly string[] = Object.values(relays).flat()

export const isPublishedType = (type: string) => Object.hasOwn(publishedEvents, type)

export interface Publication {
  store: Pick<EventStore, 'readLog' | 'readStream'>
  publisher: Pick<Publisher, 'deployment' | 'schemas'>
  bus: Bus
  id: string
  /** A target that ends with `.>` gets the subject of the event on EVENTS, without `events.`, appended. */
  target: Target
  categories: readonly string[]
  matches: (event: StoredEvent) => boolean
  after: Position | 'start'
  /** Events in a second. Undefined: as fast as NATS stores them. */
  rate: number | undefined
  signal: AbortSignal
}

export interface Reached {
  /** Every selected event up to this one is stored. */
  position: Position
  /** Events published in this run. */
  count: number
}

interface Prepared {
  event: StoredEvent
  message: EventMessage
  /** The positions from which relays resume if this is their last message in the stream. */
  resumeAt: Readonly<Record<string, string>>
}

const maxUnconfirmed = 256
const batchesPerSecond = 4

/** Publishes the selected events in the order of the log. Yields after each batch that JetStream has stored. */
export async function* publishEvents(publication: Publication): AsyncGenerator<Reached> {
  const { store, categories, after, rate, signal } = publication
  const batchSize = rate === undefined ? maxUnconfirmed : Math.min(maxUnconfirmed, Math.ceil(rate / batchesPerSecond))
  const startedAt = performance.now()
  let count = 0
  let batch: Prepared[] = []
  const openingOf = openingEvents(store)
  const resumeAt = await resumePoints(publication)
  for await (const event of store.readLog({ after, categories })) {
    if (signal.aborted) return
    if (!isSelected(publication, event)) continue
    const message = await toMessage({ ...publication.publisher, openingOf }, event)
    if (message === undefined) continue
    const relay = publishedEventOf(event.type)?.aggregate.relay
    const resume = relay && resumeAt?.[relay]
    batch.push({ event, message, resumeAt: resume ?? { [positionHeader]: event.position } })
    if (batch.length < batchSize) continue
    await publishBatch(publication, batch)
    count += batch.length
    yield { position: event.position, count }
    batch = []
    if (rate !== undefined) await sleep(Math.max(0, startedAt + (count / rate) * 1_000 - performance.now()), signal)
  }
  const last = batch.at(-1)
  if (last === undefined || signal.aborted) return
  await publishBatch(publication, batch)
  yield { position: last.event.position, count: count + batch.length }
}

export function isSelected({ matches }: Pick<Publication, 'matches'>, event: StoredEvent): boolean {
  return matches(event) && eventSubject(event.type, aggregateIdOf(event.stream)) !== undefined
}

/** The client sends in the order of the calls, so that JetStream stores the events in that order. */
async function publishBatch(publication: Publication, batch: readonly Prepared[]): Promise<void> {
  await Promise.all(batch.map((prepared) => publishOne(publication, prepared)))
}

async function publishOne({ bus, id, target }: Publication, { event, message, resumeAt }: Prepared): Promise<void> {
  const { payload, headers } = message
  headers.set(replayHeader, id)
  setChecksum(headers, payload)
  for (const [name, value] of Object.entries(resumeAt)) headers.set(name, value)
  // A message that is sent again after a crash is dropped by its id.
  const msgID = `${event.id}:${id}`
  await bus.js.publish(subjectOf(target.subject, event), payload, { msgID, headers })
}

/** On EVENTS a relay resumes after its last message there, and replayed ones do not move that. */
async function resumePoints({ bus, target }: Publication) {
  if (target.stream !== eventsTarget.stream) return undefined
  const points: Record<string, Record<string, string>> = {}
  for (const service of Object.keys(relays) as RelayName[]) {
    const last = await lastMessage(bus, service)
    const known = [positionHeader, resumeHeader].map((name) => [name, last?.header.get(name)])
    points[service] = Object.fromEntries(known.filter(([, value]) => value))
  }
  return points
}

function subjectOf(target: string, { type, stream }: StoredEvent): string {
  if (!target.endsWith('.>')) return target
  const own = eventSubject(type, aggregateIdOf(stream)) ?? ''
  return `${target.slice(0, -1)}${own.slice('events.'.length)}`
}
