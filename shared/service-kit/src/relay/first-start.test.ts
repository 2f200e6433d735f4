import { join } from 'node:path'
import { AssetStored, assetStream } from '@platen/domain/asset/asset-events.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'
import { startNatsServer, type TestNatsServer } from '@platen/test-support/nats-server.ts'
import { until } from '@platen/test-support/until.ts'
import t, { type Test } from 'tap'
import { type BackingServices, type BackingServicesConfig, openBackingServices } from '../host/backing-services.ts'
import { claim } from './claim.ts'
import { startRelay } from './relay.ts'

const log = createLogger('test', 'silent')

const settings = (folder: string, nats: TestNatsServer): BackingServicesConfig => ({
  nats,
  eventStoreUrl: `sqlite:${join(folder, 'events.db')}`,
  objectStoreUrl: `file:${join(folder, 'objects')}`,
})

/** Opens the backing services as each service does at its start. */
async function open(t: Test, config: BackingServicesConfig): Promise<BackingServices> {
  const resources = new AsyncDisposableStack()
  const fail = (err: Error) => t.fail(err.message)
  const services = await openBackingServices(config, { service: 'gateway', log, resources, fail })
  await services.joined
  t.teardown(() => resources.disposeAsync())
  return services
}

/** Records an asset, as the gateway does. */
async function upload({ store }: BackingServices, ownerId: string): Promise<void> {
  const { data } = AssetStored.example
  const metadata = { time: '2026-01-01T00:00:00.000Z', correlation_id: 'req_1', causation_id: 'command' }
  await store.append(assetStream(ownerId), [{ id: crypto.randomUUID(), type: 'AssetStored', data, metadata }], 'none')
}

async function startTemplateRelay(t: Test, services: BackingServices): Promise<void> {
  const stop = new AbortController()
  const { done } = await startRelay({ ...services, service: 'template', stopping: stop.signal })
  t.teardown(() => {
    stop.abort()
    return done
  })
}

/** The subjects of the first messages in EVENTS. */
async function published({ bus }: BackingServices, count: number): Promise<string[]> {
  const { state } = await until(async () => {
    const info = await bus.jsm.streams.info('EVENTS')
    return info.state.messages >= count ? info : undefined
  }, 'not published')
  const seqs = Array.from({ length: state.messages }, (_, index) => state.first_seq + index)
  const messages = await Promise.all(seqs.map((seq) => bus.jsm.streams.getMessage('EVENTS', { seq })))
  return messages.map((message) => message.json<CloudEvent>().subject)
}

t.test('what other services record before the first start of a relay is published', async (t) => {
  await using nats = await startNatsServer()
  const services = await open(t, settings(t.testdir(), nats))
  await upload(services, 'own_1')
  await upload(await open(t, settings(t.testdirName, nats)), 'own_2')
  await startTemplateRelay(t, services)
  t.strictSame(await published(services, 2), ['own_1', 'own_2'])
})

t.test('into an emptied NATS only that is published which was recorded since', async (t) => {
  const folder = t.testdir()
  {
    await using old = await startNatsServer()
    const services = await open(t, settings(folder, old))
    await upload(services, 'own_1')
    await startTemplateRelay(t, services)
    t.strictSame(await published(services, 1), ['own_1'])
  }
  await using empty = await startNatsServer()
  const services = await open(t, settings(folder, empty))
  await upload(services, 'own_2')
  await startTemplateRelay(t, services)
  t.strictSame(await published(services, 1), ['own_2'])
})

t.test('after a claim, a relay that has never run begins at the end of the claimed event store', async (t) => {
  await using nats = await startNatsServer()
  const folder = t.testdir()
  const config = { ...settings(folder, nats), deployment: 'invoices-eu' }
  const replaced = { ...config, eventStoreUrl: `sqlite:${join(folder, 'replaced.db')}` }
  const before = await open(t, replaced)
  await upload(before, 'own_0')
  // NATS was emptied and joined again: its record names an event of this log.
  await new LazyBucket(before.bus, buckets.checkpoints).delete('deployment')
  await open(t, replaced)
  const services = await open(t, config)
  await t.rejects(startTemplateRelay(t, services), { message: /another event store.*deployment claim --yes/ })
  await claim({ ...services, deployment: 'invoices-eu' })
  await upload(services, 'own_1')
  await startTemplateRelay(t, services)
  t.strictSame(await published(services, 1), ['own_1'])
})
