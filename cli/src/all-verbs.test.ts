import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { streamOfBucket } from '@platen/messaging/key-value/bucket.ts'
import { embeddedNatsConfig } from '@platen/service-kit/host/embedded-nats.ts'
import { encodeInput } from '@platen/service-kit/inputs/input-codec.ts'
import { ageEvents } from '@platen/test-support/age-events.ts'
import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { apiKey, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { natsServerPath, startNatsServer } from '@platen/test-support/nats-server.ts'
import { zipSync } from 'fflate'
import { connect, type NatsConnection } from 'nats'
import t from 'tap'
import { commands } from './commands.ts'
import { jsonLines, type Ran, runCli } from './testing/run-cli.ts'

// Every verb is run on one deployment: those that read, then those that change something as dry runs, then these for real.

t.setTimeout(900_000)

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { services, dataDir } = gateway
const { store, bus, objects } = services
/** A server without streams. */
const emptyNats = await startNatsServer()
t.teardown(() => emptyNats[Symbol.asyncDispose]())
const eventStoreDb = await startFakeEventStoreDb()
t.teardown(() => eventStoreDb[Symbol.asyncDispose]())
const folder = await mkdtemp(join(tmpdir(), 'platen-verbs-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

const env = { PLATEN_URL: gateway.url, API_KEY: apiKey, DATA_DIR: dataDir, NATS_URL: gateway.nats.url }
/** A stopped single node. */
const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
const stopped = { PATH, HOME, NODE_COMPILE_CACHE, NATS_SERVER_PATH: natsServerPath, DATA_DIR: join(folder, 'stopped') }
const elsewhere = { ...stopped, NATS_URL: emptyNats.url }

interface Verb {
  /** Arguments without the name of the verb. */
  args?: readonly string[]
  /** Settings added to those of the deployment. */
  env?: Record<string, string>
  /** Expected exit code. Default: 0. */
  code?: number | RegExp
  /** Of a verb that changes something: what it refuses, and a dry run refuses, too. */
  refused?: readonly string[]
  /** True for a verb that runs until Ctrl-C. */
  endless?: true
}

const given = await recordedHistory()
const { generation, batch, delivery, key, owner, work } = given

/** Which verbs there are, whether they change something, and how each is called. */
const verbs: { reads: Record<string, Verb>; changes: Record<string, Verb> } = {
  reads: {
    'templates list': {},
    'templates history': { args: ['invoice'] },
    'templates diff': { args: ['invoice'], code: 1 },
    'partials list': {},
    'partials history': { args: ['head'] },
    'batches list': {},
    'batches show': { args: [batch.ended] },
    'batches items': { args: [batch.ended] },
    'batches wait': { args: [batch.ended] },
    status: { code: /[01]/ },
    trace: { args: [generation.failed] },
    events: {},
    stream: { args: [`generation-${generation.failed}`] },
    'deliveries list': {},
    'deliveries show': { args: [delivery] },
    'generations list': {},
    'generations show': { args: [generation.failed] },
    'dead-letters list': {},
    'dead-letters show': { args: ['1'] },
    'keys list': {},
    'owners list': {},
    'views check': {},
    'archive list': {},
    'archive read': {},
    // No notifier has made its consumer.
    'streams check': { code: /[01]/ },
    'relay status': {},
    deployment: {},
    'nats-url': { env: stopped },
    doctor: { code: /[01]/ },
    'backup verify': { args: [join(folder, 'backup')], env: stopped },
    // It works in a folder that it removes.
    'backup drill': { args: [join(folder, 'backup'), '--documents', '1'], env: stopped },
  },
  changes: {
    'templates restore': { args: ['invoice', '--version', '1'], refused: ['invoice', '--version', '7'] },
    'templates pull': { args: [join(folder, 'pulled')], refused: [join(folder, 'pulled'), 'nosuch'] },
    'templates push': { args: [work.good], refused: [work.bad] },
    'assets push': { args: [work.assets], refused: [work.bad] },
    'import jsreport': { args: [work.jsreport], refused: [work.bad] },
    'batches create': { args: [work.items], refused: [work.bad] },
    'batches cancel': { args: [batch.running], refused: [batch.ended] },
    'batches download': { args: [batch.ended, '--to', join(folder, 'batch.zip')], refused: [batch.running] },
    'templates watch': { args: [work.other], refused: [join(folder, 'nosuch')], endless: true },
    replay: { args: ['--stream', 'AUDIT', '--to', 'audit.>'], refused: ['--to-events'] },
    'deliveries redeliver': { args: [delivery], refused: [newId('msg')] },
    'generations retry': { args: [generation.failed], refused: [newId('pdf')] },
    'generations cancel': { args: [generation.rendering], refused: [newId('pdf')] },
    'dead-letters retry': { args: ['1'], refused: ['7'] },
    'dead-letters drop': { args: ['2'], refused: ['7'] },
    erase: { args: [generation.erasable], refused: [newId('pdf')] },
    'keys issue': { args: ['--name', 'more'], refused: ['--name', 'more', '--owner', 'nobody'] },
    'keys rotate': { args: [key], refused: ['key_none'] },
    'keys revoke': { args: [key], refused: ['key_none'] },
    'owners create': { args: ['--name', 'More'], refused: [] },
    'owners rename': { args: [owner, '--name', 'Less'], refused: ['nobody', '--name', 'Less'] },
    'owners disable': { args: [owner], refused: ['nobody'] },
    'owners enable': { args: [owner], refused: ['nobody'] },
    'owners rotate-webhook-secret': { args: [owner], refused: ['nobody'] },
    'views rebuild': { args: ['--wait', '30s'], refused: ['--wait', 'long'] },
    archive: { args: ['--segment-events', '2'], refused: ['--through', 'nowhere'] },
    'archive remove': { args: ['--older-than', '30d'], refused: ['--older-than', '1h'] },
    'streams setup': { env: elsewhere, refused: ['--replicas', '3'] },
    'deployment claim': { env: elsewhere, refused: ['now'] },
    'eventstore setup': { env: { EVENT_STORE_URL: eventStoreDb.url }, refused: ['--user', 'a b'] },
    backup: { args: [join(folder, 'copy')], env: stopped, refused: [work.otherBackup] },
    'backup engines': { args: ['--done'], refused: ['now'] },
    restore: { args: [join(folder, 'backup')], env: { DATA_DIR: join(folder, 'new') }, refused: [work.good] },
  },
}

const run = async (name: string, args: readonly string[], verb: Verb): Promise<Ran> => {
  const own = verb.env ?? env
  const stop = new AbortController()
  const options = verb.endless ? { signal: stop.signal, onLine: () => stop.abort() } : {}
  return runCli(own, [...name.split(' '), ...args], options)
}

t.test('each verb is known here, and those that change something have a dry run', async (t) => {
  const named = [...Object.keys(verbs.reads), ...Object.keys(verbs.changes)]
  t.strictSame(named.toSorted(), commands.map(({ name }) => name).toSorted())
  for (const { name, options } of commands) {
    t.equal('dry-run' in options, name in verbs.changes, `${name} --dry-run`)
  }
})

t.test('a verb that reads, and a dry run, change nothing', async (t) => {
  for (const [name, verb] of Object.entries(verbs.reads)) {
    await t.test(name, async (t) => {
      const before = await settled()
      const ran = await run(name, [...(verb.args ?? []), '--json'], verb)
      t.match(ran, { code: verb.code ?? 0, stdout: /./ })
      checkSpelling(t, ran)
      t.strictSame(await settled(), before)
    })
  }
  for (const [name, verb] of Object.entries(verbs.changes)) {
    await t.test(`${name} --dry-run`, async (t) => {
      const before = await settled()
      const ran = await run(name, [...(verb.args ?? []), '--dry-run', '--json'], verb)
      t.match(ran, { code: 0, stdout: /./ })
      for (const line of jsonLines(ran)) t.equal(line.dry_run, true, JSON.stringify(line))
      checkSpelling(t, ran)
      t.match(await run(name, [...(verb.args ?? []), '--dry-run'], verb), { code: 0, stdout: /./ })
      const refused = await run(name, [...(verb.refused ?? []), '--dry-run'], verb)
      t.match(refused.code, /[12]/, 'what the verb refuses')
      t.strictSame(await settled(), before)
    })
  }
})

t.test(
  'each verb that changes something does so without --dry-run, and refuses what the dry run refuses',
  async (t) => {
    for (const [name, verb] of Object.entries(verbs.changes)) {
      await t.test(name, async (t) => {
        const dry = await run(name, [...(verb.refused ?? []), '--dry-run'], verb)
        t.match(await run(name, verb.refused ?? [], verb), { code: dry.code }, dry.stderr)
        const before = await settled()
        const ran = await run(name, [...(verb.args ?? []), '--json'], verb)
        t.match(ran, { code: 0, stdout: /./ })
        checkSpelling(t, ran)
        for (const line of jsonLines(ran)) t.notOk(line.dry_run)
        t.notSame(await settled(), before, 'it changes something')
      })
    }
  },
)

/** Objects whose field names come from users, or are names of things. */
const others = new Set(['types', 'services', 'sample_data', 'samples', 'data_schema', 'labels', 'partials', 'assets'])

/** The fields of all JSON are in snake_case, as those of the API and of events are. */
function checkSpelling(t: { ok(value: unknown, message: string): unknown }, ran: Ran) {
  const wrong = new Set<string>()
  const look = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, item] of Object.entries(value)) {
      if (!Array.isArray(value) && !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) wrong.add(`${path}.${name}`)
      if (!others.has(name)) look(item, Array.isArray(value) ? path : `${path}.${name}`)
    }
  }
  for (const line of jsonLines(ran)) look(line, '')
  t.ok(wrong.size === 0, `fields are in snake_case: ${[...wrong]}`)
}

