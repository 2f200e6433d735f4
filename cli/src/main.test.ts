import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { recordApiKeyUse } from '@platen/domain/api-key/api-key-use.ts'
import { hashApiKey } from '@platen/domain/api-key/api-keys.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { embeddedNatsConfig } from '@platen/service-kit/host/embedded-nats.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t, { type Test } from 'tap'
import { commands } from './commands.ts'
import { jsonLines, type Ran, runCli } from './testing/run-cli.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

t.setTimeout(600_000)

function runProcess(env: Record<string, string>, args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const all = { PATH, NODE_COMPILE_CACHE, ...env }
    execFile(process.execPath, [main, ...args], { env: all }, (err, stdout, stderr) =>
      resolve({ code: Number(err?.code ?? 0), stdout, stderr }),
    )
  })
}

async function startCli(t: Test) {
  const temporary = await openTemporaryStore()
  t.teardown(() => temporary[Symbol.asyncDispose]())
  const env = { EVENT_STORE_URL: temporary.url }
  const platen = Object.assign((...args: string[]) => runCli(env, args), {
    following: (args: string[], signal: AbortSignal, onLine: (line: string) => void) =>
      runCli(env, args, { signal, onLine }),
  })
  return { platen, store: temporary.store }
}

t.test('keys are issued, listed without secrets and revoked', async (t) => {
  const { platen, store } = await startCli(t)
  const issued = await platen('keys', 'issue', '--name', 'ci', '--scopes', 'generate, templates:read')
  const [id = '', key = ''] = issued.stdout.split('\n')
  t.match(id, /^key_[0-9a-z]{26}$/)
  t.match(key, /^pk_[0-9A-Za-z]{43}$/)
  for await (const event of store.readStream(`apikey-${id}`)) {
    t.match(event.data, { name: 'ci', sha256: hashApiKey(key), scopes: ['generate', 'templates:read'] })
  }
  const listed = await platen('keys', 'list')
  t.match(listed.stdout, `${id}  active   ${key.slice(0, 7)}…  generate,templates:read  ci  own_default  never used`)
  t.notMatch(listed.stdout, key)
  const rotated = JSON.parse((await platen('keys', 'rotate', id, '--grace', '24h', '--json')).stdout)
  t.match(rotated, { id, key: /^pk_[0-9A-Za-z]{43}$/ })
  await recordApiKeyUse(store, id, '2026-01-31T12:00:00.000Z')
  const again = (await platen('keys', 'list')).stdout
  t.match(again, `${id}  active   ${rotated.key.slice(0, 7)}…`)
  t.match(again, 'own_default  last used 2026-01-31T12:00:00.000Z')
  const before = await platen('keys', 'list')
  for (const dry of [
    ['issue', '--name', 'more'],
    ['rotate', id],
  ])
    t.notMatch((await platen('keys', ...dry, '--dry-run', '--json')).stdout, 'pk_')
  t.same(await platen('keys', 'list'), before)
  t.match(await platen('keys', 'revoke', id), { code: 0, stdout: `revoked ${id}` })
  t.match(await platen('keys', 'revoke', id, '--dry-run'), { code: 0, stdout: `${id} (ci) is revoked already` })
  t.same(jsonLines(await platen('keys', 'revoke', id, '--json')), [{ id, status: 'revoked' }])
  t.match((await platen('keys', 'list')).stdout, `${id}  revoked`)
  t.match(await platen('keys', 'revoke', 'key_none'), { code: 1, stderr: 'platen: API key key_none does not exist' })
  t.match(await platen('keys', 'rotate', id), { code: 1, stderr: 'platen: The API key is revoked' })
})

