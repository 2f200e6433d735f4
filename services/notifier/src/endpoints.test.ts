import type { RedeliverAnswer } from '@platen/domain/delivery/delivery.ts'
import type { DeliveryEvent } from '@platen/domain/delivery/delivery-events.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { ownerId, type Platen, startPlaten } from '@platen/test-support/notifier/platen.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { deliveryIdOf, redeliver } from '@platen/test-support/notifier/redeliver.ts'
import t from 'tap'

const types = (events: readonly DeliveryEvent[]) => events.map(({ type }) => type.replace('Delivery', ''))

// Each test has its own NATS server and event store.
t.jobs = 4
t.setTimeout(300_000)

/** Collects the published events of endpoints. */
function endpointEvents({ services }: Platen) {
  const published: { type: string; data: unknown }[] = []
  services.bus.nats.subscribe('events.endpoint.>', { callback: (_, message) => published.push(message.json()) })
  return published
}

t.test('a 410 disables the endpoint, and a successful redelivery enables it', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  let status = 410
  await using receiver = await startReceiver((response) => response.writeHead(status).end('go away'))
  await using _ = await platen.notifier()
  const published = endpointEvents(platen)
  const gone = await platen.generate(receiver.url('/hook'))
  await platen.delivery(gone, 'DeliveryExhausted')
  while (published.length < 1) await new Promise((resolve) => setTimeout(resolve, 20))
  t.match(published[0], { type: 'com.platen.EndpointDisabled', data: { owner_id: ownerId, reason: 'gone' } })

  const later = await platen.delivery(await platen.generate(receiver.url('/hook')), 'DeliveryExhausted')
  t.match(later[1]?.data, { attempts: 1, reason: /the endpoint is disabled.*410/ })
  t.equal(receiver.on('/hook').length, 1, 'nothing was sent')
  status = 200
  await platen.delivery(await platen.generate(receiver.url('/other')), 'DeliverySucceeded')

  t.strictSame(await redeliver(platen, await deliveryIdOf(platen, gone)), { ok: true, value: { redelivered: 1 } })
  const events = await platen.delivery(gone, 'DeliverySucceeded')
  t.strictSame(types(events), ['Scheduled', 'Attempted', 'Exhausted', 'Rescheduled', 'Succeeded'])
  t.match(events[1]?.data, { status: 410, response: 'go away' })
  t.match(events[4]?.data, { attempt: 2, response: 'go away' })
  const [first, second] = receiver.on('/hook')
  t.equal(second?.body, first?.body)
  t.equal(second?.headers['webhook-id'], first?.headers['webhook-id'])
  while (published.length < 2) await new Promise((resolve) => setTimeout(resolve, 20))
  t.match(published[1], { type: 'com.platen.EndpointEnabled' })
  await platen.delivery(await platen.generate(receiver.url('/hook')), 'DeliverySucceeded')
})

t.test('an endpoint that only fails is disabled after a time', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver((response, nth, { path }) =>
    response.writeHead(path === '/fails' || nth === 1 ? 500 : 200).end(),
  )
  await using _ = await platen.notifier({ scheduleMs: [0, 50, 200], disableAfterMs: 150 })
  const published = endpointEvents(platen)
  await platen.delivery(await platen.generate(receiver.url('/recovers')), 'DeliverySucceeded')
  await platen.delivery(await platen.generate(receiver.url('/fails')), 'DeliveryExhausted')
  while (published.length < 1) await new Promise((resolve) => setTimeout(resolve, 20))
  t.match(published, [{ type: 'com.platen.EndpointDisabled', data: { owner_id: ownerId, reason: 'failing' } }])
  const calls = receiver.on('/fails').length
  const next = await platen.delivery(await platen.generate(receiver.url('/fails')), 'DeliveryExhausted')
  t.match(next[1]?.data, { reason: /the endpoint is disabled.*days/ })
  t.equal(receiver.on('/fails').length, calls)
  await platen.delivery(await platen.generate(receiver.url('/recovers')), 'DeliverySucceeded')
})

