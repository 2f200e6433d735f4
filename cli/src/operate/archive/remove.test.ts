import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { ageEvents } from '@platen/test-support/age-events.ts'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { jsonLines, runCli } from '../../testing/run-cli.ts'

t.setTimeout(240_000)

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { dataDir, services } = gateway
const env = { DATA_DIR: dataDir, NATS_URL: gateway.nats.url }
const eventsPath = join(dataDir, 'events.db')
const dayMs = 24 * 3_600_000

async function platen(...args: string[]) {
  const ran = await runCli(env, args)
  if (ran.code !== 0) throw new Error(`platen ${args.join(' ')}: ${ran.stdout}${ran.stderr}`)
  return ran
}

async function generate(metadata: Record<string, string> = {}): Promise<string> {
  const { status, body } = await gateway.call('POST', '/v1/generate', { body: { html: '<p>one', metadata } })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.id
}

/** The signature of the URL of a file differs each second. */
const withoutUrl = ({ url: _, ...rest }: { url: string }) => rest

const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...data } })

/** The number of rows of a stream in the file. */
function rowsOf(stream: string): number {
  const database = new DatabaseSync(eventsPath, { readOnly: true })
  try {
    return Number(database.prepare('SELECT count(*) AS n FROM events WHERE stream = ?').get(stream)?.n)
  } finally {
    database.close()
  }
}