t.test('owners are created, and named in other commands by id or name', async (t) => {
  const { platen } = await startCli(t)
  const created = await platen('owners', 'create', '--name', 'Acme Ltd')
  t.match(created, { code: 0, stdout: /^own_[0-9a-z]{26}\n$/ })
  const id = created.stdout.trim()
  for (const owner of [id, 'Acme Ltd']) {
    const issued = await platen('keys', 'issue', '--name', 'theirs', '--owner', owner, '--json')
    t.match(JSON.parse(issued.stdout), { id: /^key_/, owner_id: id, key: /^pk_/ })
  }
  t.match(await platen('keys', 'issue', '--name', 'ours'), { code: 0 })
  const theirs = jsonLines(await platen('keys', 'list', '--owner', 'Acme Ltd', '--json'))
  t.strictSame(
    theirs.map(({ owner_id, name, scopes }) => [owner_id, name, scopes.includes('admin')]),
    [
      [id, 'theirs', false],
      [id, 'theirs', false],
    ],
  )
  t.equal(jsonLines(await platen('keys', 'list', '--json')).length, 3)
  t.match(await platen('keys', 'issue', '--name', 'x', '--owner', 'nobody'), { code: 1, stderr: 'no owner nobody' })
  t.same(jsonLines(await platen('owners', 'rename', 'Acme Ltd', '--name', 'default', '--json')), [
    { id, name: 'default' },
  ])
  t.match(await platen('owners', 'disable', 'default'), { code: 1, stderr: '2 owners are named default; give the id' })
  t.match(await platen('owners', 'disable', id), { code: 0, stdout: `${id} is disabled` })
  t.match((await platen('owners', 'list')).stdout, `own_default  active    default\n${id}  disabled  default\n`)
  t.same(jsonLines(await platen('owners', 'enable', id, '--json')), [{ id, status: 'active' }])
  t.match(await platen('owners', 'rotate-webhook-secret', id), { code: 0, stdout: /new webhook secret/ })
  t.same(jsonLines(await platen('owners', 'list', '--json'))[1], { id, status: 'active', name: 'default' })
  t.match(await platen('owners', 'create'), { code: 2, stderr: '--name is required' })
})

t.test('each command explains --json', async (t) => {
  for (const { name } of commands) {
    t.match((await runCli({}, [...name.split(' '), '--help'])).stdout, '--json', name)
  }
})

t.test('streams and events are printed as JSON lines', async (t) => {
  const { platen, store } = await startCli(t)
  const event = (type: string, data: object) => ({ id: crypto.randomUUID(), type, data: { ...data } })
  await store.append('template-a', [event('TemplateCreated', { name: 'A' })], 'none')
  await store.append('generation-b', [event('GenerationRequested', {})], 'none')
  await store.append('template-a', [event('TemplateDeleted', {})], 0)
  await store.append('asset-c', [event('Other', { id: 12345678901234567890n })], 'none')
  for (const args of [
    ['stream', 'asset-c'],
    ['events', '--category', 'asset', '--format', 'cloudevents'],
  ])
    t.match((await platen(...args)).stdout, '"id":12345678901234567890}', 'integers keep their digits')
  t.match(jsonLines(await platen('stream', 'template-a')), [
    { stream: 'template-a', revision: 0, type: 'TemplateCreated', data: { name: 'A' } },
    { stream: 'template-a', revision: 1, type: 'TemplateDeleted' },
  ])
  t.strictSame(
    jsonLines(await platen('events')).map(({ stream, revision }) => [stream, revision]),
    [
      ['template-a', 0],
      ['generation-b', 0],
      ['template-a', 1],
      ['asset-c', 0],
    ],
  )
  t.match(jsonLines(await platen('stream', 'template-a', '--last', '1', '--since', '1h')), [{ revision: 1 }])
  t.equal((await platen('stream', 'template-a', '--until', '1h')).stdout, '')
  t.match(await platen('stream', 'Not a stream'), { code: 1, stderr: /^platen: / })
})

