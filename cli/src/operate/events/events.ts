import { publishedEventOf } from '@platen/domain/catalogue/events.ts'
import { type EventStore, InvalidPosition, type Position, type StoredEvent } from '@platen/event-store/event-store.ts'
import { history } from '@platen/event-store/history.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { publisherOf } from '@platen/service-kit/host/deployment.ts'
import { recordedCloudEvent } from '@platen/service-kit/relay/cloud-event.ts'
import { withoutTokens } from '@platen/service-kit/trace/without-tokens.ts'
import { defineCommand, one } from '../../frame/command.ts'
import { count, isWithin, last, newest, range, UsageError } from '../../frame/options.ts'
import { tokens } from '../../frame/webhook-tokens.ts'
import { eventFilter, filterOptions } from './event-filter.ts'

const formats = ['json', 'cloudevents', 'table'] as const
type Format = (typeof formats)[number]

/** One line for an event of the log of this deployment. */
const eventLine: Record<Format, (event: StoredEvent, deployment: string) => string> = {
  json: ({ stream, revision, position, id, type, recordedAt, data, metadata }) =>
    stringifyExact({ stream, revision, position, id, type, recorded_at: recordedAt, data, metadata }),
  cloudevents: (event, deployment) => {
    const cloudEvent = recordedCloudEvent(`${deployment}/${serviceOf(event)}`, event)
    return stringifyExact({ ...cloudEvent, position: event.position })
  },
  table: ({ stream, revision, position, id, type, recordedAt }) =>
    [
      recordedAt.toISOString(),
      type.padEnd(21),
      aggregateIdOf(stream).padEnd(30),
      String(revision).padStart(3),
      id,
      position,
    ].join('  '),
}

/** The service that publishes the event. The gateway records those that are not published. */
const serviceOf = ({ type }: StoredEvent): string => publishedEventOf(type)?.aggregate.relay ?? 'gateway'

const format = {
  value: 'FORMAT',
  about: 'json, cloudevents (with the data of the log) or table; an event is a line, with its id and position',
  read: readFormat,
  default: 'json',
} as const

export const stream = defineCommand({
  name: 'stream',
  argument: one('stream'),
  summary: 'print the events of a stream: template-tpl_…, generation-pdf_…, delivery-msg_…',
  options: { ...range('recorded'), format, ...tokens },
  async run({ openLog, env, print, signal }, { argument: name, ...values }) {
    const line = lineOf(values)
    const store = await openLog()
    const { deployment } = await publisherOf(store, env)
    const kept = newestOf(values.last)
    let isThere = false
    for await (const event of store.readStream(name, { signal })) {
      isThere = true
      if (!isWithin(values, event.recordedAt.toISOString())) continue
      if (values.last === undefined) print(line(event, deployment))
      else kept.push(event)
    }
    if (!isThere && !signal.aborted) throw new Error(`there is no stream ${name}`)
    for (const event of kept.list()) print(line(event, deployment))
  },
})

export const events = defineCommand({
  name: 'events',
  summary: 'print all events of the log, oldest first, or those that the options select',
  options: {
    ...filterOptions,
    from: { value: 'POSITION', about: 'after the event with this position, as it was printed' },
    limit: count('the first N of them'),
    ...last,
    follow: { about: 'waits for new events, until Ctrl-C' },
    format,
    ...tokens,
  },
  notes: ['`stream` prints the events of one stream.'],
  async run({ openLog, env, print, signal }, { limit = Number.POSITIVE_INFINITY, ...values }) {
    const filter = eventFilter(values)
    const line = lineOf(values)
    const store = await openLog()
    const { deployment } = await publisherOf(store, env)
    if (values.last !== undefined && (values.follow || limit < Number.POSITIVE_INFINITY))
      throw new UsageError('--last excludes --limit and --follow')
    const kept = newestOf(values.last)
    let printed = 0
    for await (const event of readFrom(store, { ...filter, from: values.from, follow: values.follow, signal })) {
      if (!filter.matches(event)) continue
      if (values.last !== undefined) {
        kept.push(event)
        continue
      }
      print(line(event, deployment))
      printed += 1
      if (printed >= limit) return
    }
    for (const event of kept.list()) print(line(event, deployment))
  },
})

/** Keeps the newest of the events that it gets, without moving all of them for each one. */
function newestOf(count = 0) {
  const kept: StoredEvent[] = []
  return {
    push(event: StoredEvent) {
      kept.push(event)
      if (kept.length > 2 * count) kept.splice(0, count)
    },
    list: () => newest(kept, count),
  }
}

interface ReadFrom {
  categories: readonly string[] | undefined
  from: string | undefined
  follow: boolean
  signal: AbortSignal
}

async function* readFrom(
  store: EventStore,
  { categories, from = 'start', follow, signal }: ReadFrom,
): AsyncIterable<StoredEvent> {
  try {
    yield* history(store, { ...defined({ categories }), after: from as Position, follow, signal })
  } catch (err) {
    if (!(err instanceof InvalidPosition)) throw err
    throw new Error(`--from must be a position that was printed from this event store: ${err.message}`, { cause: err })
  }
}

function readFormat(text: string, option: string): Format {
  const known = formats.find((name) => name === text)
  if (known === undefined) throw new UsageError(`${option} must be ${formats.join(', ')}`)
  return known
}

function lineOf({ format: name, json, tokens }: { format: Format; json: boolean; tokens: boolean }) {
  if (json && name !== 'json') throw new UsageError(`--json and --format ${name} exclude each other`)
  if (tokens) return eventLine[name]
  return (event: StoredEvent, deployment: string) => eventLine[name](withoutTokens(event), deployment)
}
