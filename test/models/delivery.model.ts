import { deliveryDecider } from '@platen/domain/delivery/decide-delivery.ts'
import { deliveryStream } from '@platen/domain/delivery/delivery-events.ts'
import type { EventStore, StoredEvent } from '@platen/event-store/event-store.ts'
import { foldOf, handleCommand } from '@platen/event-store/handle-command.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'
import { WakeUp } from '@platen/foundation/runtime/wake-up.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import { attemptDelivery } from '../../services/notifier/src/handlers/attempt-delivery.ts'
import { redeliverDeliveries } from '../../services/notifier/src/handlers/redeliver-deliveries.ts'
import { AttemptClaims } from '../../services/notifier/src/schedule/attempt-claims.ts'
import { DeliverySchedule } from '../../services/notifier/src/schedule/delivery-schedule.ts'
import type { DueQueries } from '../../services/notifier/src/schedule/due-queries.ts'
import { type DueView, openDueView } from '../../services/notifier/src/schedule/due-view.ts'
import { MemoryBus } from './world/memory-bus.ts'
import { MemoryStore } from './world/memory-store.ts'
import { MessageQueue } from './world/message-queue.ts'
import { quietLog } from './world/quiet-log.ts'
import type { Model } from './world/search.ts'
import { type Action, type Budgets, must, type World } from './world/world.ts'

const id = 'msg_00000000000000000000000001'
const owner = 'own_default'
const signing = signingFrom('secret of a model')

interface DeliveryOptions {
  name: string
  budgets: Budgets
  /** The identities of the notifiers, which run at once. */
  notifiers: readonly string[]
  /** How many commands to redeliver there are. */
  redeliver?: number
  redeliveries?: number
  /** What the receiver answers. Default: 500. */
  status?: number
  scheduleMs?: readonly number[]
  wrap?: (store: EventStore) => EventStore
  wrapBus?: (bus: Bus) => Bus
}

/** Notifiers that make the attempts of one delivery, while its owner has it delivered again. */
export function deliveryModel(options: DeliveryOptions): Model {
  const { name, budgets, notifiers, redeliver = 0, redeliveries = 0, status = 500, wrap = (store) => store } = options
  const { scheduleMs = [0, 5_000], wrapBus = (bus) => bus } = options
  const views = new Map<string, DueView>()
  /** Handlers only read it, so that all schedules can use one view of the same events. */
  const viewOf = (events: readonly StoredEvent[]) => {
    const key = JSON.stringify(events)
    const known = views.get(key)
    if (known) return known
    const view = openDueView(':memory:')
    for (const event of events) view.apply(event)
    views.set(key, view)
    return view
  }
  return {
    name,
    invariant:
      'A redelivery that was acknowledged leads to a request that is sent after it. A delivery ends. No two notifiers send the ' +
      'same attempt, unless one of them has stopped.',
    budgets,
    async begin(world) {
      const memory = new MemoryStore(world)
      const store = wrap(memory)
      const bus = new MemoryBus(world)
      /** Each request, with the number of events that were recorded before it. */
      const posts: { attempt: number; after: number }[] = []
      const running: { catchUp: () => Action[] }[] = []
      let crashes = 0
      await world.prepare(() => schedule(store, world))
      const start = (holder: string, index: number, run: number) => {
        const work = async () => {
          const notifier = notifierOf(world, {
            memory,
            store,
            bus: wrapBus(bus.bus),
            holder,
            scheduleMs,
            status,
            posts,
            viewOf,
          })
          running.push(notifier)
          await notifier.run()
        }
        const onCrash = () => {
          crashes++
          start(holder, index, run + 1)
        }
        const twin = run === 0 && index > 1 ? { twin: `notifier ${index - 1}` } : {}
        world.spawn(nameOf(index, run), work, { onCrash, isRestarted: true, ...twin })
      }
      for (const [index, holder] of notifiers.entries()) start(holder, index + 1, 0)
      const commands = new MessageQueue<number>(world, {
        name: (number) => `command to redeliver ${number}`,
        redeliveries,
        handle: async (number) => {
          const metadata = {
            id: `00000000-0000-4000-8000-00000000000${number}`,
            time: timeOf(world),
            correlation_id: 'req_1',
          }
          const view = { history: () => [] }
          const command = { type: 'RedeliverDelivery' as const, data: { delivery_id: id }, metadata }
          await redeliverDeliveries({ store, view, now: Date.now }, command)
        },
      })
      for (let number = 1; number <= redeliver; number++) commands.add(number)
      return {
        shared: () => [memory, bus, commands, posts, crashes],
        actions: () => [...commands.actions(), ...running.flatMap(({ catchUp }) => catchUp())],
        waits: () => stateOf(memory).status === 'pending',
        always() {
          const schedules = (after: number) =>
            memory.log.slice(0, after).filter(({ type }) => type === 'DeliveryRescheduled').length
          const attempts = posts.map(({ attempt, after }) => `${attempt} of schedule ${schedules(after)}`)
          const twice = attempts.length - new Set(attempts).size
          must(twice <= crashes, `an attempt was sent ${twice} times too often, and ${crashes} notifiers have stopped`)
        },
        atEnd() {
          const { status } = stateOf(memory)
          must(status === 'succeeded' || status === 'exhausted', `the delivery is ${status} for ever`)
          for (const [index, event] of memory.log.entries()) {
            if (event.type !== 'DeliveryRescheduled') continue
            const { attempt: first } = event.data as { attempt: number }
            const isSent = posts.some(({ attempt, after }) => after > index && attempt >= first)
            must(isSent, 'a redelivery was acknowledged, and no attempt of its schedule was made')
          }
        },
      }
    },
  }
}

