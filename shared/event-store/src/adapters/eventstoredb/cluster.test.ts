import { setTimeout as sleep } from 'node:timers/promises'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { startFakeCluster } from '@platen/test-support/fake-eventstoredb/start-fake-cluster.ts'
import { selfSigned } from '@platen/test-support/self-signed.ts'
import { until } from '@platen/test-support/until.ts'
import t, { type Test } from 'tap'
import { dataOf, newEvent } from '../../suite/given-store.ts'
import { openEventStore } from '../open-event-store.ts'
import { setUpEventStoreDb } from './set-up.ts'

// These tests wait for timeouts, and a busy machine makes them slow.
t.setTimeout(600_000)

async function givenCluster(t: Test) {
  const cluster = await startFakeCluster()
  const store = await openEventStore(cluster.url)
  t.teardown(async () => {
    await store.close()
    await cluster[Symbol.asyncDispose]()
  })
  return { cluster, store }
}

/** The data of the notes that a subscription has brought, until the test ends. */
function follow(t: Test, store: Awaited<ReturnType<typeof openEventStore>>): unknown[] {
  const seen: unknown[] = []
  const leaving = new AbortController()
  const following = (async () => {
    for await (const item of store.subscribe({ after: 'start', categories: ['note'], signal: leaving.signal }))
      if (item.kind === 'event') seen.push(item.event.data)
  })()
  t.teardown(async () => {
    leaving.abort()
    await following
  })
  return seen
}

/** Retries while a dependency is unavailable, as callers do, but not for ever. */
async function persist<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (err) {
      if (!(err instanceof DependencyUnavailable) || tries > 100) throw err
      await sleep(100)
    }
  }
}

t.test('a suspended leader is left as soon as another one is elected', async (t) => {
  const { cluster, store } = await givenCluster(t)
  const [first, second] = cluster.nodes
  const seen = follow(t, store)
  await store.append('note-a', [newEvent(1)], 'none')
  await until(() => seen.length === 1 || undefined, 'the subscription brings nothing')
  cluster.freeze(first)
  const event = newEvent(2)
  await t.rejects(store.append('note-a', [event], 0, { timeoutMs: 2_000 }), { name: 'OutcomeUnknown' })
  await t.rejects(store.append('note-a', [event], 0), { name: 'StoreUnavailable' }, 'gossip calls it leader still')
  // The client's keep-alive has left the connection by then. It would connect again to the node that was called leader.
  await sleep(7_000)
  cluster.elect(second)
  t.equal((await persist(() => store.append('note-a', [event], 0))).revision, 1)
  t.strictSame(await persist(() => dataOf(store.readStream('note-a'))), [1, 2])
  await until(() => seen.length === 2 || undefined, 'the subscription stays with the suspended leader')
  t.strictSame(seen, [1, 2])
})

t.test('a suspended leader is left, although the URL has no other node, as with one name for all', async (t) => {
  const cluster = await startFakeCluster()
  const [first, second] = cluster.nodes
  const store = await openEventStore(`esdb+discover://127.0.0.1:${first.port}?tls=false`)
  t.teardown(async () => {
    await store.close()
    await cluster[Symbol.asyncDispose]()
  })
  await store.append('note-a', [newEvent(1)], 'none')
  cluster.freeze(first)
  cluster.elect(second)
  const event = newEvent(2)
  t.equal((await persist(() => store.append('note-a', [event], 0))).revision, 1)
  t.strictSame(await persist(() => dataOf(store.readStream('note-a'))), [1, 2])
})

t.test('a leader that was resumed after an election is not believed', async (t) => {
  const cluster = await startFakeCluster()
  t.teardown(() => cluster[Symbol.asyncDispose]())
  const [first, second] = cluster.nodes
  const writer = await openEventStore(cluster.url)
  await writer.append('note-a', [newEvent(1)], 'none')
  await writer.close()
  cluster.freeze(first)
  cluster.elect(second)
  const later = await openEventStore(cluster.url)
  await later.append('note-a', [newEvent(2)], 0)
  await later.close()
  cluster.thaw(first)
  // It takes calls for a leader, and answers from its old log. Each store asks the nodes anew.
  for (let n = 0; n < 10; n++) {
    const store = await openEventStore(cluster.url)
    t.strictSame(await dataOf(store.readStream('note-a')), [1, 2])
    await store.close()
  }
})

