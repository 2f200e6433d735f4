import type { DeliveryEvent } from '@platen/domain/delivery/delivery-events.ts'
import { startPlaten } from '@platen/test-support/notifier/platen.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import t from 'tap'

const types = (events: readonly DeliveryEvent[]) => events.map(({ type }) => type.replace('Delivery', ''))

// Each test has its own NATS server and event store.
t.jobs = 4

t.test('after an error the request is repeated with the same id and body', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver((response, nth) => response.writeHead(nth === 1 ? 500 : 200).end())
  await using _ = await platen.notifier()
  const id = await platen.generate(receiver.url('/hook'))
  const events = await platen.delivery(id, 'DeliverySucceeded')
  t.strictSame(types(events), ['Scheduled', 'Attempted', 'Succeeded'])
  t.match(events[1]?.data, { attempt: 1, status: 500, duration_ms: Number, next_at: String })
  t.match(events[2]?.data, { attempt: 2, status: 200 })
  const [first, second, ...more] = receiver.on('/hook')
  t.equal(more.length, 0)
  t.equal(first?.body, second?.body)
  t.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
})

t.test('after the last attempt the delivery is exhausted', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver((response) => response.writeHead(500).end())
  await using _ = await platen.notifier()
  const events = await platen.delivery(await platen.generate(receiver.url('/hook')), 'DeliveryExhausted')
  t.strictSame(types(events), ['Scheduled', 'Attempted', 'Attempted', 'Attempted', 'Exhausted'])
  t.equal(receiver.on('/hook').length, 3)
  t.notOk('next_at' in (events[3]?.data ?? {}))
})

t.test('a 410 ends the delivery, and a redirect is not followed', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver((response, _, { path }) =>
    path === '/gone' ? response.writeHead(410).end() : response.writeHead(307, { location: '/elsewhere' }).end(),
  )
  await using _ = await platen.notifier()
  const gone = await platen.delivery(await platen.generate(receiver.url('/gone')), 'DeliveryExhausted')
  t.strictSame(types(gone), ['Scheduled', 'Attempted', 'Exhausted'])
  t.equal(receiver.on('/gone').length, 1)
  const moved = await platen.delivery(await platen.generate(receiver.url('/moved')), 'DeliveryExhausted')
  t.match(moved[1]?.data, { status: 307 })
  t.equal(receiver.on('/elsewhere').length, 0)
})

t.test('Retry-After is honoured with a 429 or 503 only', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver((response, nth, { path }) =>
    nth === 1 ? response.writeHead(Number(path.slice(1)), { 'retry-after': '1' }).end() : response.end(),
  )
  await using _ = await platen.notifier()
  const waits = async (path: string) => {
    await platen.generate(receiver.url(path))
    const [first, second] = await receiver.calls(path, 2)
    return (second?.atMs ?? 0) - (first?.atMs ?? 0)
  }
  const [busy, unavailable, broken] = await Promise.all([waits('/429'), waits('/503'), waits('/500')])
  t.ok(busy >= 900 && unavailable >= 900, `${busy} and ${unavailable} ms`)
  t.ok(broken < busy && broken < unavailable)
})

t.test('private and unknown hosts are not called and give the same error', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver()
  await using _ = await platen.notifier({ allowPrivate: false, scheduleMs: [0] })
  for (const url of [receiver.url('/hook'), receiver.url('/hook', 'localhost'), 'http://nowhere.invalid/hook']) {
    const events = await platen.delivery(await platen.generate(url), 'DeliveryExhausted')
    t.match(events[1]?.data, { error: 'the host is unknown or not public' }, url)
  }
  t.equal(receiver.received.length, 0)
})
