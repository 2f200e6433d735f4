import { deliveryEvents } from '@platen/domain/delivery/delivery-events.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import type { EventStore, NewEvent } from '@platen/event-store/event-store.ts'
import { derivedUuid } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { startRelay } from '@platen/service-kit/relay/relay.ts'
import { MemoryBus } from './world/memory-bus.ts'
import { MemoryStore } from './world/memory-store.ts'
import { quietLog } from './world/quiet-log.ts'
import type { Model } from './world/search.ts'
import { type Budgets, type ModelProcess, must } from './world/world.ts'

interface RelayOptions {
  name: string
  budgets: Budgets
  /** The identities of the processes with the relay. */
  relays: readonly string[]
  /** How often the server with EVENTS loses its newest message, which it had not written to its disk. */
  losses?: number
  /** How many events are recorded. Default: 3. */
  events?: number
  /** Default: it is not divided. */
  partitions?: number
  wrap?: (bus: Bus) => Bus
}

const service = 'notifier'
const lookAtLease = `get relay.${service} of ${buckets.leases.name}`
/** After this time without an event nothing is to be published any more. */
const patienceMs = 60_000

/** The events that are recorded while the relay runs: two of one delivery, one of another. */
const allEvents: readonly [stream: string, type: keyof typeof deliveryEvents][] = [
  ['delivery-msg_00000000000000000000000001', 'DeliveryScheduled'],
  ['delivery-msg_00000000000000000000000002', 'DeliveryScheduled'],
  ['delivery-msg_00000000000000000000000001', 'DeliverySucceeded'],
]

/** Processes with one relay, of which one publishes at a time: the holder of the lease. */
export function relayModel({
  name,
  budgets,
  relays,
  losses = 0,
  events = 3,
  partitions,
  wrap = (bus) => bus,
}: RelayOptions): Model {
  const recorded = allEvents.slice(0, events)
  return {
    name,
    invariant:
      'Each recorded event is in EVENTS a minute later, those of an aggregate in the order of their revisions. What was published ' +
      'before a crash is not published again.',
    budgets,
    async begin(world) {
      const store = new MemoryStore(world, { hasNoTimes: true })
      const memory = new MemoryBus(world)
      let lost = 0
      let crashes = 0
      let lastChangeMs = world.nowMs
      const published = () => memory.messages(streams.events).map(({ messageId }) => messageId ?? '')
      const start = (instance: string, index: number, run: number) => {
        const work = async () => {
          const identity = { deployment: async () => 'dep_1', schemas: 'https://pdf.example.com/schemas' }
          const fail = (err: Error) => {
            throw err
          }
          const common = { service, instance, partitions, store, bus: wrap(memory.bus), log: quietLog, fail } as const
          const relay = await startRelay({ ...identity, ...common, stopping: new AbortController().signal })
          await relay.done
        }
        const onCrash = () => {
          crashes++
          lastChangeMs = world.nowMs
          start(instance, index, run + 1)
        }
        // About to look at the lease, it remembers nothing.
        const remembers = ({ steps, timers }: ModelProcess) =>
          steps.length === 1 && timers.size === 0 && steps[0]?.label === lookAtLease ? 'nothing' : undefined
        const options = {
          onCrash,
          isRestarted: true,
          remembers,
          ...(index > 1 && run === 0 && { twin: `relay ${index - 1}` }),
        }
        world.spawn(`relay ${index}${run > 0 ? ` (run ${run})` : ''}`, work, options)
      }
      // A relay without any trace begins at the end of the log, and before its service records an event.
      await world.prepare(async () => {
        const checkpoint = { position: 'start', seq: 0, stream: '2025-01-01T00:00:00Z', origin: 'start' }
        const kv = await memory.bus.js.views.kv(buckets.checkpoints.name)
        await kv.put(`relay.${service}`, JSON.stringify(checkpoint))
      })
      for (const [index, instance] of relays.entries()) start(instance, index + 1, 0)
      const record = async () => {
        for (const [index, [stream, type]] of recorded.entries()) await append(store, stream, type, index)
        lastChangeMs = world.nowMs
      }
      world.spawn('writer', record, { reliable: true })
      const mayLose = () => lost < losses && memory.messages(streams.events).length > 0
      const lose = () => {
        lost++
        lastChangeMs = world.nowMs
        memory.loseLast(streams.events)
        world.crash(/^relay/)
      }
      return {
        isTimeless: true,
        shared: () => [store, memory, lost, crashes, lastChangeMs],
        actions: () =>
          mayLose() ? [{ label: 'EVENTS loses its newest message, and all relays start again', run: lose }] : [],
        waits: () => published().length < recorded.length && world.nowMs < lastChangeMs + patienceMs,
        always() {
          const ids = published().map((messageId) => messageId.split(' ')[0])
          must(new Set(ids).size === ids.length, 'an event is in EVENTS twice')
          for (const stream of new Set(recorded.map(([stream]) => stream))) {
            const revisions = memory
              .messages(streams.events)
              .flatMap(({ messageId }) => store.of(stream).find(({ id }) => messageId?.startsWith(id))?.revision ?? [])
            const isAscending = revisions.every((revision, index) => revision === index)
            must(isAscending, `EVENTS has the revisions ${revisions} of ${stream}`)
          }
        },
        atEnd() {
          const ids = published()
          const missing = store.log.filter(({ id }) => !ids.some((messageId) => messageId.startsWith(id)))
          must(missing.length === 0, `not in EVENTS: ${missing.map(({ type, stream }) => `${type} of ${stream}`)}`)
        },
      }
    },
  }
}

async function append(store: EventStore, stream: string, type: keyof typeof deliveryEvents, index: number) {
  const metadata = { time: '2025-01-01T00:00:00.000Z', correlation_id: 'req_1', causation_id: 'command' }
  const event = { id: derivedUuid('event', index), type, data: deliveryEvents[type].example.data, metadata }
  await store.append(stream, [event as NewEvent], 'any')
}
