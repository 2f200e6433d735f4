import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand, load, operatorMetadata } from '@platen/event-store/handle-command.ts'
import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import t, { type Test } from 'tap'
import { recordApiKeyUse, recordSessionEnd } from './api-key/api-key-use.ts'
import { issueApiKey, newApiKey, readApiKey, rotateApiKey } from './api-key/api-keys.ts'
import { deliveryDecider } from './delivery/decide-delivery.ts'
import { endpointDecider } from './delivery/decide-endpoint.ts'
import { deliveryStream } from './delivery/delivery-events.ts'
import { deliveryBody, readDeliveryRecord } from './delivery/delivery-record.ts'
import { endpointStream } from './delivery/endpoint-events.ts'
import { redeliver } from './delivery/redeliver.ts'
import { changeOwner, createOwner, readOwner } from './owner/owners.ts'
import { partialDecider } from './partial/decide-partial.ts'
import { partialStream } from './partial/partial-events.ts'
import { readPartial } from './partial/read-partial.ts'

t.setTimeout(300_000)

// Whoever changes one thing again and again makes neither the next change nor a reader of it slower.

/** What an operation may read, however long the streams are. */
const mostEvents = 50

/** How many events an operation reads with their data, and in how many reads. */
type CostOf = (operation: (store: EventStore) => Promise<unknown>) => Promise<{ reads: number; events: number }>

function costOf(store: EventStore): CostOf {
  return async (operation) => {
    const cost = { reads: 0, events: 0 }
    await operation(
      storeWith(store, {
        async *readStream(...args) {
          cost.reads++
          for await (const event of store.readStream(...args)) {
            if (event.data !== null) cost.events++
            yield event
          }
        },
      }),
    )
    return cost
  }
}

function onBoth(title: string, run: (t: Test, store: EventStore, costOf: CostOf) => Promise<void>): void {
  t.test(title, async (t) => {
    t.test('SQLite', async (t) => {
      const store = await openEventStore(`sqlite:${join(t.testdir({}), 'events.db')}`)
      t.teardown(() => store.close())
      await run(t, store, costOf(store))
    })
    t.test('EventStoreDB', async (t) => {
      await using fake = await startFakeEventStoreDb()
      const store = await openEventStore(fake.url)
      t.teardown(() => store.close())
      await run(t, store, costOf(store))
    })
  })
}

const times = 120
const repeat = async (change: (nth: number) => Promise<unknown>) => {
  for (let nth = 0; nth < times; nth++) await change(nth)
}
const at = '2026-01-31T12:00:00.000Z'

onBoth('an owner', async (t, store, costOf) => {
  const id = await createOwner(store, 'Acme')
  t.strictSame(await costOf((store) => readOwner(store, id)), { reads: 1, events: 1 })
  await changeOwner(store, id, { type: 'DisableOwner', data: {} })
  const rotate = (store: EventStore) => changeOwner(store, id, { type: 'RotateOwnerWebhookSecret', data: { at } })
  await repeat(() => rotate(store))
  const owner = await readOwner(store, id)
  t.match(owner, { status: 'disabled', name: 'Acme', webhookSecretVersion: times + 1 })
  t.match(owner, { webhookSecretRotations: { length: 10 } })
  for (const operation of [(store: EventStore) => readOwner(store, id), rotate]) {
    const { reads, events } = await costOf(operation)
    t.ok(reads === 1 && events <= mostEvents, `${reads} reads, ${events} events`)
  }
})

onBoth('an API key', async (t, store, costOf) => {
  const id = await issueApiKey(store, { key: newApiKey(), name: 'shop', scopes: ['generate'] })
  const rotate = (store: EventStore) => rotateApiKey(store, id, { graceS: 3_600 })
  await repeat(() => rotate(store))
  const key = await readApiKey(store, id)
  t.match(key, { status: 'active', name: 'shop', scopes: ['generate'], previous: { length: 10 } })
  t.ok((await costOf((store) => readApiKey(store, id))).events <= mostEvents)
  // Of the rotations of the last seconds, which may be of this command, only the ids are read.
  t.ok((await costOf(rotate)).events <= mostEvents)

  const session = 'a'.repeat(64)
  const metadata = operatorMetadata()
  await recordApiKeyUse(store, id, at)
  await repeat(() => recordSessionEnd(store, id, { session, until: new Date(), metadata }))
  await recordApiKeyUse(store, id, '2026-01-31T14:00:00.000Z')
  t.strictSame(await costOf((store) => recordApiKeyUse(store, id, '2026-01-31T14:30:00.000Z')), { reads: 1, events: 1 })
})

