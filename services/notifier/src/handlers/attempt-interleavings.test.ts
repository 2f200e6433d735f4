import { deliveryDecider } from '@platen/domain/delivery/decide-delivery.ts'
import { endpointDecider, endpointId } from '@platen/domain/delivery/decide-endpoint.ts'
import { type DeliveryEvent, deliveryStream } from '@platen/domain/delivery/delivery-events.ts'
import { deliveryId } from '@platen/domain/delivery/delivery-record.ts'
import { endpointStream } from '@platen/domain/delivery/endpoint-events.ts'
import { redeliver } from '@platen/domain/delivery/redeliver.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { domainEvent, handleCommand, load, operatorMetadata } from '@platen/event-store/handle-command.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import { ownerId, signingSecret } from '@platen/test-support/notifier/platen.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import t from 'tap'
import { AttemptClaims } from '../schedule/attempt-claims.ts'
import type { EndpointView } from '../schedule/due-view.ts'
import { type AttemptDependencies, attemptDelivery } from './attempt-delivery.ts'
import { readDelivery } from './read-delivery.ts'

// Every moment at which a redelivery can arrive during the attempts of a delivery, together with every moment at which the
// notifier can stop. A moment is before or after an operation on the event store or the claims, or the arrival of a request.

const backing = await startBackingServices()
const { store, bus, log } = backing.services
const statuses = new Map<string, number[]>()
const moments = new Map<string, () => Promise<void>>()
const receiver = await startReceiver(async (response, _, { path }) => {
  const left = statuses.get(path) ?? []
  const status = (left.length > 1 ? left.shift() : left[0]) ?? 500
  await moments
    .get(path)?.()
    .catch(() => {})
  response.writeHead(status).end()
})
t.teardown(async () => {
  await receiver[Symbol.asyncDispose]()
  await backing[Symbol.asyncDispose]()
})

/** The process has ended: nothing that it does afterwards has an effect. */
class Stopped extends Error {}

interface Course {
  /** Answers of the receiver to the calls; the last one is repeated. */
  answers: number[]
  /** The moment of the redelivery, from 0. */
  redelivery: number
  /** The moment at which the first notifier stops. */
  stop?: number
  /** What the view of endpoints shows. `late`: not what happened since. `outdated`: that it is disabled as it once was. */
  view: 'current' | 'late' | 'outdated'
}

interface Seen {
  /** Whether the course had that many moments before the delivery ended. */
  reached: boolean
  events: DeliveryEvent[]
  /** How many requests arrived after the redelivery was recorded. */
  callsAfter: number
  endpoint: 'enabled' | 'disabled'
}

t.setTimeout(600_000)

let courses = 0

async function follow({ answers, redelivery, stop, view }: Course): Promise<Seen> {
  const path = `/${courses++}`
  const url = receiver.url(path)
  const id = deliveryId(path, url)
  const endpoint = endpointId(ownerId, url)
  statuses.set(path, [...answers])
  const time = new Date().toISOString()
  const data = { generation_id: 'pdf_1', owner_id: ownerId, api_key_id: 'key_1', url, event_id: path, body: '{}' }
  await handleCommand({
    store,
    decider: deliveryDecider,
    stream: deliveryStream(id),
    command: { type: 'ScheduleDelivery', data: { ...data, next_at: time }, metadata: operatorMetadata() },
  })

  let moment = 0
  let callsBefore: number | undefined
  const requestRedelivery = async () => {
    await redeliver(store, id, { metadata: operatorMetadata(), now: Date.now })
    callsBefore = receiver.on(path).length
  }
  const mayStop = { stopped: false }
  const reach = async (process: { stopped: boolean }) => {
    if (process.stopped) throw new Stopped()
    const now = moment++
    if (now === redelivery) await requestRedelivery()
    if (now !== stop) return
    mayStop.stopped = true
    if (process === mayStop) throw new Stopped()
  }
  moments.set(path, () => reach(mayStop.stopped ? { stopped: false } : mayStop))

  let seenEndpoint: EndpointView = view === 'outdated' ? { disabled: 'gone' } : {}
  const notifier = (process: { stopped: boolean }): AttemptDependencies => ({
    store: withMoments(store, () => reach(process)),
    signing: signingFrom(signingSecret),
    claims: claimsWithMoments(process, () => reach(process)),
    scheduleMs: [0, 0],
    allowPrivate: true,
    timeoutMs: 5_000,
    disableAfterMs: 432_000_000,
    endpoint: () => seenEndpoint,
    readFile: async () => undefined,
    unreadFiles: { putOff: async () => 0, wasMade: () => {} },
    now: Date.now,
    random: Math.random,
    log,
    stopping: new AbortController().signal,
  })
  const notifiers = [notifier(mayStop), notifier({ stopped: false })] as const

  const untilEnded = async () => {
    for (;;) {
      const { delivery } = await readDelivery(store, id)
      if (delivery.status !== 'pending') return
      if (view === 'current') seenEndpoint = await readEndpoint(endpoint)
      const [first, second] = notifiers
      await attemptDelivery(mayStop.stopped ? second : first, { id, attempt: delivery.attempt }).catch((err) => {
        if (!(err instanceof Stopped)) throw err
      })
      if (mayStop.stopped) await sleep(5)
    }
  }
  await untilEnded()
  const reached = moment > redelivery && (stop === undefined || moment > stop)
  if (callsBefore === undefined) {
    moment = Number.POSITIVE_INFINITY
    await requestRedelivery()
    await untilEnded()
  }
  const events: DeliveryEvent[] = []
  for await (const stored of store.readStream(deliveryStream(id))) {
    const event = domainEvent<DeliveryEvent>(stored)
    if (event.type !== '$unreadable') events.push(event)
  }
  return {
    reached,
    events,
    callsAfter: receiver.on(path).length - (callsBefore ?? 0),
    endpoint: (await load(store, endpointDecider, endpointStream(endpoint))).state.status,
  }
}

