import { buckets } from '@platen/domain/streams/buckets.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { type Environment, readConfig } from '@platen/foundation/settings/config.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import { startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import { freePorts } from '@platen/test-support/free-port.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { backingServiceChecks, openBackingServices, readBackingServicesConfig } from './backing-services.ts'

const env = {
  NATS_URL: 'nats://127.0.0.1:4222',
  EVENT_STORE_URL: 'sqlite:events.db',
  OBJECT_STORE_URL: 's3://minio:9000/platen',
}

const read = (more: Environment) => readConfig({ ...env, ...more }, readBackingServicesConfig)

t.test('the settings of the object store', async (t) => {
  t.match(read({}), { objectStoreUrl: env.OBJECT_STORE_URL, retention: { inputDays: 7, pdfDays: 0 } })
  const given = {
    OBJECT_STORE_ACCESS_KEY: 'access',
    OBJECT_STORE_SECRET_KEY: 'hidden',
    OBJECT_STORE_PUBLIC_URL: 'https://files.example.com',
    AWS_SESSION_TOKEN: 'token',
    INPUT_RETENTION_DAYS: '30',
    PDF_RETENTION_DAYS: '90',
  }
  t.same(read(given).objectStoreOptions, {
    accessKey: 'access',
    secretKey: 'hidden',
    publicUrl: 'https://files.example.com',
    sessionToken: 'token',
  })
  t.same(read(given).retention, { inputDays: 30, pdfDays: 90 })
})

t.test('an invalid URL is reported without its value, which may contain keys', async (t) => {
  const refused = (more: Environment) => t.throws(() => read(more), { name: 'ConfigError' })
  refused({ OBJECT_STORE_PUBLIC_URL: 'https://files.example.com/prefix' })
  refused({ INPUT_RETENTION_DAYS: '0' })
  t.throws(() => read({ OBJECT_STORE_URL: 'S3://me:hidden@minio:9000/platen' }), {
    message: 'OBJECT_STORE_URL must be file:<path of the folder> or s3://host:port/bucket',
  })
})

t.test('settings of NATS that need each other are missed', async (t) => {
  const wrong: [Environment, string][] = [
    [{ NATS_CERT: '/client.pem' }, 'NATS_KEY must be set: NATS_CERT is set'],
    [{ NATS_KEY: '/client.key' }, 'NATS_CERT must be set: NATS_KEY is set'],
  ]
  for (const [more, message] of wrong) t.throws(() => read(more), { message })
  t.match(read({ NATS_USER: 'me', NATS_PASSWORD: 'secret' }).nats, { user: 'me', password: 'secret' })
  t.match(read({ NATS_PASSWORD: 'secret' }).nats, { user: undefined, token: 'secret' })
})

t.test('the backing services open on S3', async (t) => {
  await using nats = await startNatsServer()
  await using s3 = await startFakeS3()
  await using resources = new AsyncDisposableStack()
  const config = read({
    NATS_URL: nats.url,
    EVENT_STORE_URL: `sqlite:${t.testdir()}/events.db`,
    OBJECT_STORE_URL: s3.url('platen'),
    OBJECT_STORE_ACCESS_KEY: s3.accessKey,
    OBJECT_STORE_SECRET_KEY: s3.secretKey,
    INPUT_RETENTION_DAYS: '3',
  })
  const services = await openBackingServices(config, {
    service: 'test',
    log: createLogger('test', 'silent'),
    resources,
    fail: () => {},
  })
  for (const { check } of backingServiceChecks(services)) await check()
  t.match(services.retention, { inputDays: 3 })
})

t.test(
  'servers that are not there are waited for equally long, with the same text, and the start fails with the setting',
  async (t) => {
    await using nats = await startNatsServer()
    await using s3 = await startFakeS3()
    const [noServer] = await freePorts(1)
    const there = {
      NATS_URL: nats.url,
      EVENT_STORE_URL: `sqlite:${t.testdir()}/events.db`,
      OBJECT_STORE_URL: s3.url('platen'),
      OBJECT_STORE_ACCESS_KEY: s3.accessKey,
      OBJECT_STORE_SECRET_KEY: s3.secretKey,
    }
    const absent = [
      ['NATS', { NATS_URL: `nats://127.0.0.1:${noServer}` }, /^NATS_URL: no NATS server answers at/],
      [
        'event store',
        { EVENT_STORE_URL: `esdb://127.0.0.1:${noServer}?tls=false` },
        /^EVENT_STORE_URL: no event store answers at/,
      ],
      [
        'object store',
        { OBJECT_STORE_URL: `s3://127.0.0.1:${noServer}/platen?tls=false` },
        /^OBJECT_STORE_URL: no object store answers at/,
      ],
    ] as const
    for (const [name, settings, message] of absent) {
      await using resources = new AsyncDisposableStack()
      const { log, text } = recordingLog()
      const options = { service: 'test', log, resources, fail: () => {}, patienceMs: 2_000 }
      const startedAt = performance.now()
      const starting = openBackingServices(read({ ...there, ...settings }), options)
      await t.rejects(
        starting.then(({ joined }) => joined),
        { message },
      )
      t.ok(performance.now() - startedAt > 1_000, name)
      t.match(text(), `${name} unavailable, waiting for it for 2 s at most`)
    }
  },
)

t.test('each start has an identity of its own, and who runs NATS knows those before it', async (t) => {
  await using nats = await startNatsServer()
  await using resources = new AsyncDisposableStack()
  const folder = t.testdir()
  const config = read({
    NATS_URL: nats.url,
    EVENT_STORE_URL: `sqlite:${folder}/events.db`,
    OBJECT_STORE_URL: `file:${folder}/objects`,
  })
  const open = (ownsNats: boolean) =>
    openBackingServices(config, {
      service: 'test',
      log: createLogger('test', 'silent'),
      resources,
      ownsNats,
      fail: () => {},
    })
  const [one, other] = [await open(true), await open(false)]
  t.match(one.instance, /^test@/)
  t.not(one.instance, other.instance)
  const recorded = async () => {
    const entry = await (await openBucket(one.bus, buckets.leases)).get('instances')
    return entry?.json<string[]>().includes(one.instance) || undefined
  }
  await until(recorded, 'it is not recorded')
  const next = await open(true)
  t.ok(next.hasEnded(one.instance), 'it had the lock of the folder')
  t.notOk(next.hasEnded(other.instance), 'it may use this nats-server still')
  t.notOk(next.hasEnded(next.instance))
  t.notOk((await open(false)).hasEnded(one.instance), 'a process that does not own the nats-server knows nothing')
  await other.bus.jsm.streams.update('KV_LEASES', { max_bytes: 1 })
  const late = await open(true)
  t.ok(late.hasEnded(one.instance), 'a start on a full disk goes on, and knows what was recorded before')
})