const url = 'https://hooks.example.com/platen'
const owner_id = 'own_default'

onBoth('a webhook URL that is disabled and enabled', async (t, store, costOf) => {
  const stream = endpointStream('end_1')
  const change = (store: EventStore, nth: number) => {
    const data = { owner_id, url, reason: 'gone' as const, delivery_id: 'msg_1' }
    const command =
      nth % 2 === 0 ? { type: 'DisableEndpoint' as const, data } : { type: 'EnableEndpoint' as const, data }
    return handleCommand({
      store,
      decider: endpointDecider,
      stream,
      command: { ...command, metadata: operatorMetadata() },
    })
  }
  await repeat((nth) => change(store, nth))
  t.strictSame(await costOf((store) => change(store, 0)), { reads: 1, events: 1 })
  t.match(await load(store, endpointDecider, stream), { state: { status: 'disabled', reason: 'gone' } })
})

onBoth('a webhook that is sent again and again', async (t, store, costOf) => {
  const id = 'msg_1'
  const body = JSON.stringify({ type: 'generation.completed' })
  const data = { generation_id: 'pdf_1', owner_id, api_key_id: 'key_1', url, event_id: 'event', body, next_at: at }
  const execute = (store: EventStore, command: Parameters<(typeof deliveryDecider)['decide']>[0]) =>
    handleCommand({
      store,
      decider: deliveryDecider,
      stream: deliveryStream(id),
      command: { ...command, metadata: operatorMetadata() },
    })
  const succeed = (store: EventStore, attempt: number) =>
    execute(store, { type: 'RecordAttempt', data: { attempt, outcome: { status: 200 }, duration_ms: 5 } })
  const again = (store: EventStore) => redeliver(store, id, { metadata: operatorMetadata(), now: Date.now })
  await execute(store, { type: 'ScheduleDelivery', data })
  t.strictSame(await costOf((store) => succeed(store, 1)), { reads: 1, events: 1 })
  await repeat(async (nth) => {
    await again(store)
    await succeed(store, nth + 2)
  })
  t.ok((await costOf(again)).events <= mostEvents)
  const attempt = await costOf((store) => succeed(store, times + 2))
  t.ok(attempt.reads === 1 && attempt.events <= mostEvents, `${attempt.reads} reads, ${attempt.events} events`)
  await again(store)
  const { state } = await load(store, deliveryDecider, deliveryStream(id))
  t.match(state, { status: 'pending', delivery: data, attempt: times + 3, redelivered: true })

  const record = await readDeliveryRecord(store, id)
  const shown = record && deliveryBody(record)
  t.match(shown, { id, generation_id: 'pdf_1', url, status: 'pending', attempts: { length: 100 } })
  t.strictSame(
    shown?.attempts.map(({ attempt }) => attempt),
    Array.from({ length: 100 }, (_, at) => at + 23),
  )
  const { reads, events } = await costOf((store) => readDeliveryRecord(store, id))
  t.ok(reads <= 2 && events <= 251, `${reads} reads, ${events} events`)
})

onBoth('a partial', async (t, store, costOf) => {
  const partial_id = 'prt_1'
  const execute = (command: Parameters<(typeof partialDecider)['decide']>[0]) =>
    handleCommand({
      store,
      decider: partialDecider,
      stream: partialStream(partial_id),
      command: { ...command, metadata: operatorMetadata() },
    })
  await execute({ type: 'CreatePartial', data: { partial_id, owner_id, name: 'head', html: '0' } })
  await repeat((nth) => execute({ type: 'UpdatePartial', data: { partial_id, owner_id, html: `${nth + 1}` } }))
  t.match(await readPartial(store, partial_id), { html: `${times}`, version: times + 1 })
  for (const version of [undefined, times / 2]) {
    t.strictSame(await costOf((store) => readPartial(store, partial_id, version)), { reads: 1, events: 1 })
  }
})
