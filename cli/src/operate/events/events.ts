import { type EventStore, InvalidPosition, type Position, type StoredEvent } from '@platen/event-store/event-store.ts'
import { publisherOf } from '@platen/service-kit/host/deployment.ts'
import { type Command, countOption, jsonOption, onlyArgument, parseOptions, UsageError } from '../../frame/command.ts'
import { history } from '../../frame/history.ts'
import { eventFilter, filterDetails, filterOptions, filterSynopsis } from './event-filter.ts'
import { eventLine, type Format, formats } from './print-event.ts'

const formatOption = { format: { type: 'string' }, ...jsonOption } as const
const formatDetail =
  '--format       json (default, also --json), cloudevents (with the data of the log) or table; an event is a line, with its id and position'

export const stream: Command = {
  synopsis: '<stream> [--format json|cloudevents|table] [--json]',
  summary: 'print the events of a stream: template-tpl_…, generation-pdf_…, delivery-msg_…',
  details: [formatDetail],
  async run({ openStore, env, args, print, signal }) {
    const { values, positionals } = parseOptions(args, formatOption)
    const name = onlyArgument(positionals, 'stream')
    const line = eventLine[readFormat(values)]
    const store = await openStore()
    const { deployment } = await publisherOf(store, env)
    let found = 0
    for await (const event of store.readStream(name, { signal })) {
      print(line(event, deployment))
      found += 1
    }
    if (found === 0 && !signal.aborted) throw new Error(`there is no stream ${name}`)
  },
}

export const events: Command = {
  synopsis: `${filterSynopsis} [--from POSITION] [--limit N] [--follow] [--format json|cloudevents|table] [--json]`,
  summary: 'print all events of the log, oldest first, or those that the options select',
  details: [
    ...filterDetails,
    '--from         after the event with this position, as it was printed',
    '--limit        the first N of them',
    '--follow       wait for new events, until Ctrl-C',
    formatDetail,
  ],
  async run({ openStore, env, args, print, signal }) {
    const { values, positionals } = parseOptions(args, {
      ...filterOptions,
      ...formatOption,
      from: { type: 'string' },
      limit: { type: 'string' },
      follow: { type: 'boolean', default: false },
    })
    if (positionals.length > 0)
      throw new UsageError(`unexpected argument "${positionals[0]}"; the events of one stream: stream <stream>`)
    const filter = eventFilter(values)
    const limit = countOption('--limit', values.limit) ?? Number.POSITIVE_INFINITY
    const line = eventLine[readFormat(values)]
    const store = await openStore()
    const { deployment } = await publisherOf(store, env)
    let printed = 0
    for await (const event of readFrom(store, { ...filter, from: values.from, follow: values.follow, signal })) {
      if (!filter.matches(event)) continue
      print(line(event, deployment))
      printed += 1
      if (printed >= limit) return
    }
  },
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
    yield* history(store, { ...(categories && { categories }), after: from as Position, follow, signal })
  } catch (err) {
    if (!(err instanceof InvalidPosition)) throw err
    throw new Error(`--from must be a position that was printed from this event store: ${err.message}`, { cause: err })
  }
}

function readFormat({ format: text = 'json', json }: { format?: string | undefined; json: boolean }): Format {
  if (json && text !== 'json') throw new UsageError(`--json and --format ${text} exclude each other`)
  const format = formats.find((name) => name === text)
  if (format === undefined) throw new UsageError(`--format must be ${formats.join(', ')}`)
  return format
}