t.test('events are selected by category, type, time, position and request', async (t) => {
  const { platen, store } = await startCli(t)
  const append = (stream: string, type: string, correlation_id: string) =>
    store.append(stream, [{ id: crypto.randomUUID(), type, data: {}, metadata: { correlation_id } }], 'any')
  await append('template-a', 'TemplateDeleted', 'req_1')
  await append('generation-b', 'GenerationCancelled', 'req_2')
  const middle = new Date(Date.now() + 1)
  while (Date.now() <= middle.getTime()) await new Promise(setImmediate)
  await append('generation-c', 'GenerationCancelled', 'req_3')
  const streamsOf = async (...args: string[]) => jsonLines(await platen('events', ...args)).map(({ stream }) => stream)
  t.strictSame(await streamsOf('--category', 'generation'), ['generation-b', 'generation-c'])
  t.strictSame(await streamsOf('--type', 'TemplateDeleted', '--type', 'TemplateCreated'), ['template-a'])
  t.strictSame(await streamsOf('--since', middle.toISOString()), ['generation-c'])
  t.strictSame(await streamsOf('--until', middle.toISOString()), ['template-a', 'generation-b'])
  t.strictSame(await streamsOf('--correlation', 'req_2'), ['generation-b'])
  t.strictSame(await streamsOf('--limit', '1'), ['template-a'])
  t.strictSame(await streamsOf('--last', '1'), ['generation-c'])
  t.strictSame(await streamsOf('--last', '2', '--category', 'generation'), ['generation-b', 'generation-c'])
  t.match(await platen('events', '--last', '1', '--follow'), { code: 2, stderr: '--last excludes' })
  const [first] = jsonLines(await platen('events', '--json'))
  t.match(await platen('events', '--json', '--format', 'table'), { code: 2, stderr: 'exclude each other' })
  t.match(first, { id: /^[0-9a-f-]{36}$/, position: /./, recorded_at: /^20/ })
  t.strictSame(await streamsOf('--from', first.position), ['generation-b', 'generation-c'])
  const [, event] = jsonLines(await platen('events', '--format', 'cloudevents'))
  t.match(event, {
    specversion: '1.0',
    type: 'com.platen.GenerationCancelled',
    subject: 'b',
    source: /^dep_[0-9a-z]{26}\/renderer$/,
    position: /./,
  })
  t.match(
    (await platen('events', '--format', 'table')).stdout,
    /^20\S+Z {2}TemplateDeleted +a +0 {2}[0-9a-f-]{36} {2}\S+\n/,
  )
  t.match(await platen('events', '--from', 'nonsense'), {
    code: 1,
    stderr: '--from must be a position that was printed',
  })
  t.match(await platen('events', '--category', 'generations'), { code: 2, stderr: 'did you mean generation?' })
  t.match(await platen('events', '--type', 'Everything'), { code: 2, stderr: 'there is no type Everything' })
  for (const wrong of [['--limit', '0'], ['--format', 'xml'], ['--since', 'yesterday'], ['generation-b']]) {
    t.match(await platen('events', ...wrong), { code: 2 }, wrong.join(' '))
  }

  const stop = new AbortController()
  const followed: string[] = []
  const following = platen.following(['events', '--follow', '--category', 'generation'], stop.signal, (line) => {
    followed.push(JSON.parse(line).stream)
    if (followed.length === 2) void append('generation-d', 'GenerationCancelled', 'req_4')
    if (followed.length === 3) stop.abort()
  })
  t.match(await following, { code: 0 })
  t.strictSame(followed, ['generation-b', 'generation-c', 'generation-d'])
})

