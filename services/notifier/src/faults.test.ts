import { rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { StoreUnavailable } from '@platen/event-store/event-store.ts'
import { hashedId } from '@platen/foundation/runtime/ids.ts'
import { ObjectStoreUnavailable } from '@platen/object-store/object-store.ts'
import { damagePages } from '@platen/test-support/damage-database.ts'
import { startPlaten } from '@platen/test-support/notifier/platen.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { AttemptClaims } from './schedule/attempt-claims.ts'
import { startNotifier } from './start.ts'
import { lostFile } from './webhook/body-unavailable.ts'

// Each test has its own NATS server and event store.
t.jobs = 4

const fileWebhook = (url: string) => ({
  url,
  method: 'PUT' as const,
  error_method: 'POST' as const,
  headers: {},
  trace: 'mine',
  file_name: 'foo',
  quoted: {},
})

t.test('a schedule survives a restart and the loss of the view', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver((response, nth) => response.writeHead(nth === 1 ? 500 : 200).end())
  const scheduleMs = [0, 1_000, 1_000]
  let id: string
  {
    await using _ = await platen.notifier({ scheduleMs })
    id = await platen.generate(receiver.url('/hook'))
    await platen.delivery(id, 'DeliveryAttempted')
  }
  await rm(dirname(platen.config.viewPath), { recursive: true })
  await using _ = await platen.notifier({ scheduleMs })
  const events = await platen.delivery(id, 'DeliverySucceeded')
  t.match(events[2]?.data, { attempt: 2, status: 200 })
  const [first, second, ...more] = receiver.on('/hook')
  t.equal(more.length, 0)
  t.ok((second?.atMs ?? 0) - (first?.atMs ?? 0) >= 700, 'the second attempt was not made early')
})

t.test('a damaged view is rebuilt, before the start and while it is in use', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  const { viewPath } = platen.config
  {
    await using _ = await platen.notifier()
    await platen.delivery(await platen.generate(receiver.url('/first')), 'DeliverySucceeded')
  }
  damagePages(viewPath)
  await using _ = await platen.notifier()
  await platen.delivery(await platen.generate(receiver.url('/second')), 'DeliverySucceeded')
  damagePages(viewPath)
  await platen.delivery(await platen.generate(receiver.url('/third')), 'DeliverySucceeded')
  t.same(receiver.received.map(({ path }) => path).sort(), ['/first', '/second', '/third'])
})

t.test('a shutdown waits for the attempt in flight and records its outcome', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  // Longer than anything else that the shutdown waits for.
  await using receiver = await startReceiver((response) => setTimeout(() => response.writeHead(204).end(), 1_500))
  let id: string
  {
    await using _ = await platen.notifier()
    id = await platen.generate(receiver.url('/hook'))
    await receiver.calls('/hook', 1)
  }
  t.equal((await platen.recorded(id)).length, 2)
})

t.test('an outcome is recorded after an outage of the event store', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  let refusals = 0
  const store = storeWith(platen.services.store, {
    async append(stream, events, expected) {
      if (events[0].type === 'DeliverySucceeded' && ++refusals <= 2) throw new StoreUnavailable('unavailable')
      return platen.services.store.append(stream, events, expected)
    },
  })
  await using _ = await startNotifier(platen.config, { ...platen.services, store })
  await platen.delivery(await platen.generate(receiver.url('/hook')), 'DeliverySucceeded')
  t.equal(refusals, 3)
  t.equal(receiver.received.length, 1)
})

const file = Buffer.from('%PDF-1.7 and more')

/** What a read of the file gives. */
function contentOf({ breaksOff }: { breaksOff: boolean }): Readable {
  return Readable.from(
    (async function* () {
      yield file.subarray(0, 8)
      if (breaksOff) throw new ObjectStoreUnavailable('The object store cannot be read to the end')
      yield file.subarray(8)
    })(),
  )
}

