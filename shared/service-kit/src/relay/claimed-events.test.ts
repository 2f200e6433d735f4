import { buckets } from '@platen/domain/streams/buckets.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { derivedUuid } from '@platen/foundation/runtime/ids.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { type GivenRelay, givenRelay, log, record } from '@platen/test-support/relay/given-relay.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import { until } from '@platen/test-support/until.ts'
import { headers as natsHeaders } from 'nats'
import t, { type Test } from 'tap'
import { claim } from './claim.ts'
import { positionHeader } from './resume-point.ts'

t.setTimeout(100_000)

async function claimFor(t: Test, { bus }: GivenRelay, store: EventStore) {
  const objects = await openObjectStore(`file:${t.testdir()}`)
  return claim({ bus, store, objects, deployment: 'dep_other', log })
}

/** The revisions of an aggregate in EVENTS, in the order of the messages. */
const revisionsOf = (events: Awaited<ReturnType<GivenRelay['published']>>, id: string) =>
  events.flatMap(({ subject, revision }) => (subject === id ? [revision] : [])).join()

/** Publishes the message of an event that the log does not have, without an id that JetStream would know. */
async function publishForeign({ bus }: GivenRelay, aggregate: string, event: { id: string; revision: number }) {
  const headers = natsHeaders()
  headers.set(positionHeader, 'sqlite:00000000:1:none')
  const payload = JSON.stringify({ ...event, subject: aggregate })
  await bus.js.publish(`events.generation.started.${aggregate}`, payload, { headers })
}

async function publishesAll(t: Test, partitions: number): Promise<void> {
  const given = await givenRelay(t)
  const { bus, relay, published, store } = given
  const ids = ['a', 'b', 'c']
  const stop = await relay({ partitions })
  await record(store, ids, [0, 1, 2, 3, 4], 'replaced')
  await published(15)
  await stop()
  for (const id of ids) await publishForeign(given, id, { id: derivedUuid(`restored ${id}`, 2), revision: 0 })
  await using restored = await openTemporaryStore()
  await record(restored.store, ids, [0, 1], 'restored')
  t.strictSame(await claimFor(t, given, restored.store), ['renderer'])
  const checkpoints = await openBucket(bus, buckets.checkpoints)
  const claimed = (await checkpoints.get('relay.renderer'))?.string() ?? ''
  const stopClaimed = await relay({ store: restored.store })
  await record(restored.store, ['a'], [2], 'restored')
  await published(19)
  await stopClaimed()
  await record(restored.store, ['b', 'c'], [2], 'restored')
  await record(restored.store, ids, [3, 4], 'restored')
  // As if it had been killed before it saved anything.
  await checkpoints.put('relay.renderer', claimed)
  const stopAgain = await relay({ store: restored.store })
  for (const id of ids) t.equal(revisionsOf(await published(27), id), '0,1,2,3,4,0,2,3,4', id)
  await stopAgain()
}

t.test('what is recorded after a claim is published, whatever EVENTS has', (t) => publishesAll(t, 1))

t.test('the same with a relay of four partitions', (t) => publishesAll(t, 4))

t.test('a claim helps if the log ends before the checkpoint of a partition, and not before that of all', async (t) => {
  const given = await givenRelay(t)
  const { bus, relay, published, store } = given
  const ids = ['a', 'b', 'c', 'd']
  const stop = await relay({ partitions: 2 })
  await record(store, ids, [0, 1], 'restored')
  await published(8)
  await stop()
  for (const id of ids) await publishForeign(given, id, { id: derivedUuid(`replaced ${id}`, 2), revision: 2 })
  const checkpoints = await openBucket(bus, buckets.checkpoints)
  const change = async (key: string, changed: { seq: number; id: undefined; position?: string }) =>
    checkpoints.put(key, JSON.stringify({ ...(await checkpoints.get(key))?.json<object>(), ...changed }))
  const position = `${await store.end()}`.replace(/:\d+:[^:]+$/, `:1000:${crypto.randomUUID()}`)
  const { last_seq: seq } = (await bus.jsm.streams.info('EVENTS')).state
  await change('relay.renderer', { seq, id: undefined })
  await change('relay.renderer.1', { seq, id: undefined, position })
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>()
  const stopFailed = await relay({ fail })
  t.match(await failed, { message: /another event store.*deployment claim --yes/ })
  await stopFailed()
  t.strictSame(await claimFor(t, given, store), ['renderer'])
  t.strictSame(await claimFor(t, given, store), [], 'nothing is left to do')
  const stopClaimed = await relay()
  await record(store, ids, [2], 'restored')
  await until(async () => {
    const events = await published(16)
    return ids.every((id) => revisionsOf(events, id).endsWith('2')) || undefined
  }, 'not published')
  await stopClaimed()
})