t.test('the log is archived, listed and read back', async (t) => {
  const dataDir = t.testdir({ objects: {} })
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  t.teardown(() => store.close())
  const platen = (...args: string[]) => runCli({ DATA_DIR: dataDir }, args)
  const event = (name: string) => ({ id: crypto.randomUUID(), type: 'OwnerRenamed', data: { name } })
  await store.append('owner-own_1', [event('1'), event('2'), event('3')], 'none')
  await store.append('template-tpl_1', [event('4')], 'none')
  t.match(await platen('archive', '--older-than', '1d'), { code: 0, stdout: '', stderr: 'nothing to archive\n' })
  const archived = await platen('archive', '--segment-events', '3')
  t.match(archived, { code: 0, stdout: /^[0-9a-f]+ {2}1 {2}3 events .*\n[0-9a-f]+ {2}2 {2}1 events .*\n$/ })
  t.match(await platen('archive'), { code: 0, stdout: '' })
  t.equal((await platen('archive', 'list')).stdout, archived.stdout)
  const manifests = jsonLines(await platen('archive', 'list', '--json'))
  t.match(manifests, [
    { number: 1, after: 'start' },
    { number: 2, after: manifests[0].through },
  ])
  const read = jsonLines(await platen('archive', 'read', '--json'))
  t.strictSame(
    read.map(({ stream, revision, data }) => [stream, revision, data.name]),
    [
      ['owner-own_1', 0, '1'],
      ['owner-own_1', 1, '2'],
      ['owner-own_1', 2, '3'],
      ['template-tpl_1', 0, '4'],
    ],
  )
  t.equal(jsonLines(await platen('archive', 'read', '--category', 'template')).length, 1)
  t.match(jsonLines(await platen('archive', 'read', '--last', '1', '--since', '1h')), [{ data: { name: '4' } }])
  t.equal((await platen('archive', 'read', '--until', '1h')).stdout, '')
  t.match(jsonLines(await platen('archive', 'list', '--last', '1', '--json')), [{ number: 2 }])
  t.equal((await platen('archive', 'list', '--until', '1h')).stdout, '')
  await writeFile(join(dataDir, 'objects', manifests[1].object_key), 'damaged')
  t.match(await platen('archive', 'read'), { code: 1, stderr: /^platen: archive\/.* has the SHA-256 / })
  t.match(await platen('archive', '--older-than', 'long'), {
    code: 2,
    stderr: '--older-than must be a whole number and its unit',
  })
  const elsewhere = { DATA_DIR: join(dataDir, 'none') }
  t.match(await runCli(elsewhere, ['archive', 'list']), { code: 1, stderr: /there is no object store at / })
})

t.test('streams setup creates what is missing', async (t) => {
  await using nats = await startNatsServer(['--user', 'platen', '--pass', 'hunter2'])
  const env = { NATS_URL: nats.url, NATS_USER: 'platen', NATS_PASSWORD: 'hunter2' }
  const setUp = (...args: string[]) => runCli(env, ['streams', 'setup', ...args])
  t.match(
    await setUp('--replicas', '3'),
    { code: 1, stderr: /^platen: .*replicas/ },
    'a single server cannot replicate',
  )
  const first = await setUp()
  t.match(first, { code: 0, stdout: /^created {4}stream COMMANDS\ncreated {4}stream EVENTS\n/, stderr: '' })
  t.strictSame(await setUp(), { code: 0, stdout: first.stdout.replaceAll('created  ', 'unchanged'), stderr: '' })
  t.match(await setUp('--replicas', 'three'), {
    code: 2,
    stderr: '--replicas must be a number from 1 to 5; see streams setup --help',
  })
  t.match(await runCli({ DATA_DIR: t.testdir() }, ['streams', 'setup']), {
    code: 1,
    stderr: 'platen: NATS_URL must be set',
  })
})

t.test('nats-url prints the URL of the subscribers', async (t) => {
  const dataDir = t.testdir()
  const natsUrl = (...args: string[]) => runCli({ DATA_DIR: dataDir }, ['nats-url', ...args])
  t.match(await natsUrl(), {
    code: 1,
    stdout: '',
    stderr: `platen: ${dataDir}/nats.conf has no password for subscribers; run \`npm start\` first\n`,
  })
  const passwords = { services: 's-1', subscriber: '-p_2' }
  const config = embeddedNatsConfig({
    port: 14_223,
    passwords,
    storeDir: dataDir,
    diskBytes: 2 ** 40,
    syncAlways: false,
  })
  await writeFile(join(dataDir, 'nats.conf'), config)
  const url = 'nats://subscriber:-p_2@127.0.0.1:14223'
  t.strictSame(await natsUrl(), { code: 0, stdout: `${url}\n`, stderr: '' })
  t.strictSame(JSON.parse((await natsUrl('--json')).stdout), {
    url,
    server: 'nats://127.0.0.1:14223',
    user: 'subscriber',
    password: '-p_2',
    inbox_prefix: '_INBOX_subscriber',
  })
  t.match(await natsUrl('EVENTS'), { code: 2, stderr: 'unexpected argument "EVENTS"; see nats-url --help' })
  t.match(await runCli({ DATA_DIR: dataDir, NATS_URL: 'nats://nats:4222' }, ['nats-url']), {
    code: 1,
    stderr: 'NATS_URL is set, so `npm start` runs no nats-server; use an account of your NATS server',
  })
})