t.test(
  'an outage of the object store counts against no receiver, and delays no other one',
  { buffered: true },
  async (t) => {
    await using platen = await startPlaten()
    await using receiver = await startReceiver()
    /** What each read of the file gives, in turn; after that it is there. A file is read twice: to sign it, and to send it. */
    const reads = ['away', 'there', 'breaks off', 'there', 'away']
    let isAway = true
    const objects = Object.assign(Object.create(platen.services.objects), {
      async get() {
        const next = isAway ? 'away' : (reads.shift() ?? 'there')
        if (next === 'away') throw new ObjectStoreUnavailable('The object store cannot be read')
        return contentOf({ breaksOff: next === 'breaks off' })
      },
    })
    // One attempt only, and one at a time.
    const config = { ...platen.config, scheduleMs: [0], concurrency: { total: 1, perHost: 1 } }
    await using _ = await startNotifier(config, { ...platen.services, objects })
    const withFile = await platen.generate(undefined, undefined, { file_webhook: fileWebhook(receiver.url('/file')) })
    await platen.delivery(withFile, 'DeliveryScheduled')
    await platen.delivery(await platen.generate(receiver.url('/plain')), 'DeliverySucceeded')
    t.equal(receiver.on('/file').length, 0)
    isAway = false
    const events = await platen.delivery(withFile, 'DeliverySucceeded')
    t.strictSame(
      events.map(({ type }) => type),
      ['DeliveryScheduled', 'DeliverySucceeded'],
    )
    t.match(events[1]?.data, { attempt: 1 })
    t.equal(receiver.on('/file').at(-1)?.body, file.toString())
    t.strictSame(reads, [])
  },
)

t.test(
  'a file that can never be read, while its store can be used, ends its delivery',
  { buffered: true },
  async (t) => {
    await using platen = await startPlaten()
    await using receiver = await startReceiver()
    let reads = 0
    const objects = Object.assign(Object.create(platen.services.objects), {
      check: () => platen.services.objects.check(),
      // It is signed, and then breaks off while it is sent.
      get: async () => contentOf({ breaksOff: ++reads % 2 === 0 }),
    })
    const unreadFiles = { firstPauseMs: 10, maxPauseMs: 100, lostAfterMs: 500 }
    // An endpoint would be disabled with its first failure.
    const config = { ...platen.config, scheduleMs: [0, 50], unreadFiles, disableAfterMs: 0 }
    await using _ = await startNotifier(config, { ...platen.services, objects })
    const url = receiver.url('/file')
    const id = await platen.generate(undefined, undefined, { file_webhook: fileWebhook(url) })
    const events = await platen.delivery(id, 'DeliveryExhausted')
    t.strictSame(
      events.map(({ type }) => type),
      ['DeliveryScheduled', 'DeliveryAttempted', 'DeliveryAttempted', 'DeliveryExhausted'],
    )
    t.match(events[1]?.data, { attempt: 1, error: lostFile, next_at: String })
    t.match(events[2]?.data, { attempt: 2, error: lostFile })
    t.ok(reads >= 8, 'each attempt was put off first')
    const next = await platen.delivery(await platen.generate(url), 'DeliverySucceeded')
    t.match(next[1]?.data, { attempt: 1 }, 'the receiver is not at fault')
  },
)

t.test('a thousand deliveries to a host that hangs do not delay another host', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver((response, _, { path }) => {
    if (path === '/well') response.end()
  })
  await using _ = await platen.notifier({ timeoutMs: 10_000, scheduleMs: [0, 600_000] })
  const hanging = Array.from({ length: 1_000 }, () => platen.generate(receiver.url('/hangs', 'localhost')))
  await Promise.all(hanging)
  await receiver.calls('/hangs', 5)
  t.equal(receiver.on('/hangs').length, 5, 'at most five concurrent requests')
  const id = await platen.generate(receiver.url('/well'))
  await platen.delivery(id, 'DeliverySucceeded')
  t.ok(receiver.on('/hangs').length < hanging.length / 2, 'long before the other deliveries have ended')
})