t.test('old generations are removed from the log, and every reader still has them', async (t) => {
  const [kept, erased] = [await generate({ order: '1' }), await generate({ data_subject: 'customer-1' })]
  const delivery = newId('msg')
  const scheduled = {
    generation_id: kept,
    owner_id: 'own_default',
    api_key_id: 'key_1',
    url: 'https://example.com/hook',
    event_id: randomUUID(),
    body: '{"type":"generation.completed"}',
    next_at: '2026-01-31T12:00:00.000Z',
  }
  const succeeded = event('DeliverySucceeded', { attempt: 1, status: 204, duration_ms: 3 })
  await services.store.append(`delivery-${delivery}`, [event('DeliveryScheduled', scheduled), succeeded], 'none')
  const pending = newId('msg')
  await services.store.append(`delivery-${pending}`, [event('DeliveryScheduled', scheduled)], 'none')
  ageEvents(eventsPath, 100 * dayMs)
  const young = await generate()

  t.match(await runCli(env, ['archive', 'remove', '--older-than', '12h']), { code: 2, stderr: /at least 1d/ })
  t.match(await platen('archive', 'remove', '--older-than', '90d'), { stderr: 'nothing to remove\n' })
  await platen('archive')
  // They have the times that the events had.
  await platen('views', 'rebuild')
  const readers = async () => ({
    shown: withoutUrl((await gateway.call('GET', `/v1/generations/${kept}`)).body),
    listed: (await gateway.call('GET', '/v1/generations')).body.data.map(withoutUrl),
    deliveries: (await gateway.call('GET', `/v1/deliveries/${delivery}`)).body,
    events: jsonLines(await platen('events', '--category', 'generation', '--category', 'delivery')),
    last: jsonLines(await platen('events', '--type', 'GenerationCompleted', '--last', '1')),
    archived: jsonLines(await platen('archive', 'read')).length,
  })
  const before = await readers()
  t.equal(before.events.filter(({ type }) => type === 'GenerationCompleted').length, 3)
  const found = jsonLines(await platen('archive', 'remove', '--older-than', '90d', '--dry-run', '--json'))
  t.match(found, [{ streams: 3, dry_run: true }])
  t.strictSame(await readers(), before, 'a dry run removes nothing')

  // An earlier renderer would delete the files of generations that are not in its log.
  const sign = {
    instance: 'r',
    program: 'renderer',
    state: 'running',
    services: ['renderer'],
    ready: true,
    reasons: {},
  }
  const earlier = { ...sign, version: '0.0.9', node: '24.0.0', host: 'one', pid: 7, disks: [] }
  const signs = `$KV.${buckets.processes.name}.earlier`
  const announced = JSON.stringify({ ...earlier, started_at: new Date().toISOString() })
  await services.bus.js.publish(signs, announced)
  t.match(await runCli(env, ['archive', 'remove', '--older-than', '90d']), {
    code: 1,
    stderr: /of other versions are announced: renderer 0\.0\.9 \(process 7 on one\)\. Replace every process/,
  })
  t.strictSame(await readers(), before, 'nothing is removed')
  await services.bus.js.publish(signs, '')

  const removed = await platen('archive', 'remove', '--older-than', '90d')
  t.match(removed.stdout, /^segment 1 {2}3 streams {2}\d+ events {2}\d+ bytes {2}removed\n\d+ events removed/)
  t.equal(rowsOf(`generation-${kept}`), 1)
  t.equal(rowsOf(`delivery-${delivery}`), 1)
  t.equal(rowsOf(`delivery-${pending}`), 1, 'an open delivery is not removed')
  t.ok(rowsOf(`generation-${young}`) > 1)
  t.match(await platen('archive', 'remove', '--older-than', '90d'), { stderr: 'nothing to remove\n' })

  t.strictSame(await readers(), before)
  const stream = jsonLines(await platen('stream', `generation-${kept}`)).map(({ type }) => type)
  t.match(stream, ['GenerationRequested'])
  t.strictSame(stream.slice(-2), ['GenerationCompleted', 'MovedToArchive'])
  t.match((await platen('trace', kept)).stdout, /request accepted[\s\S]*completed[\s\S]*are in the archive/)
  t.match(await platen('generations', 'show', kept), { stdout: /completed/ })
  const { body } = await gateway.call('GET', `/v1/streams/generation-${kept}/events`)
  t.match(body.data, [{ type: 'GenerationRequested', data: { metadata: { order: '1' } } }])
  t.notOk(body.data.some(({ what }: { what: string }) => /unreadable|unknown/.test(what)))

  t.match(await platen('views', 'check'), { stdout: /^no differences/ })
  t.match(await platen('views', 'rebuild', '--wait', '60s'), { stdout: /the new views are in use/ })
  t.strictSame(await readers(), before, 'with views that were built from the archive')
  t.match(jsonLines(await platen('replay', '--category', 'generation', '--json')), [
    { events: before.events.filter(({ stream }) => stream.startsWith('generation-')).length },
  ])

  t.test('a gateway without views is built from the archive', async (t) => {
    const folder = t.testdir()
    const another = await gateway.startAnother({ dataDir: folder })
    t.teardown(() => another[Symbol.asyncDispose]())
    const authorization = { authorization: 'Bearer test-key-of-the-gateway-0123456789' }
    const answer = await fetch(`${another.url}/v1/generations/${kept}`, { headers: authorization })
    t.same(withoutUrl((await answer.json()) as { url: string }), before.shown)
  })

  t.test('its documents are erased, and the log says so', async (t) => {
    const { stdout } = await platen('erase', '--data-subject', 'customer-1', '--json')
    t.match(JSON.parse(stdout), { generations: [{ generation_id: erased, dead_letters: 0 }] })
    const erasedAt = async () => (await gateway.call('GET', `/v1/generations/${erased}`)).body.erased_at
    t.match(await until(erasedAt, 'the view does not show it'), /Z$/)
    const types = jsonLines(await platen('stream', `generation-${erased}`)).map(({ type }) => type)
    t.strictSame(types.slice(-2), ['MovedToArchive', 'ContentErased'])
    await platen('archive')
    t.match(await platen('views', 'check'), { stdout: /^no differences/ })
    ageEvents(eventsPath, 100 * dayMs)
  })

  t.test('a backup has the segments, and one that lacks them is not good', async (t) => {
    const folder = t.testdir()
    await platen('backup', join(folder, 'first'))
    t.match(await platen('backup', 'verify', join(folder, 'first')), { stdout: /It is whole/ })
    await rename(join(dataDir, 'objects', 'archive'), join(folder, 'archive'))
    t.match(await runCli(env, ['backup', join(folder, 'first')]), {
      code: 1,
      stderr: /files that events name are gone/,
    })
    t.match(await runCli(env, ['backup', join(folder, 'second')]), { code: 0 })
    const verified = await runCli(env, ['backup', 'verify', join(folder, 'second')])
    t.match(verified, { code: 1, stdout: /absent: objects\/archive\/.*\.ndjson\.gz of .* is not in the backup/ })
    await rename(join(folder, 'archive'), join(dataDir, 'objects', 'archive'))
  })

  t.test('without the archive nothing lies', async (t) => {
    await rm(join(dataDir, 'objects', 'archive'), { recursive: true })
    const ran = await runCli(env, ['stream', `generation-${kept}`])
    t.match(ran, { code: 1, stderr: /archive, which has older events, cannot be read/ })
    t.match(await runCli(env, ['events']), { code: 1, stderr: /archive, which has older events, cannot be read/ })
  })
})