t.test('a redelivery restarts the whole schedule, and an unknown one is refused', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  await using receiver = await startReceiver((response, nth) => response.writeHead(nth === 6 ? 200 : 500).end())
  await using _ = await platen.notifier()
  const id = await platen.generate(receiver.url('/hook'))
  await platen.delivery(id, 'DeliveryExhausted')
  await redeliver(platen, await deliveryIdOf(platen, id))
  const events = await platen.delivery(id, 'DeliverySucceeded')
  t.match(types(events).slice(-5), ['Exhausted', 'Rescheduled', 'Attempted', 'Attempted', 'Succeeded'])
  t.match(events.at(-1)?.data, { attempt: 6 })
  t.match(await redeliver(platen, newId('msg')), { ok: false, failure: { code: 'DELIVERY_NOT_FOUND' } })
})

t.test(
  'a redelivery during an attempt is sent at once, and the attempt counts no more',
  { buffered: true },
  async (t) => {
    for (const [name, status] of Object.entries({ fails: 500, gone: 410, succeeds: 200 })) {
      await using platen = await startPlaten()
      const running = Promise.withResolvers<void>()
      await using receiver = await startReceiver(async (response, nth) => {
        if (nth === 1) await running.promise
        response.writeHead(nth === 1 ? status : nth === 4 ? 204 : 503).end()
      })
      const { viewPath } = platen.config
      await using _one = await platen.notifier({}, await platen.open())
      await using _two = await platen.notifier({ viewPath: `${viewPath}.two` }, await platen.open())
      const id = await platen.generate(receiver.url('/hook'))
      await receiver.calls('/hook', 1)
      t.match(await redeliver(platen, await deliveryIdOf(platen, id)), { ok: true })
      await receiver.calls('/hook', 2)
      running.resolve()
      const events = await platen.delivery(id, 'DeliverySucceeded')
      t.strictSame(types(events), ['Scheduled', 'Rescheduled', 'Attempted', 'Attempted', 'Succeeded'], name)
      t.match(events.at(-1)?.data, { attempt: 4, status: 204 }, name)
      t.equal(receiver.on('/hook').length, 4, name)
      await platen.delivery(await platen.generate(receiver.url('/hook')), 'DeliveryAttempted')
    }
  },
)

t.test('deliveries of a time range are repeated by status', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  let status = 500
  await using receiver = await startReceiver((response, _, { path }) =>
    response.writeHead(path === '/works' ? 200 : status).end(),
  )
  await using _ = await platen.notifier({ scheduleMs: [0] })
  const since = new Date().toISOString()
  const ids = await Promise.all(Array.from({ length: 12 }, () => platen.generate(receiver.url('/fails'))))
  for (const id of ids) await platen.delivery(id, 'DeliveryExhausted')
  await platen.delivery(await platen.generate(receiver.url('/works')), 'DeliverySucceeded')
  status = 200
  const owner_id = ownerId
  const range = (data: object) =>
    platen.request<RedeliverAnswer>(commandSubjects.delivery(owner_id), {
      type: 'RedeliverDeliveries',
      data: { owner_id, since, until: new Date(Date.now() + 1_000).toISOString(), status: 'exhausted', ...data },
    })
  t.match(await range({ until: since }), { ok: true, value: { redelivered: 0 } })
  t.match(await range({ owner_id: 'own_other' }), { ok: true, value: { redelivered: 0 } })
  t.strictSame(await range({}), { ok: true, value: { redelivered: 12 } })
  for (const id of ids) await platen.delivery(id, 'DeliverySucceeded')
  t.equal(receiver.on('/fails').length, 24)
  t.equal(receiver.on('/works').length, 1)
  t.match(await range({}), { ok: true, value: { redelivered: 0 } })
})
