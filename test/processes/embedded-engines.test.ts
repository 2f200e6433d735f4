import { readdir } from 'node:fs/promises'
import type { Generation } from '@platen/shared/contracts/generation.ts'
import type { Template } from '@platen/shared/contracts/template.ts'
import t from 'tap'
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