/** The state to compare: the event stores, the content of NATS, and all files. */
async function state() {
  return {
    log: await store.end(),
    views: (await stat(join(dataDir, 'gateway', 'views.db'))).ino,
    nats: await Promise.all([natsState(bus.nats), natsStateOf(emptyNats.url)]),
    eventStoreDb: await eventStoreDbEnd(),
    files: [...(await filesOf(dataDir)), ...(await filesOf(folder))],
  }
}

/** The state when the services have done what follows from the last change. */
async function settled() {
  for (let [before, after] = [await state(), undefined as unknown]; ; before = after as typeof before) {
    await sleep(250)
    after = await state()
    if (JSON.stringify(after) === JSON.stringify(before)) return before
  }
}

/** Buckets that the services write all the time. */
const restless: string[] = [buckets.leases, buckets.checkpoints, buckets.processes].map(streamOfBucket)

async function natsState(nats: NatsConnection) {
  const jsm = await nats.jetstreamManager()
  const streams = []
  for await (const { config, state } of jsm.streams.list()) {
    const { messages, first_seq, last_seq } = state
    const consumers = []
    for await (const { name } of jsm.consumers.list(config.name)) consumers.push(name)
    if (restless.includes(config.name)) streams.push([config.name])
    else streams.push([config.name, config.max_bytes, { messages, first_seq, last_seq }, consumers.sort()])
  }
  return streams.sort()
}

