import { randomBytes } from 'node:crypto'
import { buckets } from '@platen/domain/streams/buckets.ts'
import type { Position } from '@platen/event-store/event-store.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import { publisherOf } from '@platen/service-kit/host/deployment.ts'
import { type CommandContext, defineCommand } from '../../frame/command.ts'
import { count, UsageError } from '../../frame/options.ts'
import { eventFilter, type FilterValues, filterOptions } from '../events/event-filter.ts'
import { isPublishedType, isSelected, publishEvents, publishedCategories } from './publish-events.ts'
import { checkTarget, eventsTarget, openTarget, type Target } from './target.ts'

const saveEveryMs = 500

export const replay = defineCommand({
  name: 'replay',
  summary:
    'publish events of the log again: to a subject of your choice, for a subscriber that needs older ones, or on EVENTS',
  options: {
    ...filterOptions,
    to: {
      value: 'SUBJECT',
      about: 'a subject that a stream stores; with .> at its end each event has its own subject below it',
    },
    stream: { value: 'NAME', about: 'store it in this stream, which is created if it is missing' },
    'to-events': { about: 'publish on EVENTS, with their own subjects, after it has lost events; needs --since' },
    rate: count('at most N events in a second'),
    'dry-run': { about: 'counts the events and publishes nothing' },
    resume: { value: 'ID', about: 'continues a replay that was stopped; without other options' },
  },
  notes: [
    'Without --to, --stream and --to-events: to the stream REPLAY, replay.<id>.>, which subscribers may read. The services do not.',
    'On EVENTS all subscribers get the events again, and the notifier sends the webhooks of those that it has not seen.',
    'Each message has the header Platen-Replay with the id of the replay, and the body that it had on EVENTS.',
  ],
  async run(context, { argument: _, json, ...values }) {
    const { to, stream, rate, resume, 'to-events': toEvents, 'dry-run': isDry, ...filter } = values
    if (resume !== undefined) {
      const [other] = Object.entries({ ...values, resume: false }).find(([, value]) => value) ?? []
      if (other !== undefined) throw new UsageError(`--resume goes on as the replay began; remove --${other}`)
      return goOn(context, resume, json)
    }
    if (toEvents && (to ?? stream) !== undefined) throw new UsageError('--to-events excludes --to and --stream')
    if (toEvents && filter.since === undefined) throw new UsageError('--to-events needs --since')
    checkTarget({ subject: to, stream })
    checkFilter(filter)
    if (isDry) return countEvents(context, filter, json)
    const store = await context.openStore()
    const bus = await context.openBus()
    const id = `rpl_${randomBytes(8).toString('hex')}`
    const target = toEvents ? eventsTarget : await openTarget(bus, { id, subject: to, stream })
    const saved: SavedReplay = { filter, target, rate, position: 'start', count: 0 }
    return publish(context, { store, bus, id, saved, json })
  },
})

async function goOn(context: CommandContext, id: string, json: boolean): Promise<number> {
  const store = await context.openStore()
  const bus = await context.openBus()
  const saved = await (await openReplays(bus)).load(id)
  if (!saved) throw new Error(`there is no replay ${id} to go on with; it is complete or was never started`)
  return publish(context, { store, bus, id, saved, json })
}

interface Run {
  store: Awaited<ReturnType<CommandContext['openStore']>>
  bus: Awaited<ReturnType<CommandContext['openBus']>>
  id: string
  saved: SavedReplay
  json: boolean
}

async function publish({ env, print, note, progress, signal }: CommandContext, run: Run): Promise<number> {
  const { store, bus, id, saved, json } = run
  const { filter, target, rate } = saved
  const { categories = publishedCategories, matches } = eventFilter(filter)
  const replays = await openReplays(bus)
  await replays.save(id, saved)
  note(`replay ${id} to ${target.subject} in the stream ${target.stream}`)
  let current = saved
  let savedAt = performance.now()
  using bar = progress(`replay ${id}`)
  const publishing = {
    store,
    publisher: await publisherOf(store, env),
    bus,
    id,
    target,
    categories,
    matches,
    rate,
    signal,
  }
  try {
    for await (const { position, count } of publishEvents({ ...publishing, after: saved.position })) {
      current = { ...saved, position, count: saved.count + count }
      bar.at(current.count)
      if (performance.now() - savedAt < saveEveryMs) continue
      await replays.save(id, current)
      savedAt = performance.now()
    }
  } catch (err) {
    await replays.save(id, current).catch(() => {})
    note(`stopped after ${current.count} events; go on with: replay --resume ${id}`)
    throw err
  }
  const { stream, subject } = target
  const result = { id, stream, subject, events: current.count, complete: !signal.aborted }
  if (signal.aborted) await replays.save(id, current)
  else await replays.remove(id)
  if (json) print(JSON.stringify(result))
  else if (signal.aborted) print(`stopped after ${current.count} events; go on with: replay --resume ${id}`)
  else print(`${current.count} events published to ${subject} in the stream ${stream}, replay ${id}`)
  return signal.aborted ? 1 : 0
}

/** Refuses categories and types that subscribers never get. */
function checkFilter({ category = [], type = [], ...times }: FilterValues): void {
  eventFilter({ category, type, ...times })
  const wrong =
    category.find((name) => !publishedCategories.includes(name)) ?? type.find((name) => !isPublishedType(name))
  if (wrong !== undefined) throw new UsageError(`events of ${wrong} are internal and are not published`)
}

/** The state from which a replay is resumed. Kept in the bucket CHECKPOINTS until the replay is complete. */
interface SavedReplay {
  filter: FilterValues
  target: Target
  rate: number | undefined
  position: Position | 'start'
  count: number
}

const keyOf = (id: string) => `replay.${id}`

interface ReplayStore {
  load(id: string): Promise<SavedReplay | undefined>
  save(id: string, replay: SavedReplay): Promise<void>
  remove(id: string): Promise<void>
}

async function openReplays(bus: Bus): Promise<ReplayStore> {
  const bucket = await openBucket(bus, buckets.checkpoints)
  return {
    async load(id) {
      const entry = await bucket.get(keyOf(id))
      return entry?.operation === 'PUT' ? entry.json<SavedReplay>() : undefined
    },
    save: async (id, replay) => void (await bucket.put(keyOf(id), JSON.stringify(replay))),
    remove: (id) => bucket.delete(keyOf(id)),
  }
}

/** Prints how many events of each type a replay would publish. */
async function countEvents(
  { openStore, print, progress, signal }: CommandContext,
  filter: FilterValues,
  json: boolean,
) {
  const { categories = publishedCategories, matches } = eventFilter(filter)
  const types = new Map<string, number>()
  let total = 0
  using bar = progress('counting')
  const store = await openStore()
  for await (const event of store.readLog({ after: 'start', categories, signal })) {
    if (!isSelected({ matches }, event)) continue
    types.set(event.type, (types.get(event.type) ?? 0) + 1)
    bar.at(++total)
  }
  if (json) return print(JSON.stringify({ events: total, types: Object.fromEntries(types), dry_run: true }))
  for (const [type, number] of types) print(`${type}  ${number}`)
  print(`${total} events would be published`)
}
