import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import {
  embeddedNatsPath,
  embeddedNatsUrl,
  readEmbeddedNats,
  servicesUser,
} from '@platen/service-kit/host/embedded-nats.ts'
import { connect } from 'nats'
import t from 'tap'
import { launchNats } from '../../deploy/single-node/src/nats/nats-process.ts'
import { natsServerPath } from '../support/nats-server.ts'
import { startReceiver } from '../support/notifier/receiver.ts'
import { type Platen, startPlaten } from '../support/platen.ts'
import { download } from '../support/print.ts'
import { processesNaming, untilGone } from '../support/processes.ts'
import { readPdf } from '../support/read-pdf.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

interface Row {
  stream: string
  type: string
}

const endings = ['GenerationCompleted', 'GenerationFailed', 'GenerationCancelled']

/** Events of the event log, read from the database file. */
function eventsOf({ dataDir }: Platen, category: string): Row[] {
  const database = new DatabaseSync(join(dataDir, 'events.db'), { readOnly: true })
  try {
    const rows = database.prepare('SELECT stream, type FROM events WHERE category = ? ORDER BY position').all(category)
    return rows.map(({ stream, type }) => ({ stream: String(stream), type: String(type) }))
  } finally {
    database.close()
  }
}

const endedIn = (platen: Platen) =>
  eventsOf(platen, 'generation')
    .filter(({ type }) => endings.includes(type))
    .map(({ stream }) => stream)

t.test('50 queued generations are all completed after kill -9', async (t) => {
  await using platen = await startPlaten()
  const body = { name: 'Kept', html: '<h1>Document {{n}}</h1><p>{{text}}', sample_data: { n: 0 } }
  const { body: template } = await platen.json<Template>('/v1/templates', { body })
  const submit = async (n: number) => {
    const data = { n, text: 'Lorem ipsum. '.repeat(2_000) }
    return (await platen.json<Generation>('/v1/generate', { body: { template: 'kept', data, async: true } })).body.id
  }
  const ids = await Promise.all(Array.from({ length: 50 }, (_, at) => submit(at)))
  t.equal(new Set(ids).size, 50)
  await until(() => endedIn(platen).length >= 5 || undefined, 'no generation ended')
  await platen.kill()
  const before = endedIn(platen)
  t.ok(before.length < 50, `${before.length} had ended before the kill`)

  await platen.start()
  t.strictSame((await platen.json('/v1/templates/kept')).body, template, 'the template is unchanged')
  for (const [at, id] of ids.entries()) {
    const { status, body } = await platen.json<Generation>(`/v1/generations/${id}?wait=60`)
    t.strictSame([status, body.status], [200, 'completed'], id)
    const pdf = await download(body.url)
    t.equal(pdf.byteLength, body.size, id)
    if (at % 10 !== 0) continue
    const pages = await readPdf(pdf)
    t.equal(pages.length, body.pages)
    t.match(pages[0]?.text, `Document ${at} `)
  }
  const ended = endedIn(platen)
  t.strictSame(ended.toSorted(), ids.map((id) => `generation-${id}`).sort(), 'each generation ended exactly once')
  t.strictSame(ended.slice(0, before.length), before, 'generations that had ended are unchanged')

  await t.test('after a second kill -9 the list and the events are the same', async (t) => {
    const list = async () => {
      const { body } = await platen.json<{ data: Generation[] }>('/v1/generations?limit=100')
      return body.data.map((generation) => ({ ...generation, url: '' }))
    }
    const listed = await list()
    t.equal(listed.length, 50)
    await platen.kill()
    await platen.start()
    t.strictSame(await list(), listed)
    t.strictSame(endedIn(platen), ended, 'nothing was rendered again')
    t.notMatch(platen.output(), /pk_/, 'the API key is printed once')
  })
})

t.test('SIGTERM and SIGINT stop all processes, and the next start completes the queued generations', async (t) => {
  await using platen = await startPlaten()
  for (const [signal, to] of [
    ['SIGTERM', 'process'],
    ['SIGINT', 'group'],
    ['SIGTERM', 'group'],
  ] as const) {
    const body = { html: '<script>const until = Date.now() + 300; while (Date.now() < until);</script>', async: true }
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => (await platen.json<Generation>('/v1/generate', { body })).body.id),
    )
    const children = await platen.children()
    t.ok(
      children.some(({ command }) => /nats-server/.test(command)),
      'nats-server is running',
    )
    t.ok(
      children.some(({ command }) => /chrom/.test(command)),
      'a browser is running',
    )
    t.equal(await platen.stop(signal, to), 0, `${signal} to the ${to}`)
    await untilGone(children)
    t.strictSame(await processesNaming(platen.dataDir), [])
    await platen.start()
    for (const id of ids) {
      t.equal((await platen.json<Generation>(`/v1/generations/${id}?wait=60`)).body.status, 'completed')
    }
  }
})

t.test('requests in progress are answered before the process exits', async (t) => {
  await using platen = await startPlaten()
  const html = '<script>const until = Date.now() + 700; while (Date.now() < until);</script>Slow'
  const { body: queued } = await platen.json<Generation>('/v1/generate', { body: { html, async: true } })
  const waiting = platen.json<Generation>(`/v1/generations/${queued.id}?wait=60`)
  const answer = platen.json<Generation>('/v1/generate', { body: { html } })
  await until(() => eventsOf(platen, 'generation').length >= 4 || undefined, 'the documents are not being rendered')
  t.equal(await platen.stop(), 0)
  t.match(await answer, { status: 200, body: { status: 'completed' } })
  t.equal((await waiting).status, 200, 'a waiting poll is answered')
})

t.test(
  'what a killed process held is taken by the next start at once, whatever its leases and claims say',
  async (t) => {
    await using platen = await startPlaten()
    // The first attempt is never answered.
    await using receiver = await startReceiver((response, nth, { path }) => {
      if (path !== '/held' || nth > 1) response.writeHead(204).end()
    })
    const generate = (path: string) =>
      platen.json('/v1/generate', { body: { html: 'x', async: true, webhook_url: receiver.url(path) } })
    t.match(await generate('/held'), { status: 202 })
    const [first] = await receiver.calls('/held', 1)
    await platen.kill()
    await holdForAnHour(platen)

    await platen.start()
    const [, again] = await receiver.calls('/held', 2)
    t.equal(again?.headers['webhook-id'], first?.headers['webhook-id'])
    t.match(await generate('/new'), { status: 202 })
    await receiver.calls('/new', 1)
  },
)

/** Leases and claims in the nats-server of a Platen that was killed have an hour left. */
async function holdForAnHour({ dataDir }: Platen): Promise<void> {
  const embedded = await readEmbeddedNats(dataDir)
  if (!embedded) throw new Error('there is no nats.conf')
  const { port, passwords } = embedded
  const config = embeddedNatsPath(dataDir)
  const server = await launchNats({
    program: natsServerPath,
    config,
    log: createLogger('nats', 'silent'),
    stalledAfterMs: 15_000,
  })
  const connection = await connect({ servers: embeddedNatsUrl(port), user: servicesUser, pass: passwords.services })
  for (const name of ['LEASES', 'DELIVERY_CLAIMS']) {
    const bucket = await connection.jetstream().views.kv(name, { bindOnly: true })
    for await (const key of await bucket.keys()) {
      const entry = await bucket.get(key)
      const value = entry?.json<{ until?: number }>()
      if (value?.until) await bucket.put(key, JSON.stringify({ ...value, until: Date.now() + 3_600_000 }))
    }
  }
  await connection.close()
  await server.stop()
}