/** A store whose connection is to a leader that was deposed while it was suspended, and is resumed now. */
async function givenDeposedLeader(t: Test, suspendedMs: number) {
  const { cluster, store } = await givenCluster(t)
  const [first, second] = cluster.nodes
  await store.append('note-a', [newEvent(1)], 'none')
  cluster.freeze(first)
  cluster.elect(second)
  const other = await openEventStore(cluster.url)
  await other.append('note-a', [newEvent(2)], 0)
  await other.append('note-b', [newEvent(3)], 'none')
  await other.close()
  await sleep(suspendedMs)
  cluster.thaw(first)
  return store
}

t.test('a read of a revision that a deposed leader lacks is repeated on the leader', async (t) => {
  const store = await givenDeposedLeader(t, 0)
  t.strictSame(await dataOf(store.readStream('note-a', { from: 1, backwards: true, limit: 1 })), [2])
  const again = await givenDeposedLeader(t, 0)
  t.strictSame(await dataOf(again.readStream('note-b', { from: 0, backwards: true, limit: 1 })), [3])
  t.strictSame(await dataOf(again.readStream('note-a', { from: 9, backwards: true, limit: 1 })), [2], 'there is none')
  const writer = await givenDeposedLeader(t, 0)
  await t.rejects(writer.append('note-a', [newEvent(4)], 0), { name: 'WrongExpectedRevision', actual: 1 })
})

t.test('an idle connection is not used before its leader is confirmed', async (t) => {
  const store = await givenDeposedLeader(t, 3_000)
  t.strictSame(await dataOf(store.readStream('note-a')), [1, 2])
})

t.test('a resumed leader is used again if no other one was elected', async (t) => {
  const { cluster, store } = await givenCluster(t)
  const [first] = cluster.nodes
  await store.append('note-a', [newEvent(1)], 'none')
  cluster.freeze(first)
  await t.rejects(dataOf(store.readStream('note-a')), { name: 'StoreUnavailable' })
  await t.rejects(dataOf(store.readStream('note-a')), { name: 'StoreUnavailable' })
  cluster.thaw(first)
  t.strictSame(await persist(() => dataOf(store.readStream('note-a'))), [1])
})

t.test('that a leader was left for another is said in words of its own', async (t) => {
  const { cluster, store } = await givenCluster(t)
  const [first, second] = cluster.nodes
  await store.check({ timeoutMs: 60_000 })
  first.role = { kind: 'follower', count: 0, leader: { host: '127.0.0.1', port: second.port } }
  const message = 'EVENT_STORE_URL: the server is not the leader any more'
  await t.rejects(store.check({ timeoutMs: 60_000 }), { name: 'StoreUnavailable', message })
})

t.test('a leader that ends, and a node that is away, are done without', async (t) => {
  const { cluster, store } = await givenCluster(t)
  const [first, second, third] = cluster.nodes
  await third.link.refuse()
  const seen = follow(t, store)
  await store.append('note-a', [newEvent(1)], 'none')
  await until(() => seen.length === 1 || undefined, 'the subscription brings nothing')
  await third.link.restore()
  await first.link.refuse()
  cluster.elect(second)
  const event = newEvent(2)
  t.equal((await persist(() => store.append('note-a', [event], 0))).revision, 1)
  await until(() => seen.length === 2 || undefined, 'the subscription ended with the leader')
})

t.test('the setup uses the leader, also if the first node of the URL is away', async (t) => {
  const own = selfSigned(t)
  if (!own) return t.comment('no openssl')
  await using cluster = await startFakeCluster({ tls: own })
  const [first, second] = cluster.nodes
  await first.link.refuse()
  cluster.elect(second)
  const url = `${cluster.url}?tlsCAFile=${encodeURIComponent(own.certPath)}`
  const changes = []
  for await (const { change } of setUpEventStoreDb(url, { name: 'platen', password: 'p' }, { projections: false }))
    changes.push(change)
  t.strictSame(changes, ['created', 'changed', 'changed'])
})
