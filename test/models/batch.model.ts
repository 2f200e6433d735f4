import { itemGenerationId } from '@platen/domain/batch/batch.ts'
import { type BatchEvent, batchStream, type RecordedBatch } from '@platen/domain/batch/batch-events.ts'
import { type BatchState, batchDecider } from '@platen/domain/batch/decide-batch.ts'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { generationDecider } from '@platen/domain/generation/decide-generation.ts'
import type { CancelGeneration, RenderPdf } from '@platen/domain/generation/generation.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { foldOf, handleCommand, operatorMetadata } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf, categoryOf } from '@platen/event-store/stream-name.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { derivedId, derivedUuid } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { ObjectNotFound } from '@platen/object-store/object-store.ts'
import { itemsOfEnded } from '@platen/service-kit/commands/erase-generation.ts'
import { renderAgain } from '@platen/service-kit/commands/render-again.ts'
import { ItemWriter } from '@platen/service-kit/inputs/stored-items.ts'
import { cancelGeneration } from '../../services/renderer/src/jobs/cancel-generation.ts'
import { GenerationRepository } from '../../services/renderer/src/jobs/generation-repository.ts'
import { parseRender } from '../../services/renderer/src/jobs/parse-render.ts'
import { renderHandlers } from '../../services/renderer/src/jobs/render-handlers.ts'
import { type BatchViews, batchRunner } from './world/batch-runner.ts'
import { MemoryBus, type StoredMessage } from './world/memory-bus.ts'
import { MemoryObjects } from './world/memory-objects.ts'
import { MemoryStore } from './world/memory-store.ts'
import { MessageQueue } from './world/message-queue.ts'
import { rendererOf } from './world/renderer.ts'
import type { Model } from './world/search.ts'
import { type Budgets, must } from './world/world.ts'

const ownerId = 'own_default'
/** Commands that are lost are looked up after a minute. */
const patienceMs = 100_000

interface BatchOptions {
  name: string
  budgets: Budgets
  total: number
  /** Gateways that run the batch at once, as one was suspended when it had the lease. */
  gateways?: number
  redeliveries?: number
  /** How long an item is printed. Default: its start and its end are recorded together. */
  printMs?: number
  /** The batch is cancelled at any moment. */
  isCancelled?: boolean
  /** The first item fails, and its dead letter is retried at any moment. */
  isRetried?: boolean
  /** An erasure of the first item is tried at any moment. */
  isErased?: boolean
  /** The stored items are gone at first, and come back. */
  isAway?: boolean
  wrap?: (bus: Bus) => Bus
  wrapViews?: (views: BatchViews) => BatchViews
  wrapStore?: (store: EventStore) => void
}

