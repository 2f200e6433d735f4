import { eventCatalogue } from '@platen/domain/catalogue/event-catalogue.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { withCatalogue } from '@platen/event-store/with-catalogue.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { publishEvents, publishedCategories } from '../../cli/src/operate/replay/publish-events.ts'
import { buildViews } from '../../cli/src/operate/views/build-views.ts'
import { openViews, viewCategories } from '../../services/gateway/src/views/open-views.ts'

export interface Measured {
  events: number
  seconds: number
  /** Processor time of this process; that of nats-server or of EventStoreDB is not part of it. */
  cpuSeconds: number
  /** Resident memory of this process in MB: at the start, and the most in each quarter of the run. */
  memory: number[]
}

const log = createLogger('bench', 'silent')

/** Reads the log in order, as `platen events` does. */
export function measureRead(store: EventStore, expected: number): Promise<Measured> {
  return measured(expected, async (at) => {
    let events = 0
    const readable = withCatalogue(store, { catalogue: eventCatalogue, log })
    for await (const _ of readable.readLog({ after: 'start', categories: [...viewCategories] })) at(++events)
    return events
  })
}

/** Builds the views of a gateway, as its start without views and `platen views rebuild` do. */
export function measureRebuild(store: EventStore, expected: number, path: string): Promise<Measured> {
  return measured(expected, async (at) => {
    using views = openViews(path)
    return await buildViews({ store, views, onProgress: at, signal: new AbortController().signal })
  })
}

/** Publishes the log to a JetStream stream, as `platen replay` does. */
export function measurePublish(store: EventStore, expected: number, natsUrl: string): Promise<Measured> {
  return measured(expected, async (at) => {
    await using bus = await openBus({ url: natsUrl }, 'bench', log)
    const stream = `BENCH_${Date.now()}`
    await bus.jsm.streams.add({ name: stream, subjects: [`bench.${stream}.>`] })
    let events = 0
    const publication = {
      store: withCatalogue(store, { catalogue: eventCatalogue, log }),
      publisher: { deployment: 'bench', schemas: 'http://127.0.0.1:3000/schemas' },
      bus,
      id: 'rpl_bench',
      target: { stream, subject: `bench.${stream}.>` },
      categories: publishedCategories,
      matches: () => true,
      after: 'start' as const,
      rate: undefined,
      signal: new AbortController().signal,
    }
    for await (const { count } of publishEvents(publication)) {
      events = count
      at(count)
    }
    await bus.jsm.streams.delete(stream)
    return events
  })
}

/** `run` calls `at` with its progress and returns the number of events. */
async function measured(expected: number, run: (at: (events: number) => void) => Promise<number>): Promise<Measured> {
  globalThis.gc?.()
  const memory = [residentMb(), 0, 0, 0, 0]
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  let sampled = -1
  const events = await run((count) => {
    // Reading the memory takes longer than an event.
    const sample = Math.floor(count / 1_000)
    if (sample === sampled) return
    sampled = sample
    const quarter = Math.min(4, 1 + Math.floor((4 * count) / expected))
    memory[quarter] = Math.max(memory[quarter] ?? 0, residentMb())
  })
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - startedAt) / 1_000
  return { events, seconds, cpuSeconds: (user + system) / 1e6, memory }
}

function residentMb(): number {
  return Math.round(process.memoryUsage.rss() / 1e6)
}
