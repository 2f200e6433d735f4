import { DatabaseSync } from 'node:sqlite'
import type { CancelGeneration } from '@platen/domain/generation/generation.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { aggregateIdOf, categoryOf } from '@platen/event-store/stream-name.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { BatchRun, type RunBatchOptions } from '../../../services/gateway/src/batches/run-batch.ts'
import { Window } from '../../../services/gateway/src/batches/window.ts'
import { Congestion } from '../../../services/gateway/src/generations/congestion.ts'
import { generationFinder } from '../../../services/gateway/src/generations/find-generation.ts'
import { GenerationQueue } from '../../../services/gateway/src/generations/generation-queue.ts'
import { QueuedByKey } from '../../../services/gateway/src/generations/queued-by-key.ts'
import { queuedGenerations } from '../../../services/gateway/src/generations/queued-generations.ts'
import { type BatchView, batchView } from '../../../services/gateway/src/views/batch-view.ts'
import { type GenerationView, generationView } from '../../../services/gateway/src/views/generation-view.ts'
import { viewSchema } from '../../../services/gateway/src/views/open-views.ts'
import { ViewUpdates } from '../../../services/gateway/src/views/view-updates.ts'
import type { MemoryStore } from './memory-store.ts'
import { quietLog } from './quiet-log.ts'
import { type Action, must, type World } from './world.ts'

const maxQueued = 100
const retryMs = 1_000

export interface BatchViews {
  batches: BatchView
  generations: GenerationView
}

interface RunnerOptions {
  id: string
  ownerId: string
  bus: Bus
  store: MemoryStore
  objects: Pick<ObjectStore, 'get' | 'put' | 'delete'>
  /** What the renderers do with the command to cancel an item. */
  cancel: (command: Envelope<CancelGeneration>) => Promise<unknown>
  wrapViews: (views: BatchViews) => BatchViews
}

/** A gateway that has the lease and runs a batch. Its views show what was recorded when it is told to. */
export function batchRunner(world: World, options: RunnerOptions) {
  const { id, ownerId, bus, store, objects, cancel, wrapViews } = options
  const process = world.current()
  const db = new DatabaseSync(':memory:')
  db.exec(viewSchema.tables)
  const views = { batches: batchView(db), generations: generationView(db) }
  const { batches, generations } = wrapViews(views)
  const updates = new ViewUpdates()
  let shown = 0
  let waiting: { end: number; resolve: () => void }[] = []
  const show = () => {
    const events = store.log.slice(shown)
    views.generations.apply(events.filter(({ stream }) => categoryOf(stream) === 'generation'))
    for (const event of events) if (categoryOf(event.stream) === 'batch') views.batches.apply(event)
    shown = store.log.length
    updates.notify(events.map(({ stream }) => aggregateIdOf(stream)))
    const ready = waiting.filter(({ end }) => end <= shown)
    waiting = waiting.filter(({ end }) => end > shown)
    for (const { resolve } of ready) resolve()
  }
  const untilCaughtUp = async () => {
    const end = await world.step('read the end of the log', () => {
      world.reads('log')
      return store.log.length
    })
    if (shown < end) await new Promise<void>((resolve) => waiting.push({ end, resolve }))
  }
  const queue = queuedGenerations(bus)
  const finder = generationFinder({ view: generations, queue, store: store as EventStore })
  const queuePlaces = { free: async () => maxQueued, take: (_: string, __: unknown, send: () => unknown) => send() }
  const common = { bus, objects, finder, queuePlaces, log: quietLog }
  const config = { retainInputDays: 0, retainInputMaxDays: 30 }
  const queueOptions = {
    ...common,
    config,
    keptInputs: {},
    congestion: new Congestion(),
    queuedByKey: new QueuedByKey(),
  }
  const runOptions = {
    ...common,
    store,
    batches,
    generations,
    queue,
    maxQueued,
    untilCaughtUp,
    generationQueue: new GenerationQueue(queueOptions as never),
    client: { execute: ({ command }: { command: Envelope<CancelGeneration> }) => cancel(command) },
  } as unknown as RunBatchOptions
  return {
    catchUp(): Action[] {
      if (shown >= store.log.length || process.status !== 'running') return []
      const run = () => {
        world.reads('log')
        world.tell(process, `the views show ${store.log.length} events`, show)
      }
      return [{ label: `${process.name}: its views show all events`, run }]
    },
    /** As `run-batches.ts` does. */
    async run(): Promise<void> {
      await untilCaughtUp()
      const { signal } = new AbortController()
      const window = new Window(() => 1, maxQueued)
      let run: BatchRun | undefined
      updates.onNotify((ids) => {
        if (ids.has(id)) run?.wake()
        for (const one of ids) run?.changed(one)
      })
      while (!('ended' in batches.state(id))) {
        run = new BatchRun(runOptions, id, ownerId, window, signal)
        try {
          await run.run()
        } catch (err) {
          const mayGoOn = err instanceof DependencyUnavailable || err instanceof ObjectNotFound
          must(mayGoOn, `the run fails: ${err}`)
          await run.pause(retryMs)
        }
        await untilCaughtUp()
      }
    },
  }
}
