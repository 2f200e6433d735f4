import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { rendererInboxPrefix } from '@platen/domain/streams/renderer-account.ts'
import { setUpStreams } from '@platen/domain/streams/set-up-streams.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { ObjectStoreUnavailable } from '@platen/object-store/object-store.ts'
import { startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import { startNatsCluster } from '@platen/test-support/nats-cluster.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { until } from '@platen/test-support/until.ts'
import t, { type Test } from 'tap'
import { type BackingServicesConfig, openBackingServices } from './backing-services.ts'
import { deploymentOf } from './deployment.ts'
import { checkAfterReconnects, claimDeployment, joinDeployment, recordedDeployments } from './join-deployment.ts'

const log = createLogger('test', 'silent')
const emptyLog = { end: async () => 'start' as const }

/** Opens the backing services as a service does, and closes them. Resolves to what they are. */
async function open(config: BackingServicesConfig) {
  await using resources = new AsyncDisposableStack()
  const services = await openBackingServices(config, { service: 'test', log, resources, fail: () => {} })
  await services.joined
  return { deployment: await services.deployment(), ...(await recordedDeployments(services)) }
}

const settings = (
  t: Test,
  nats: BackingServicesConfig['nats'],
  name: string,
  objects = name,
): BackingServicesConfig => ({
  nats,
  eventStoreUrl: `sqlite:${join(t.testdirName, `${name}.db`)}`,
  objectStoreUrl: `file:${join(t.testdirName, objects)}`,
})

t.test('replicas of one deployment start at the same moment, and another deployment is refused', async (t) => {
  t.testdir()
  await using nats = await startNatsServer()
  const ours = settings(t, nats, 'ours')
  const replicas = await Promise.all(Array.from({ length: 6 }, () => open(ours)))
  const { deployment = '' } = replicas[0] ?? {}
  t.match(deployment, /^dep_/)
  for (const replica of replicas) t.same(replica, { deployment, nats: deployment, objects: deployment })

  const theirs = settings(t, nats, 'theirs')
  const refused = new RegExp(
    `NATS .*belongs to the deployment ${deployment}, and this process to dep_.*deployment claim --yes`,
  )
  await t.rejects(open(theirs), { name: 'OtherDeployment', message: refused })
  await t.rejects(open({ ...theirs, deployment: 'invoices-eu' }), { message: /this process to invoices-eu/ })
  t.match(await open(ours), { nats: deployment })
})

t.test('what is refused has changed nothing', async (t) => {
  t.testdir()
  await using nats = await startNatsServer()
  await using bus = await openBus(nats, 'test', log)
  const bucket = new LazyBucket(bus, buckets.checkpoints)
  await bucket.write('deployment', JSON.stringify({ deployment: 'other' }), 0)
  await t.rejects(open(settings(t, nats, 'ours')), { name: 'OtherDeployment' })
  t.equal(await found(bus.jsm.streams.info('COMMANDS')), undefined)
  const objects = await openObjectStore(settings(t, nats, 'ours').objectStoreUrl)
  t.equal(await objects.info('platen/deployment'), undefined)
})

t.test('of two deployments that begin at once, one gets NATS', async (t) => {
  t.testdir()
  await using nats = await startNatsServer()
  const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => open(settings(t, nats, name))))
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
})

t.test('the object store of another deployment is refused, a new NATS is taken', async (t) => {
  t.testdir()
  await using old = await startNatsServer()
  const { deployment } = await open(settings(t, old, 'ours'))
  await using empty = await startNatsServer()
  const foreign = new RegExp(`object store .*belongs to the deployment ${deployment}`)
  await t.rejects(open(settings(t, empty, 'theirs', 'ours')), { message: foreign })
  t.match(await open(settings(t, empty, 'ours')), { nats: deployment, objects: deployment }, 'NATS was wiped')
})

t.test('a restored copy of the event store is the same deployment', async (t) => {
  t.testdir()
  await using nats = await startNatsServer()
  const { deployment } = await open(settings(t, nats, 'ours'))
  await copyFile(join(t.testdirName, 'ours.db'), join(t.testdirName, 'restored.db'))
  t.match(await open(settings(t, nats, 'restored', 'ours')), { deployment })
})

t.test('an event store that was replaced takes NATS and the object store after a claim only', async (t) => {
  t.testdir()
  await using nats = await startNatsServer()
  await open(settings(t, nats, 'ours'))
  const replaced = settings(t, nats, 'replaced', 'ours')
  await t.rejects(open(replaced), { name: 'OtherDeployment' })
  await using bus = await openBus(nats, 'test', log)
  const objects = await openObjectStore(replaced.objectStoreUrl)
  const store = await openEventStore(replaced.eventStoreUrl)
  t.teardown(() => store.close())
  const deployment = await deploymentOf(store, replaced)
  await claimDeployment({ bus, store, objects, deployment, log })
  t.match(await open(replaced), { deployment, nats: deployment, objects: deployment })
  await t.rejects(open(settings(t, nats, 'ours')), { name: 'OtherDeployment' }, 'the old one is refused then')
})

