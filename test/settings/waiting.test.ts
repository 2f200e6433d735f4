import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { startFakeEventStoreDb } from '../support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { startFakeS3 } from '../support/fake-s3/start-fake-s3.ts'
import { serviceEntryPoint } from '../support/fleet.ts'
import { startNatsCluster } from '../support/nats-cluster.ts'
import { startNatsServer } from '../support/nats-server.ts'
import { launch } from '../support/platen.ts'
import { until } from '../support/until.ts'

t.setTimeout(300_000)

type Fake = Awaited<ReturnType<typeof startFakeEventStoreDb>>

/** What the log says, and how the event store is made to be so. */
const absences: Record<string, (fake: Fake) => unknown> = {
  ECONNREFUSED: (fake) => fake.link.refuse(),
  'The event store does not answer': (fake) => fake.link.silence(),
  'it has no leader or no quorum': (fake) => {
    fake.role = { kind: 'unready' }
  },
}

t.test('a gateway with API_KEY waits for an event store, says why, and starts when it is there', async (t) => {
  await using nats = await startNatsServer()
  const folder = await mkdtemp(join(tmpdir(), 'platen-waiting-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const [reason, leave] of Object.entries(absences)) {
    await using fake = await startFakeEventStoreDb()
    await leave(fake)
    const settings = {
      NATS_URL: nats.url,
      EVENT_STORE_URL: fake.url,
      OBJECT_STORE_URL: `file:${folder}/objects`,
      DATA_DIR: join(folder, crypto.randomUUID()),
      SIGNING_SECRET: 'x'.repeat(32),
      API_KEY: 'a'.repeat(20),
      PORT: '0',
      // Each round has an event store of its own.
      DEPLOYMENT: 'waiting',
    }
    const running = await launch({
      entryPoint: serviceEntryPoint('gateway'),
      settings,
      readyText: 'event store unavailable, waiting for it',
    })
    t.match(running.output(), reason)
    t.notMatch(running.output(), 'gateway listening', reason)
    fake.role = { kind: 'leader' }
    await fake.link.restore()
    await until(() => running.output().includes('gateway listening') || undefined, running.output)
    await running.end()
    t.equal(running.child.exitCode, 0, reason)
  }
})

t.test(
  'a service waits for a NATS and an object store that are restarted, says so, and starts when they are there',
  async (t) => {
    await using nats = await startNatsServer()
    await using s3 = await startFakeS3()
    const folder = await mkdtemp(join(tmpdir(), 'platen-waiting-'))
    t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    await nats.stop()
    await s3.stop()
    const settings = {
      NATS_URL: nats.url,
      EVENT_STORE_URL: `sqlite:${folder}/events.db`,
      OBJECT_STORE_URL: s3.url('platen'),
      OBJECT_STORE_ACCESS_KEY: s3.accessKey,
      OBJECT_STORE_SECRET_KEY: s3.secretKey,
    }
    const readyText = 'NATS unavailable, waiting for it'
    const running = await launch({ entryPoint: serviceEntryPoint('template'), settings, readyText })
    await nats.restart()
    const says = (text: string) => until(() => running.output().includes(text) || undefined, running.output)
    await says('object store unavailable, waiting for it')
    await s3.start()
    await says('"ready"')
    await running.end()
    t.equal(running.child.exitCode, 0)
  },
)

t.test('a service waits for a NATS cluster without a quorum, says so, and starts when there is one', async (t) => {
  await using cluster = await startNatsCluster()
  const [first, ...others] = cluster.servers
  if (first === undefined) throw new Error('the cluster has no servers')
  const folder = await mkdtemp(join(tmpdir(), 'platen-waiting-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const server of others) await server.stop()
  const settings = {
    NATS_URL: first.url,
    EVENT_STORE_URL: `sqlite:${folder}/events.db`,
    OBJECT_STORE_URL: `file:${folder}/objects`,
  }
  const readyText = 'NATS unavailable, waiting for it'
  const running = await launch({ entryPoint: serviceEntryPoint('template'), settings, readyText })
  t.match(running.output(), /"reason":"[^"]*does not answer/)
  for (const server of others) await server.restart()
  await until(() => running.output().includes('"ready"') || undefined, running.output)
  await running.end()
  t.equal(running.child.exitCode, 0)
})