function withMoments(store: EventStore, reach: () => Promise<void>): EventStore {
  return {
    readLog: store.readLog,
    identity: store.identity,
    end: store.end,
    check: store.check,
    subscribe: store.subscribe,
    close: store.close,
    before: store.before,
    async *readStream(stream, options) {
      await reach()
      yield* store.readStream(stream, options)
    },
    async append(stream, events, expected) {
      await reach()
      const appended = await store.append(stream, events, expected)
      await reach()
      return appended
    },
  }
}

function claimsWithMoments(process: { stopped: boolean }, reach: () => Promise<void>): AttemptDependencies['claims'] {
  const claims = new AttemptClaims(bus, crypto.randomUUID(), { ms: 40 })
  return {
    async take(id, attempt) {
      const taken = await claims.take(id, attempt)
      if ('heldForMs' in taken) return taken
      try {
        await reach()
      } catch (err) {
        taken[Symbol.dispose]()
        throw err
      }
      return {
        times: taken.times,
        release: async () => (process.stopped ? undefined : taken.release()),
        [Symbol.dispose]: () => taken[Symbol.dispose](),
      }
    },
  }
}

async function readEndpoint(id: string): Promise<EndpointView> {
  const { state } = await load(store, endpointDecider, endpointStream(id))
  return state.status === 'disabled' ? { disabled: state.reason } : {}
}

/** Runs all orders of steps with these answers. Returns their number. */
async function tryAll(course: Pick<Course, 'answers' | 'view'>, check: (seen: Seen, name: string) => void) {
  let count = 0
  const tryOne = async (moments: Pick<Course, 'redelivery' | 'stop'>) => {
    const seen = await follow({ ...course, ...moments })
    count++
    check(seen, JSON.stringify({ ...course, ...moments, events: seen.events.map(shortly) }))
    return seen.reached
  }
  const stopping = async (redelivery: number) => {
    for (let stop = 0; await tryOne({ redelivery, stop }); stop++);
  }
  const lines: Promise<void>[] = []
  for (let redelivery = 0; await tryOne({ redelivery }); redelivery++) lines.push(stopping(redelivery))
  await Promise.all(lines)
  return count
}

const shortly = ({ type, data }: DeliveryEvent) =>
  `${type.replace('Delivery', '')} ${'attempt' in data ? data.attempt : 'attempts' in data ? data.attempts : ''}`

const afterRedelivery = ({ events }: Seen) =>
  events.slice(events.findIndex(({ type }) => type === 'DeliveryRescheduled') + 1)

/** Holds for every order of steps: one outcome for each number, and no number in two schedules. */
function wellNumbered({ events }: Seen): boolean {
  const numbers = events.flatMap(({ type, data }) =>
    type === 'DeliveryAttempted' || type === 'DeliverySucceeded' ? [data.attempt] : [],
  )
  return numbers.every((number, n) => n === 0 || number > (numbers[n - 1] ?? 0))
}

t.test('a redelivery has a schedule of its own, whenever it arrives', async (t) => {
  const count = await tryAll({ answers: [500], view: 'current' }, (seen, name) => {
    const types = afterRedelivery(seen).map(({ type }) => type)
    const full = ['DeliveryAttempted', 'DeliveryAttempted', 'DeliveryExhausted']
    if (`${types}` !== `${full}` || seen.callsAfter < 2 || !wellNumbered(seen)) t.fail(name)
  })
  t.ok(count > 100, `${count} courses`)
})

t.test('a redelivery is sent although the attempt before it succeeds', async (t) => {
  const count = await tryAll({ answers: [200], view: 'outdated' }, (seen, name) => {
    const types = afterRedelivery(seen).map(({ type }) => type)
    if (`${types}` !== 'DeliverySucceeded' || seen.callsAfter < 1 || !wellNumbered(seen)) t.fail(name)
    if (seen.events.some(({ type }) => type === 'DeliveryExhausted')) t.fail(`given up: ${name}`)
  })
  t.ok(count > 50, `${count} courses`)
})

t.test('a redelivery that succeeds enables the endpoint', async (t) => {
  for (const view of ['current', 'late'] as const) {
    const count = await tryAll({ answers: [410, 200], view }, (seen, name) => {
      const last = afterRedelivery(seen).at(-1)?.type
      const isSent = last === 'DeliverySucceeded' || (seen.callsAfter > 0 && last === 'DeliveryExhausted')
      if (!isSent || !wellNumbered(seen)) t.fail(name)
      if (last === 'DeliverySucceeded' && seen.endpoint !== 'enabled') t.fail(`still disabled: ${name}`)
    })
    t.ok(count > 50, `${count} courses`)
  }
})