async function natsStateOf(url: string) {
  const nats = await connect({ servers: url })
  try {
    return await natsState(nats)
  } finally {
    await nats.close()
  }
}

async function eventStoreDbEnd() {
  const opened = await openEventStore(eventStoreDb.url)
  try {
    return await opened.end()
  } finally {
    await opened.close()
  }
}

/** Databases that are in use are compared by what is in them. */
const databases = /(\.db|-wal|-shm|-journal|\.lock)$/

async function filesOf(path: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    // The folder of objects has it for what is being written.
    if (file.includes('/.tmp')) continue
    if (!entry.isFile()) found.push(file)
    else if (!databases.test(entry.name)) {
      const { size, mtimeMs } = await stat(file)
      found.push(`${file} ${size} ${mtimeMs}`)
    }
  }
  return found.sort()
}

/** A deployment with something of each kind, and a stopped one with a backup. */
async function recordedHistory() {
  const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...data } })
  const html = '<h1>{{n}}</h1>'
  await gateway.call('POST', '/v1/partials', { body: { name: 'head', html: '<b>head' } })
  const { body: template } = await gateway.call('POST', '/v1/templates', {
    body: { name: 'invoice', html, sample_data: { n: 1, maxItems: 2 }, samples: { twoPages: { n: 2 } } },
  })
  await gateway.call('PATCH', `/v1/templates/${template.id}`, { body: { html: `${html}2` } })

  const input = encodeInput({ html: '<p>', options: resolvePdfOptions() })
  const recorded = async () => {
    const id = newId('pdf')
    await objects.put(`inputs/${id}`, input, 'application/octet-stream')
    const requested = { api_key_id: 'key_1', owner_id: 'own_default', input_key: `inputs/${id}` }
    const failed = event('GenerationFailed', { code: 'RENDER_FAILED', message: 'no' })
    await store.append(`generation-${id}`, [event('GenerationRequested', requested), failed], 'none')
    return id
  }
  const [failed, erasable] = [await recorded(), await recorded()]
  await recorded()
  ageEvents(join(dataDir, 'events.db'), 60 * 24 * 3_600_000)
  // They have the times that the events had.
  await succeed(env, 'views', 'rebuild')
  const ended = (await gateway.call('POST', '/v1/batches', { body: { items: [{ html }] } })).body.id
  await succeed(env, 'batches', 'wait', ended)
  gateway.renderer.behaviour = 'held'
  const running = (await gateway.call('POST', '/v1/batches', { body: { items: [{ html }] } })).body.id
  const rendering = (await gateway.call('POST', '/v1/generate', { body: { html, async: true } })).body.id
  const delivery = newId('msg')
  const scheduled = {
    generation_id: failed,
    owner_id: 'own_default',
    api_key_id: 'key_1',
    url: 'https://example.com/hook',
    event_id: randomUUID(),
    body: '{"type":"generation.failed"}',
    next_at: '2026-01-31T12:00:00.000Z',
  }
  await store.append(`delivery-${delivery}`, [event('DeliveryScheduled', scheduled)], 'none')
  for (let count = 0; count < 2; count++) {
    const generation_id = newId('pdf')
    const request = { generation_id, owner_id: 'own_default', api_key_id: 'key_1' }
    const data = { request, input: { html: '<p>', options: resolvePdfOptions() } }
    const metadata = { id: randomUUID(), time: '2026-01-31T12:00:00.000Z', correlation_id: newId('req') }
    const command = JSON.stringify({ type: 'RenderPdf', data, metadata })
    await bus.js.publish(`dead-letters.commands.render.batch.own_default.${generation_id}`, command)
  }
  await succeed(env, 'archive')
  const [issued] = await succeed(env, 'keys', 'issue', '--name', 'ci')
  const [owned] = await succeed(env, 'owners', 'create', '--name', 'Acme')

  await mkdir(join(stopped.DATA_DIR, 'objects'), { recursive: true })
  const server = { port: 14_224, passwords: { services: 's-1', subscriber: 's-2' }, storeDir: stopped.DATA_DIR }
  const config = embeddedNatsConfig({ ...server, diskBytes: 2 ** 40, syncAlways: false })
  await writeFile(join(stopped.DATA_DIR, 'nats.conf'), config)
  await writeFile(join(stopped.DATA_DIR, 'signing-secret'), '0123456789abcdef0123456789abcdef')
  const other = join(folder, 'other-data')
  await mkdir(join(other, 'objects'), { recursive: true })
  const work = {
    good: await templateFolder('good', '<p>{{n}}'),
    bad: await templateFolder('bad', '{{#if}}'),
    other: await templateFolder('other', '<p>other'),
    assets: await folderWith('assets', 'page.css', 'p { color: red }'),
    jsreport: await jsreportExport(),
    items: join(await folderWith('items', 'items.ndjson', '{"html":"<p>"}'), 'items.ndjson'),
    otherBackup: join(folder, 'other-backup'),
  }
  for (const [dataDir, backup] of [
    [stopped.DATA_DIR, join(folder, 'backup')],
    [other, work.otherBackup],
  ] as const) {
    await succeed({ ...stopped, DATA_DIR: dataDir }, 'keys', 'issue', '--name', 'first', '--create')
    await succeed({ ...stopped, DATA_DIR: dataDir }, 'backup', backup)
  }
  const generation = { failed, erasable, rendering }
  return { delivery, owner: owned.id, work, key: issued.id, generation, batch: { ended, running } }
}

async function succeed(env: Record<string, string>, ...args: string[]) {
  const ran = await runCli(env, [...args, '--json'])
  if (ran.code !== 0) throw new Error(`${args.join(' ')}: ${ran.stderr}`)
  return jsonLines(ran)
}

async function jsreportExport(): Promise<string> {
  const template = {
    shortid: 'one',
    name: 'From jsreport',
    engine: 'handlebars',
    recipe: 'chrome-pdf',
    content: '<p>{{n}}',
  }
  const files = { 'metadata.json': {}, 'templates/one.json': template }
  const zip = Object.entries(files).map(([path, json]) => [path, Buffer.from(JSON.stringify(json))])
  const path = join(folder, 'shop.jsrexport')
  await writeFile(path, zipSync(Object.fromEntries(zip)))
  return path
}

function templateFolder(name: string, html: string) {
  return folderWith(name, 'template.html', html)
}

async function folderWith(name: string, file: string, text: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path)
  await writeFile(join(path, file), text)
  return path
}
