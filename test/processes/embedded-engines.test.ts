import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Template } from '@platen/domain/template/template.ts'
import t from 'tap'
import { jsonLines, runCli } from '../../cli/src/testing/run-cli.ts'
import { customerOf } from '../support/customer.ts'
import { startEmbeddedEngines } from '../support/engines.ts'
import { startFleet } from '../support/fleet.ts'
import { listAll } from '../support/list-all.ts'
import { startReceiver } from '../support/notifier/receiver.ts'
import { download } from '../support/print.ts'
import { endings, readGenerations } from '../support/recorded.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

const engines = await startEmbeddedEngines()
t.teardown(() => engines[Symbol.asyncDispose]())
const fleet = await startFleet(engines.settings)
t.teardown(() => fleet[Symbol.asyncDispose]())
const receiver = await startReceiver()
t.teardown(() => receiver[Symbol.asyncDispose]())
const [one, other] = fleet.gateways
/** One renderer alone would need some seconds for all documents. */
const busy = '<script>const until = Date.now() + 150; while (Date.now() < until);</script>'

t.test('two processes of each service share one SQLite file and one folder', async (t) => {
  const body = { name: 'Embedded', html: 'Hello {{name}}' }
  const { body: template } = await one.json<Template>('/v1/templates', { body })
  t.strictSame((await one.json(`/v1/templates/${template.id}`)).body, template)
  const seen = await until(async () => {
    const { status, body } = await other.json<Template>(`/v1/templates/${template.id}`)
    return status === 200 ? body : undefined
  }, 'the other gateway does not have the template')
  t.strictSame(seen, template)
  const answer = await other.json<Generation>('/v1/generate', { body: { template: 'embedded', data: { name: 'Ada' } } })
  t.match(answer, { status: 200, body: { status: 'completed' } })
  t.equal((await download(answer.body.url)).byteLength, answer.body.size)
})

t.test('both renderers work, and each generation has one end, one file and one webhook', async (t) => {
  const customer = customerOf(fleet.gateways)
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      customer.submit(`document ${n}`, { html: `<p>Document ${n}${busy}`, webhook_url: receiver.url(`/${n}`) }),
    ),
  )
  for (const [key, id] of customer.accepted) {
    const { body } = await one.json<Generation>(`/v1/generations/${id}?wait=60`)
    t.equal(body.status, 'completed', id)
    await until(() => receiver.on(`/${key.split(' ')[1]}`)[0], `no webhook was sent for ${id}`)
  }
  t.equal(receiver.received.length, customer.accepted.size, 'one webhook for each generation')
  const recorded = await readGenerations(fleet)
  for (const { id, types } of recorded.values()) {
    t.equal(types.filter((type) => endings.includes(type)).length, 1, `${id}: ${types}`)
  }
  t.equal(new Set(recorded.values().flatMap(({ renderers }) => renderers)).size, 2, 'both renderers worked')
  const stored = await readdir(`${engines.folder}/objects/pdfs`)
  const named = recorded.values().map(({ objectKey }) => objectKey?.replace('pdfs/', ''))
  t.strictSame(stored.sort(), [...named].sort(), 'every file has its event')
  const lists = await Promise.all(fleet.gateways.map((gateway) => listAll(gateway)))
  t.equal(lists[0]?.length, recorded.size)
  t.strictSame(lists[1], lists[0])
  for (const { name, errors } of fleet.processes) t.strictSame(errors(), [], `${name} logged no error`)
})

t.test('a restore takes EVENTS over, although each service has a folder of its own', async (t) => {
  const folder = t.testdir({ data: {} })
  const dataDir = join(folder, 'data')
  const platen = (...args: string[]) => runCli({ ...engines.settings, DATA_DIR: dataDir }, args)
  const generate = async () => (await one.json<Generation>('/v1/generate', { body: { html: 'x' } })).body.id
  const kept = await generate()
  t.match(await platen('backup', join(folder, 'backup')), { code: 0 })
  const lost = await generate()
  const published = () =>
    until(async () => {
      const states = jsonLines(await platen('relay', 'status', '--json')).map(({ state }) => state)
      return states.some((state) => state === 'behind') ? undefined : states
    }, 'the events are not published')
  await published()

  t.match(await platen('restore', join(folder, 'backup')), { code: 1, stderr: 'stop all services first' })
  t.equal((await one.json(`/v1/generations/${lost}`)).status, 200, 'a refused restore changes nothing')
  const [last, ...others] = fleet.processes.toSorted((a) => (a.service === 'gateway' ? -1 : 1))
  await Promise.all(others.map((process) => process.stop()))
  await fleet.store.close()
  // The gateway publishes nothing, but would continue to write to the replaced file.
  const inUse = /process \d+ \(.*gateway.*\) has the event store .* open; stop all/
  t.match(await platen('restore', join(folder, 'backup')), { code: 1, stderr: inUse })
  await last?.stop()
  t.match(await platen('restore', join(folder, 'backup')), { code: 0, stdout: 'are restored' })
  t.strictSame(
    (await readdir(dataDir)).filter((name) => name === 'claim-deployment'),
    [],
    'nothing is left for later',
  )
  // Views of a log that went on differently are refused.
  for (const { dataDir, service } of fleet.processes) await rm(join(dataDir, service), { recursive: true, force: true })
  await Promise.all(fleet.processes.map((process) => process.start()))

  t.equal((await one.json(`/v1/generations/${kept}`)).status, 200)
  t.equal((await one.json(`/v1/generations/${lost}`)).status, 404)
  const later = await generate()
  t.notOk((await published()).includes('other_event_store'))
  const events = jsonLines(await platen('trace', later, '--json'))
  t.ok(events.length > 0)
  t.strictSame(
    fleet.processes.flatMap((process) => process.errors()),
    [],
  )
})