t.test('--help prints the usage, and an invalid command line exits with 2', async (t) => {
  const { platen } = await startCli(t)
  t.match(await platen('--help'), { code: 0, stdout: 'usage:' })
  t.match(await platen(), { code: 2, stdout: 'usage:' })
  t.match(await platen('keys', 'mint'), {
    code: 2,
    stderr: 'unknown command "keys mint"; keys has issue, list, rotate, revoke; see --help',
  })
  t.match(await platen('tracee'), { code: 2, stderr: 'did you mean "trace"?' })
  t.match(await platen('keys', '--help'), { code: 0, stdout: /keys issue/ })
  t.match(await platen('trace', '--help'), { code: 0, stdout: /usage: .* trace <id> \[--json\]\n/ })
  for (const { name } of commands) {
    const { code, stdout } = await platen(...name.split(' '), '--help')
    t.equal(code, 0, name)
    t.ok(stdout.startsWith(`usage: npm run --silent platen -- ${name}`), `${name} has help`)
  }
  const refused = await runProcess({ DATA_DIR: t.testdir({}) }, ['events', '--colour'])
  t.match(refused, { code: 2, stdout: '', stderr: /^platen: Unknown option '--colour'.*see events --help\n$/ })
  t.match(await platen('keys', 'issue'), { code: 2, stderr: '--name is required' })
  t.match(await platen('keys', 'issue', '--name', 'x', '--scopes', 'all'), { code: 2, stderr: 'unknown scope "all"' })
  t.match(await platen('keys', 'revoke'), { code: 2, stderr: 'expected exactly one key id' })
  t.match(await platen('events', '--colour'), { code: 2, stderr: /Unknown option '--colour'/ })
})

t.test('a folder without an event store is refused, and none is created', async (t) => {
  const folder = t.testdir({})
  for (const args of [
    ['keys', 'list'],
    ['keys', 'issue', '--name', 'x'],
    ['owners', 'list'],
    ['events'],
    ['stream', 'template-tpl_1'],
  ]) {
    const { code, stderr } = await runCli({ DATA_DIR: join(folder, 'data') }, args)
    t.equal(code, 1)
    t.match(stderr, /there is no event store at .*data\/events\.db; set DATA_DIR/)
  }
  t.notOk(existsSync(join(folder, 'data')))
  const created = await runCli({ DATA_DIR: join(folder, 'data') }, ['keys', 'issue', '--name', 'x', '--create'])
  t.match(created, { code: 0, stdout: /^key_/ })
  t.match(await runCli({ DATA_DIR: join(folder, 'data') }, ['keys', 'list']), { code: 0, stdout: /^key_/ })
})

t.test('an unknown stream is an error', async (t) => {
  const { platen } = await startCli(t)
  t.match(await platen('stream', 'generation-nosuch'), { code: 1, stderr: /there is no stream generation-nosuch/ })
})