t.test('two notifiers on one host with one process id send each webhook once', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver((response, nth) =>
    setTimeout(() => response.writeHead(nth % 7 ? 204 : 500).end(), 50),
  )
  const { viewPath } = platen.config
  const scheduleMs = [0, 50, 50, 50, 50, 50, 50, 50]
  await using _one = await platen.notifier({ scheduleMs }, await platen.open())
  await using _two = await platen.notifier({ scheduleMs, viewPath: `${viewPath}.two` }, await platen.open())
  const ids = await Promise.all(Array.from({ length: 40 }, () => platen.generate(receiver.url('/hook'))))
  for (const id of ids) await platen.delivery(id, 'DeliverySucceeded')
  const arrivals = Map.groupBy(receiver.received, ({ headers }) => headers['webhook-id'])
  t.equal(arrivals.size, 40)
  const refused = Math.floor(receiver.received.length / 7)
  t.equal(receiver.received.length, 40 + refused, 'only failed requests were repeated')
})

t.test('two notifiers make twice as many attempts at once for one receiver as one', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  const atOnce = 2 * platen.config.concurrency.perHost
  const open: ServerResponse[] = []
  // It answers nobody until as many wait as only two notifiers can send.
  await using receiver = await startReceiver((response) => {
    open.push(response)
    if (open.length >= atOnce) for (const waiting of open) if (!waiting.writableEnded) waiting.writeHead(204).end()
  })
  const { viewPath } = platen.config
  const timeoutMs = 60_000
  await using _one = await platen.notifier({ timeoutMs }, await platen.open())
  await using _two = await platen.notifier({ timeoutMs, viewPath: `${viewPath}.two` }, await platen.open())
  const ids = await Promise.all(Array.from({ length: atOnce }, () => platen.generate(receiver.url('/hook'))))
  for (const id of ids) await platen.delivery(id, 'DeliverySucceeded')
  t.equal(receiver.received.length, atOnce, 'each is sent once')
})

t.test('a restart of NATS delays a schedule and loses nothing', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver((response, nth) => response.writeHead(nth === 1 ? 500 : 200).end())
  await using _ = await platen.notifier({ scheduleMs: [0, 300, 300] })
  const first = await platen.generate(receiver.url('/first'))
  await platen.delivery(first, 'DeliveryAttempted')
  await platen.nats.restart()
  await platen.delivery(first, 'DeliverySucceeded')
  await platen.delivery(await platen.generate(receiver.url('/second')), 'DeliverySucceeded')
  t.equal(receiver.received.length, 4)
})

t.test('an attempt whose notifier has stopped is made again, five times at most', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  /** Claims the first attempt, like a notifier that stops during the POST. */
  const interrupt = async (id: string, path: string, claimMs: number) => {
    let last = ''
    for await (const event of platen.services.store.readStream(`generation-${id}`)) last = event.id
    const delivery = hashedId('msg', last, receiver.url(path))
    const claims = new AttemptClaims(platen.services.bus, crypto.randomUUID(), { ms: claimMs })
    const take = async () => {
      const taken = await claims.take(delivery, 1)
      return 'times' in taken ? taken : undefined
    }
    const claim = await until(take, 'the claim before does not expire')
    claim[Symbol.dispose]()
  }
  const [abandoned, poison] = await Promise.all(
    ['/abandoned', '/poison'].map((path) => platen.generate(receiver.url(path))),
  )
  if (!abandoned || !poison) return
  for (let stops = 0; stops < 5; stops++) await interrupt(poison, '/poison', 100)
  const claimMs = 3_000
  await interrupt(abandoned, '/abandoned', claimMs)
  const claimedAt = Date.now()
  await using _ = await platen.notifier()
  await platen.delivery(abandoned, 'DeliverySucceeded')
  t.ok((receiver.on('/abandoned')[0]?.atMs ?? 0) - claimedAt > claimMs - 500, 'the claim has expired')
  const events = await platen.delivery(poison, 'DeliveryExhausted')
  t.match(events[1]?.data, { attempts: 1, reason: 'the notifier stopped 5 times during attempt 1' })
  t.equal(receiver.on('/poison').length, 0)
})