/** Gateways that run a batch, and renderers that end its items. */
export function batchModel(options: BatchOptions): Model {
  const { name, budgets, total, gateways = 1, redeliveries = 0, isCancelled, isRetried, isErased, isAway } = options
  const { printMs = 0, wrap = (bus: Bus) => bus, wrapViews = (views) => views } = options
  return {
    name,
    invariant:
      'A batch ends once, when each of its items has ended and no other one will begin, with their counts. An item is sent once by each ' +
      'run at most. What is cancelled begins no more items.',
    budgets,
    async begin(world) {
      const id = derivedId('bat', world.nowMs, 'batch')
      const itemIds = Array.from({ length: total }, (_, at) => itemGenerationId(id, at + 1))
      const store = new MemoryStore(world)
      options.wrapStore?.(store)
      const memory = new MemoryBus(world)
      const objects = new MemoryObjects(world)
      const letters: Envelope<RenderPdf>[] = []
      const isFailing = (generation: string) => isRetried === true && generation === itemIds[0]
      const print = (generation: string) => () => {
        if (isFailing(generation)) throw new DomainError('RENDER_FAILED', 'it fails each time')
      }
      const renderers = new MessageQueue<StoredMessage>(world, {
        name: ({ seq }) => `command ${seq}`,
        redeliveries,
        async handle(message, count) {
          const bus = wrap(memory.bus)
          const raw = memory.delivered(streams.commands, message, count)
          const command = parseRender(raw.data)
          const { generation_id } = command.data.request
          const dependencies = rendererOf(world, { store, bus, printMs, print: print(generation_id) })
          await renderHandlers(dependencies, bus.nats, 'batch').handle(command, raw)
        },
        onAcknowledged({ seq, data }) {
          const command = parseRender(data)
          if (isFailing(command.data.request.generation_id)) letters.push(command)
          memory.remove(streams.commands, seq)
        },
      })
      /** How often each item was sent. */
      const sent = new Map<string, number>()
      memory.onStored = (stream, message) => {
        if (stream === streams.commands) renderers.add(message)
      }
      const counting = (bus: Bus): Bus => {
        const publish: typeof bus.acks.publish = (publication) => {
          const item = publication.subject.split('.').at(-1) ?? ''
          if (publication.subject.startsWith('commands.render.')) sent.set(item, (sent.get(item) ?? 0) + 1)
          return bus.acks.publish(publication)
        }
        return Object.create(bus, { acks: { value: { publish } } })
      }
      const metadata = { ...operatorMetadata(), time: '2026-01-01T00:00:00.000Z' }
      const tell = (command: Parameters<typeof batchDecider.decide>[0]) => {
        const causation = { ...metadata, id: derivedUuid(id, command.type) }
        return handleCommand({
          store,
          decider: batchDecider,
          stream: batchStream(id),
          command: { ...command, metadata: causation },
        })
      }
      await world.prepare(async () => {
        const writer = new ItemWriter(objects, id)
        const input = { html: '<p>', options: resolvePdfOptions() }
        for (let index = 1; index <= total; index++) await writer.add({ index, request: {}, input })
        const batch: RecordedBatch = { owner_id: ownerId, api_key_id: 'key_1', total, input: await writer.end() }
        await tell({ type: 'CreateBatch', data: batch })
      })
      let areGone = isAway === true
      const stored: Pick<MemoryObjects, 'get' | 'put' | 'delete'> = {
        put: (...object) => objects.put(...object),
        delete: (key) => objects.delete(key),
        get(key) {
          world.reads('folder')
          return areGone ? Promise.reject(new ObjectNotFound(key)) : objects.get(key)
        },
      }
      const runners: ReturnType<typeof batchRunner>[] = []
      let runs = 0
      const run = (number: number, restart: number) => {
        runs++
        const work = async () => {
          const bus = counting(wrap(memory.bus))
          const generations = new GenerationRepository({ store, renderer: 'renderer', now: () => new Date() })
          const cancel = (command: Envelope<CancelGeneration>) =>
            cancelGeneration(generations, command, bus.clock.now())
          const runner = batchRunner(world, { id, ownerId, bus, store, objects: stored, cancel, wrapViews })
          runners.push(runner)
          await runner.run()
        }
        const process = `gateway ${number}${restart > 0 ? ` (run ${restart})` : ''}`
        world.spawn(process, work, { onCrash: () => run(number, restart + 1), isRestarted: true })
      }
      for (let number = 1; number <= gateways; number++) run(number, 0)
      const acts = new Map<string, () => Promise<unknown>>()
      if (isCancelled) acts.set('the batch is cancelled', () => tell({ type: 'CancelBatch', data: { id } }))
      if (isErased)
        acts.set('the first item is erased', async () => {
          const [item = ''] = itemIds
          const events = store.of(generationStream(item))
          const batches = events.length > 0 && (await itemsOfEnded(store, [{ id: item, owner: ownerId, events }]))
          if (batches) must(stateOf(store, id).status !== 'running', 'an item of a batch that runs is erased')
        })
      const act = (label: string, work: () => Promise<unknown>) => ({
        label,
        run() {
          acts.delete(label)
          world.changes('acts')
          const unlessRefused = (err: unknown) => {
            if (!(err instanceof DomainError || err instanceof DependencyUnavailable)) throw err
          }
          world.spawn(label, () => work().catch(unlessRefused), { reliable: true })
        },
      })
      const retry = ({ data: { request, input } }: Envelope<RenderPdf>) => {
        letters.shift()
        const again = derivedId('pdf', world.nowMs, 'again')
        const openObjects = async () => objects
        const rendering = { bus: wrap(memory.bus), openObjects, metadata: () => metadata }
        if (input) world.spawn('retry', () => renderAgain(rendering, { request, input, options: null }, again))
      }
      const comeBack = () => {
        world.changes('folder')
        areGone = false
      }
      const most = () => runs + (budgets.faults ?? 0)
      return {
        shared: () => [
          store,
          memory,
          renderers,
          objects,
          [...sent].sort(),
          runs,
          letters.length,
          [...acts.keys()],
          areGone,
        ],
        actions: () => [
          ...renderers.actions(),
          ...runners.flatMap(({ catchUp }) => catchUp()),
          ...[...acts].map(([label, work]) => act(label, work)),
          ...letters.map((letter) => ({ label: 'the dead letter is retried', run: () => retry(letter) })),
          ...(areGone ? [{ label: 'the items are there again', run: comeBack }] : []),
        ],
        waits: () => world.runs(/^gateway|^command/) && world.nowMs < Date.parse(metadata.time) + patienceMs,
        always() {
          const ends = store.of(batchStream(id)).filter(({ type }) => type === 'BatchEnded')
          must(ends.length <= 1, `the batch has ended ${ends.length} times`)
          if (ends.length > 0) checkCounts(store, id, itemIds)
          for (const [item, times] of sent)
            must(times <= most(), `item ${itemIds.indexOf(item) + 1} is sent ${times} times`)
        },
        atEnd() {
          const state = stateOf(store, id)
          must('ended' in state, `the batch is ${state.status}`)
          const { completed } = state.ended
          const isSeen = store.of(batchStream(id)).every(({ type }) => type !== 'BatchCancelRequested')
          must(isSeen || state.status === 'cancelled' || completed === total, 'the batch is cancelled, and completed')
        },
      }
    },
  }
}

const stateOf = (store: MemoryStore, id: string): BatchState =>
  foldOf<BatchState, BatchEvent>(batchDecider, store.of(batchStream(id)))

/** The counts of a batch that has ended are those of its items in the log. One that has not begun is cancelled. */
function checkCounts(store: MemoryStore, id: string, items: readonly string[]): void {
  const state = stateOf(store, id)
  must('ended' in state, 'the end of the batch is not read')
  const counts = { completed: 0, failed: 0, cancelled: 0 }
  for (const [at, item] of items.entries()) {
    const { status } = foldOf(generationDecider, store.of(generationStream(item)))
    must(status !== 'rendering', `the batch has ended, and item ${at + 1} has not`)
    counts[status === 'absent' ? 'cancelled' : status]++
  }
  const { status: _, ...ended } = state.ended
  must(JSON.stringify(ended) === JSON.stringify(counts), `${JSON.stringify(ended)} are ${JSON.stringify(counts)}`)
  const foreign = store.log.find(
    ({ stream, data }) =>
      categoryOf(stream) === 'generation' &&
      !items.includes(aggregateIdOf(stream)) &&
      (data as { batch?: object } | null)?.batch !== undefined,
  )
  must(foreign === undefined, 'a retry belongs to the batch')
}