const nameOf = (index: number, run: number) => `notifier ${index}${run > 0 ? ` (run ${run})` : ''}`

const stateOf = (store: MemoryStore) => foldOf(deliveryDecider, store.of(deliveryStream(id)))

const timeOf = (world: World) => new Date(world.nowMs).toISOString()

async function schedule(store: EventStore, world: World): Promise<void> {
  const time = timeOf(world)
  const request = { generation_id: 'pdf_1', owner_id: owner, api_key_id: 'key_1', url: 'https://receiver.example.com/' }
  const data = { ...request, event_id: 'event', body: '{}', next_at: time }
  const metadata = { id: '00000000-0000-4000-8000-000000000000', time, correlation_id: 'req_1' }
  const command = { type: 'ScheduleDelivery' as const, data, metadata }
  await handleCommand({ store, decider: deliveryDecider, stream: deliveryStream(id), command })
}

interface Notifier {
  memory: MemoryStore
  store: EventStore
  bus: Bus
  holder: string
  scheduleMs: readonly number[]
  status: number
  posts: { attempt: number; after: number }[]
  viewOf: (events: readonly StoredEvent[]) => DueView
}

/** A notifier whose view catches up when it is told to. */
function notifierOf(world: World, { memory, store, bus, holder, scheduleMs, status, posts, viewOf }: Notifier) {
  const process = world.current()
  let view = viewOf([])
  const wakeUp = new WakeUp()
  const claims = new AttemptClaims(bus, holder)
  let shown = 0
  const show = () => {
    world.reads('log')
    shown = memory.log.length
    view = viewOf(memory.log.filter(({ stream }) => categoryOf(stream) !== 'owner'))
    wakeUp.wake()
  }
  // A notifier begins when its view has caught up.
  show()
  const stopping = new AbortController().signal
  const endpoint: DueView['endpoint'] = (id) => view.endpoint(id)
  const common = { store, signing, claims, scheduleMs, allowPrivate: true, timeoutMs: 1_000, endpoint }
  const due: DueQueries = {
    due: (query) => view.due(query),
    nextAtMs: (nowMs) => view.nextAtMs(nowMs),
    pending: () => view.pending(),
  }
  const schedule = new DeliverySchedule({
    view: due,
    wakeUp,
    limits: { total: 10, perHost: 10 },
    attempt(due) {
      const post = () =>
        world.step(`POST of attempt ${due.attempt}`, () => {
          world.reads('log')
          world.changes('posts')
          posts.push({ attempt: due.attempt, after: memory.log.length })
          return { status, duration_ms: 1, retryAfter: undefined }
        })
      const files = { readFile: async () => undefined, unreadFiles: { putOff: async () => 0, wasMade: () => {} } }
      const rest = { disableAfterMs: 1e9, now: Date.now, random: Math.random, log: quietLog, stopping, post, ...files }
      return attemptDelivery({ ...common, ...rest }, due)
    },
    now: Date.now,
    log: quietLog,
    stopping,
  })
  return {
    run: () => schedule.run(),
    catchUp(): Action[] {
      if (process.status !== 'running' || shown >= memory.log.length) return []
      const run = () => void world.tell(process, `the view shows ${memory.log.length} events`, show)
      return [{ label: `${process.name}: its view shows all events`, run }]
    },
  }
}