t.test('the identity is kept in a bucket', async (t) => {
  t.testdir()
  await using nats = await startNatsServer()
  await using s3 = await startFakeS3()
  const config = {
    ...settings(t, nats, 'ours'),
    objectStoreUrl: s3.url('platen'),
    objectStoreOptions: { accessKey: s3.accessKey, secretKey: s3.secretKey },
  }
  const { deployment } = await open(config)
  t.match(await open(config), { objects: deployment })
  await using empty = await startNatsServer()
  const theirs = { ...config, nats: empty, eventStoreUrl: settings(t, nats, 'theirs').eventStoreUrl }
  await t.rejects(open(theirs), { name: 'OtherDeployment' })
})

t.test('the rights of deploy/nats/accounts.conf are enough', async (t) => {
  t.testdir()
  const passwords = {
    OPERATORS_PASSWORD: 'p-operators',
    NATS_PASSWORD: 'p-services',
    NATS_RENDERER_PASSWORD: 'p-renderer',
    SUBSCRIBER_PASSWORD: 'p-sub',
  }
  await using nats = await startNatsServer(
    ['-c', fileURLToPath(new URL('../../../../deploy/nats/accounts.conf', import.meta.url))],
    passwords,
  )
  const operators = { url: nats.url, user: 'operators', password: passwords.OPERATORS_PASSWORD }
  await using bus = await openBus(operators, 'test', log)
  for await (const _ of setUpStreams(bus));
  const services = { url: nats.url, user: 'services', password: passwords.NATS_PASSWORD, manageStreams: false }
  const renderer = { url: nats.url, user: 'renderer', password: passwords.NATS_RENDERER_PASSWORD }
  await using ofRenderer = await openBus({ ...renderer, inboxPrefix: rendererInboxPrefix }, 'test', log)
  const objects = await openObjectStore(`file:${join(t.testdirName, 'objects')}`)
  const joinAs = (deployment: string) => joinDeployment({ bus: ofRenderer, store: emptyLog, objects, deployment, log })
  await t.rejects(
    joinAs('ours'),
    { name: 'BusUnavailable', message: /has started yet/ },
    'a renderer waits for another',
  )
  const { deployment } = await open(settings(t, services, 'ours'))
  t.match(await open(settings(t, services, 'ours')), { nats: deployment })
  await t.rejects(open(settings(t, services, 'theirs')), { name: 'OtherDeployment' })
  await joinAs(deployment ?? '')
})

t.test('an object store whose keys may not write the record is used unchecked, with a warning', async (t) => {
  await using nats = await startNatsServer()
  await using bus = await openBus(nats, 'test', log)
  const refuse = () => Promise.reject(new ObjectStoreUnavailable('AccessDenied'))
  const warnings: unknown[] = []
  const warn = (...args: unknown[]) => void warnings.push(args)
  await joinDeployment({
    bus,
    store: emptyLog,
    objects: { get: refuse, put: refuse },
    deployment: 'ours',
    log: { warn },
  })
  t.match(warnings[0], [{ reason: 'AccessDenied' }, 'it is not checked whose object store this is'])
})

t.test('it is checked again after a reconnect', async (t) => {
  t.testdir()
  await using nats = await startNatsServer()
  const objects = await openObjectStore(`file:${join(t.testdirName, 'objects')}`)
  await using bus = await openBus(nats, 'test', log)
  const rejoin = () => joinDeployment({ bus, store: emptyLog, objects, deployment: 'ours', log })
  await rejoin()
  const bucket = new LazyBucket(bus, buckets.checkpoints)
  await bucket.write('deployment', JSON.stringify({ deployment: 'theirs' }), (await bucket.read('deployment')).revision)
  const met: Error[] = []
  void checkAfterReconnects(bus, () => rejoin().catch((err) => void met.push(err)))
  await nats.restart()
  await until(() => met[0], 'it was not checked')
  t.match(met[0], { name: 'OtherDeployment', message: /theirs/ })
})

t.test(
  'while the streams of a cluster have no leader, the identity is known or NATS is away, and never another one',
  async (t) => {
    const folder = t.testdir()
    await using cluster = await startNatsCluster()
    await using bus = await openBus(cluster, 'test', log)
    for await (const _ of setUpStreams(bus, { replicas: 3 }));
    const objects = await openObjectStore(`file:${join(folder, 'objects')}`)
    t.teardown(() => objects.close())
    const joining = () => joinDeployment({ bus, store: emptyLog, objects, deployment: 'ours', log })
    await joining()
    const outcome = () =>
      joining().then(
        () => 'known',
        (err) => err,
      )
    const [last, ...others] = cluster.servers
    for (const server of others) await server.stop()
    // A replica without a leader answers some requests, and others not. A process that meets any other error exits.
    for (let n = 0; n < 20; n++) {
      const met = await outcome()
      if (met !== 'known') t.match(met, { constructor: BusUnavailable })
    }
    await last?.stop()
    t.match(await outcome(), { constructor: BusUnavailable })
    for (const server of cluster.servers) await server.restart()
    await until(
      () =>
        joining()
          .then(() => true)
          .catch(() => undefined),
      'the identity is not known again',
    )
  },
)