t.test('deliveries are listed, shown with every attempt, and redelivered', async (t) => {
  const { platen, store } = await startCli(t)
  const ids = [newId('msg'), newId('msg')]
  const data = { owner_id: 'own_1', api_key_id: 'key_1', url: 'https://example.com/hook', event_id: 'e' }
  const metadata = { time: '2026-01-31T12:00:01.000Z' }
  const event = (type: string, data: object) => ({ id: crypto.randomUUID(), type, data: { ...data }, metadata })
  for (const [index, id] of ids.entries()) {
    const body = '{"type":"generation.completed"}'
    const scheduled = { ...data, generation_id: `pdf_${index}`, body, next_at: metadata.time }
    await store.append(`delivery-${id}`, [event('DeliveryScheduled', scheduled)], 'none')
  }
  const attempt = { attempt: 1, status: 500, duration_ms: 250, response: 'no "luck"' }
  const exhausted = { attempts: 1, reason: 'the last attempt failed' }
  await store.append(
    `delivery-${ids[0]}`,
    [event('DeliveryAttempted', attempt), event('DeliveryExhausted', exhausted)],
    0,
  )

  const listed = await platen('deliveries', 'list')
  t.match(listed.stdout, `${ids[0]}  pdf_0  generation.completed  exhausted  1 attempts  500  https://example.com/hook`)
  t.match(listed.stdout, `${ids[1]}  pdf_1  generation.completed  pending  0 attempts  not attempted`)
  const json = await platen('deliveries', 'list', '--status', 'pending', '--json')
  t.match(JSON.parse(json.stdout), { id: ids[1], status: 'pending', attempts: [] })
  t.equal((await platen('deliveries', 'list', '--since', '2026-02-01')).stdout, '')
  const shown = await platen('deliveries', 'show', ids[0] ?? '')
  t.match(shown.stdout, '1  2026-01-31T12:00:00.750Z  500  250 ms  "no \\"luck\\""')
  t.match(shown.stdout, 'ended: the last attempt failed')
  t.match(await platen('deliveries', 'show', 'msg_none'), { code: 1, stderr: 'Delivery msg_none does not exist' })

  t.equal(jsonLines(await platen('deliveries', 'list', '--last', '1', '--json')).length, 1)

  const since = ['deliveries', 'redeliver', '--since', '2026-01-31']
  t.match(await platen(...since), { code: 2, stderr: 'add --owner OWNER, or --all-owners' })
  t.match(await platen(...since, '--owner', 'own_default', '--all-owners'), { code: 2, stderr: 'exclude each other' })
  t.equal((await platen(...since, '--owner', 'own_default')).stdout, 'no deliveries\n')
  t.match(await platen('deliveries', 'list', '--owner', 'own_default'), { code: 0, stdout: '' })
  const own = (await platen('owners', 'create', '--name', 'Acme')).stdout.trim()
  const theirs = newId('msg')
  const scheduled = { ...data, owner_id: own, generation_id: 'pdf_2', body: '{}', next_at: metadata.time }
  const failed = event('DeliveryExhausted', exhausted)
  await store.append(`delivery-${theirs}`, [event('DeliveryScheduled', scheduled), failed], 'none')
  const end = await store.end()
  t.equal(
    (await platen(...since, '--all-owners', '--last', '1', '--dry-run')).stdout,
    `${theirs} would be sent again\n`,
  )
  t.match(await platen('deliveries', 'redeliver', 'msg_none', '--dry-run'), { code: 1, stderr: 'does not exist' })
  const ofOne = await platen('deliveries', 'redeliver', '--generation', 'pdf_1', '--dry-run')
  t.equal(ofOne.stdout, `${ids[1]} would be sent again\n`, 'whatever its status')
  t.equal(await store.end(), end, 'nothing is recorded')
  t.equal((await platen(...since, '--owner', 'Acme')).stdout, `${theirs} is due now\n`)
  const range = await platen(...since, '--all-owners')
  t.equal(range.stdout, `${ids[0]} is due now\n`)
  t.match(await platen('deliveries', 'redeliver', ...ids), {
    code: 0,
    stdout: `${ids[0]} is due now\n${ids[1]} is due now\n`,
  })
  t.match((await platen('deliveries', 'list', '--generation', 'pdf_0')).stdout, 'pending')
  for (const wrong of [[], ['msg_1', '--since', '2026-01-31'], ['--since', 'yesterday'], ['--status', 'lost']]) {
    t.match(await platen('deliveries', 'redeliver', ...wrong), { code: 2 }, wrong.join(' '))
  }
})
