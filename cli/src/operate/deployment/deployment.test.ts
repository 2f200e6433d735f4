import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { type BackingServicesConfig, openBackingServices } from '@platen/service-kit/host/backing-services.ts'
import { claimFile } from '@platen/service-kit/host/claim-file.ts'
import { embeddedNatsConfig, embeddedNatsPath } from '@platen/service-kit/host/embedded-nats.ts'
import { startRelay } from '@platen/service-kit/relay/relay.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { until } from '@platen/test-support/until.ts'
import { connect } from 'nats'
import t from 'tap'
import { runCli } from '../../testing/run-cli.ts'

const log = createLogger('test', 'silent')

/** Opens the services of a deployment and runs the relay of templates until it has published `count` events. */
async function publish(config: BackingServicesConfig, count: number): Promise<void> {
  await using resources = new AsyncDisposableStack()
  const services = await openBackingServices(config, { service: 'test', log, resources, fail: () => {} })
  await services.joined
  const stop = new AbortController()
  const relay = await startRelay({ ...services, service: 'template', stopping: stop.signal })
  const events = async () => (await services.bus.jsm.streams.info('EVENTS')).state.messages
  await services.store.append(
    `template-${count}`,
    [{ id: crypto.randomUUID(), type: 'TemplateDeleted', data: {}, metadata: {} }],
    'none',
  )
  await until(async () => ((await events()) === count ? true : undefined), 'nothing is published')
  stop.abort()
  await relay.done
}

t.test('a replaced event store and a new name are claimed, and nothing of the log is published twice', async (t) => {
  await using nats = await startNatsServer()
  const folder = t.testdir({ objects: {} })
  const env = {
    NATS_URL: nats.url,
    EVENT_STORE_URL: `sqlite:${folder}/events.db`,
    OBJECT_STORE_URL: `file:${folder}/objects`,
  }
  const config = { nats, eventStoreUrl: env.EVENT_STORE_URL, objectStoreUrl: env.OBJECT_STORE_URL }
  await publish(config, 1)

  const replaced = { ...config, eventStoreUrl: `sqlite:${folder}/other.db` }
  const other = await openEventStore(replaced.eventStoreUrl)
  await other.append('template-old', [{ id: crypto.randomUUID(), type: 'TemplateDeleted', data: {} }], 'none')
  await other.close()
  await t.rejects(publish(replaced, 2), { name: 'OtherDeployment', message: /deployment claim --yes/ })
  const platen = (...args: string[]) => runCli({ ...env, EVENT_STORE_URL: replaced.eventStoreUrl }, args)
  await t.test('a dry run makes nothing that NATS lacks', async (t) => {
    await using lacking = await startNatsServer()
    const client = await connect({ servers: lacking.url })
    const jsm = await client.jetstreamManager()
    await jsm.streams.add({ name: 'EVENTS', subjects: ['events.>'] })
    const dry = { ...env, NATS_URL: lacking.url, EVENT_STORE_URL: replaced.eventStoreUrl }
    t.match(await runCli(dry, ['deployment', 'claim', '--dry-run']), { code: 0, stdout: /now to nobody/ })
    t.strictSame(await jsm.streams.names().next(), ['EVENTS'])
    await client.close()
  })
  t.match(await platen('deployment', 'claim'), { code: 2, stderr: /belong to dep_.*add --yes/ })
  const claimed = JSON.parse((await platen('deployment', 'claim', '--yes', '--json')).stdout)
  t.match(claimed, { deployment: /^dep_/, relays: ['template'] })
  await publish(replaced, 2)

  const renamed = (...args: string[]) =>
    runCli({ ...env, EVENT_STORE_URL: replaced.eventStoreUrl, DEPLOYMENT: 'invoices-eu' }, args)
  t.match(await renamed('deployment', 'claim', '--yes'), { code: 0, stdout: /belong to invoices-eu\n$/ })
  t.match(await renamed('doctor'), { stdout: /ok +deployment +invoices-eu/ })
  await publish({ ...replaced, deployment: 'invoices-eu' }, 3)
})

t.test('for a stopped single node, the next start is told', async (t) => {
  const dataDir = join(t.testdir({}), 'data')
  await mkdir(dataDir)
  const platen = (...args: string[]) => runCli({ DATA_DIR: dataDir }, ['deployment', 'claim', ...args])
  const passwords = { services: 'one', subscriber: 'two' }
  const server = { port: 4_222, passwords, storeDir: dataDir, diskBytes: 1e9, syncAlways: false }
  await writeFile(embeddedNatsPath(dataDir), embeddedNatsConfig(server))
  t.match(await platen(), { code: 2, stderr: 'the next start claims NATS and the object store; add --yes' })
  t.notOk(existsSync(claimFile(dataDir)))
  t.match(await platen('--yes'), { code: 0, stdout: 'the next start' })
  t.ok(existsSync(claimFile(dataDir)))
})
