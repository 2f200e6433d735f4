import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { startTemplate } from '@platen/template/start.ts'
import { startPlaten } from '@platen/test-support/notifier/platen.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import { until } from '@platen/test-support/until.ts'
import { headers } from 'nats'
import t, { type Test } from 'tap'
import { jsonLines, type RunOptions, runCli } from './testing/run-cli.ts'

t.setTimeout(600_000)

// One nats-server and one event store for all commands that use NATS.
const stack = await startPlaten()
t.teardown(() => stack[Symbol.asyncDispose]())
const { store, bus } = stack.services
const env = {
  NATS_URL: stack.nats.url,
  EVENT_STORE_URL: `sqlite:${dirname(stack.config.supervisor.folder)}/events.db`,
  OBJECT_STORE_URL: `file:${dirname(stack.config.supervisor.folder)}/objects`,
}
const platen = (...args: string[]) => runCli(env, args)
const platenWith = (options: RunOptions, ...args: string[]) => runCli(env, args, options)

async function messagesOf(stream: string, prefix = '') {
  const { state } = await bus.jsm.streams.info(stream)
  const seqs = Array.from({ length: state.last_seq - state.first_seq + 1 }, (_, index) => state.first_seq + index)
  const messages = await Promise.all(seqs.map((seq) => bus.jsm.streams.getMessage(stream, { seq })))
  return messages.filter(({ subject }) => subject.startsWith(prefix))
}

const lastOf = async (stream: string) => (await bus.jsm.streams.info(stream)).state.last_seq

/** Resolves when the relay has published all of the log. */
const published = async (count: number) =>
  until(async () => ((await lastOf('EVENTS')) >= count ? true : undefined), 'the relay has not published')

t.test('a replay is marked, goes where the operator says, and sends no webhook', async (t) => {
  await using receiver = await startReceiver()
  const notifier = await stack.notifier()
  for (let count = 1; count <= 3; count++)
    await stack.delivery(await stack.generate(receiver.url('/hook')), 'DeliverySucceeded')
  // The schedule and the success of each delivery are published, too.
  await published(12)
  const [before, logEnd] = [await lastOf('EVENTS'), await store.end()]

  const dry = await platen('replay', '--category', 'generation', '--dry-run', '--json')
  t.match(JSON.parse(dry.stdout), {
    events: 6,
    types: { GenerationRequested: 3, GenerationCompleted: 3 },
    dry_run: true,
  })
  t.match(await platen('replay', '--dry-run'), { code: 0, stdout: /12 events would be published\n$/ })
  const { id, ...result } = JSON.parse((await platen('replay', '--type', 'GenerationCompleted', '--json')).stdout)
  t.match(result, { stream: 'REPLAY', subject: `replay.${id}.>`, events: 3, complete: true })
  const messages = await messagesOf('REPLAY')
  t.equal(messages.length, 3)
  for (const { header, subject, data } of messages) {
    const event = JSON.parse(Buffer.from(data).toString())
    t.equal(header.get('platen-replay'), id)
    t.equal(header.get('Nats-Msg-Id'), `${event.id}:${id}`)
    t.match(event, { specversion: '1.0', type: 'GenerationCompleted' })
    t.equal(subject, `replay.${id}.generation.completed.${event.subject}`)
  }

  // A document after the replay: whatever the replay had caused would have come before its webhook.
  t.equal(await lastOf('EVENTS'), before, 'nothing is published on EVENTS')
  t.equal(await store.end(), logEnd, 'nothing is recorded')
  await stack.delivery(await stack.generate(receiver.url('/hook')), 'DeliverySucceeded')
  t.equal(receiver.on('/hook').length, 4)
  await notifier[Symbol.asyncDispose]()
})

t.test('a replay that was stopped goes on where it was', async (t) => {
  const total = JSON.parse((await platen('replay', '--dry-run', '--json')).stdout).events
  const stop = new AbortController()
  const running = platenWith({ signal: stop.signal }, 'replay', '--stream', 'AUDIT', '--to', 'audit.>', '--rate', '4')
  await until(
    async () => ((await lastOf('AUDIT').catch(() => 0)) >= 2 ? true : undefined),
    'the replay has published nothing',
  )
  stop.abort()
  const { code, stdout } = await running
  t.equal(code, 1)
  const [, count = '', id = ''] = /stopped after (\d+) events; go on with: replay --resume (rpl_\w+)/.exec(stdout) ?? []
  t.ok(Number(count) >= 2 && Number(count) < total, `stopped after ${count}`)
  t.match(await platen('replay', '--resume', id), { code: 0, stdout: `${total} events published to audit.>` })
  const messages = await messagesOf('AUDIT')
  const ids = messages.map(({ data }) => JSON.parse(Buffer.from(data).toString()).id)
  t.equal(ids.length, total)
  t.equal(new Set(ids).size, total, 'each is published once')
  t.strictSame(
    ids,
    jsonLines(await platen('events')).map((event) => event.id),
    'in the order of the log',
  )
  t.match(await platen('replay', '--resume', id), { code: 1, stderr: `there is no replay ${id} to go on with` })
})

t.test('a replay never goes to the streams of Platen', async (t: Test) => {
  const refused = async (stderr: string | RegExp, ...args: string[]) =>
    t.match(await platen('replay', ...args), { code: 2, stdout: '', stderr }, args.join(' '))
  for (const subject of [
    'events.>',
    'events.generation.completed.x',
    'commands.x',
    'dead.>',
    '>',
    '*.x',
    '$KV.x',
    'a b',
  ]) {
    await refused(/--to must/, '--to', subject)
  }
  for (const stream of ['EVENTS', 'COMMANDS', 'DEAD', 'KV_LEASES', 'a.b'])
    await refused(/--stream must/, '--stream', stream)
  await refused('events of apikey are internal', '--category', 'apikey')
  await refused('--rate must be a whole number', '--rate', 'fast')
  await refused('--resume goes on as the replay began; remove --rate', '--resume', 'rpl_1', '--rate', '5')
  t.match(await platen('replay', '--to', 'nowhere.x'), {
    code: 1,
    stderr: 'no stream stores nowhere.x; add --stream NAME',
  })
  t.match(await platen('replay', '--to', 'nowhere.x', '--stream', 'AUDIT'), {
    code: 1,
    stderr: 'does not store nowhere.x',
  })
})

t.test('dead letters are listed, shown, sent again and dropped', async (t) => {
  const generation_id = newId('pdf')
  const owner = 'own_00000000000000000000000000'
  const command = {
    type: 'RenderPdf',
    data: { request: { generation_id, owner_id: owner, api_key_id: 'key_1' }, input: { html: '<p>', options: {} } },
    metadata: { id: 'c1', time: '2026-01-31T12:00:00.000Z', correlation_id: 'req_1' },
  }
  const bury = async (subject: string, payload: string) => {
    const header = headers()
    header.set('Platen-Reason', 'it crashed')
    header.set('Platen-Subject', subject)
    header.set('Platen-Deliveries', '5')
    return (await bus.js.publish(`dead.${subject}`, payload, { headers: header })).seq
  }
  const render = await bury(`commands.render.batch.${owner}.${generation_id}`, JSON.stringify(command))
  const broken = await bury('commands.template.tpl_1', 'not json')
  const event = await bury('events.generation.completed.pdf_1', '{}')
  t.match(jsonLines(await platen('dead', 'list', '--json')), [
    { seq: render, reason: 'it crashed', deliveries: 5 },
    { seq: broken, subject: 'commands.template.tpl_1' },
    { seq: event },
  ])
  t.match((await platen('dead', 'list')).stdout, /5 deliveries {2}it crashed/)
  t.match(JSON.parse((await platen('dead', 'show', String(render), '--json')).stdout), { content: command })
  t.match(await platen('dead', 'show', '999'), { code: 1, stderr: 'there is no dead letter 999' })
  t.match(await platen('dead', 'retry', String(event)), { code: 1, stderr: 'events replay' })

  const shown = await platen('generations', 'retry', generation_id)
  const [, first = ''] = /is rendered again as (pdf_\w+)/.exec(shown.stdout) ?? []
  const retried = await platen('dead', 'retry', String(render))
  const [, again = ''] = /is rendered again as (pdf_\w+)/.exec(retried.stdout) ?? []
  for (const id of [first, again]) {
    const sent = await bus.jsm.streams.getMessage('COMMANDS', { last_by_subj: `commands.render.batch.${owner}.${id}` })
    t.match(sent.json(), { data: { request: { generation_id: id, api_key_id: 'key_1' }, input: command.data.input } })
    t.match(JSON.parse((await platen('generations', 'show', id, '--json')).stdout), { id, status: 'queued' })
  }
  t.match(await platen('generations', 'retry', generation_id), {
    code: 1,
    stderr: `there is no generation ${generation_id}`,
  })
  t.match(await platen('dead', 'drop', String(broken)), { code: 0, stdout: 'commands.template.tpl_1  removed' })
  t.match(await platen('dead', 'drop', '--all'), { code: 0 })
  t.match(await platen('dead', 'list'), { code: 0, stdout: 'no dead letters' })
  t.match(await platen('dead', 'drop'), { code: 2, stderr: 'expected numbers of dead letters, or --all' })
})

t.test('the content of a person is erased with a receipt, and the log stays', async (t) => {
  const objects = stack.services.objects
  const given = async (subject: string | undefined, ended = true) => {
    const id = newId('pdf')
    const key = `pdfs/${id}.0123456789abcdef.pdf`
    await objects.put(key, Buffer.from('%PDF-'), 'application/pdf')
    await objects.put(`inputs/${id}.json`, Buffer.from('{}'), 'application/json')
    const metadata = subject === undefined ? {} : { metadata: { data_subject: subject, order: '1' } }
    const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...data } })
    const completed = {
      object_key: key,
      pages: 1,
      size: 5,
      sha256: 'ab',
      duration_ms: 1,
      engine: { name: 'e', version: '1', mode: 'static' },
      warnings: [],
    }
    const first = event('GenerationRequested', { owner_id: 'own_default', api_key_id: 'key_1', ...metadata })
    const rest = ended ? [event('GenerationCompleted', completed)] : []
    await store.append(`generation-${id}`, [first, ...rest], 'none')
    return { id, keys: [key, `inputs/${id}.json`] }
  }
  const exist = async ({ keys }: { keys: string[] }) =>
    Promise.all(keys.map(async (key) => (await objects.info(key)) !== undefined))
  const [one, two, other, unnamed] = [
    await given('ann'),
    await given('ann'),
    await given('bob'),
    await given(undefined),
  ]
  const dry = JSON.parse((await platen('erase', '--data-subject', 'ann', '--dry-run', '--json')).stdout)
  t.equal(dry.generations.length, 2)
  t.strictSame(await exist(one), [true, true], 'a dry run deletes nothing')
  const end = await store.end()
  const file = join(t.testdir({}), 'receipt.json')
  const receipt = await platen('erase', '--data-subject', 'ann', '--json', '--receipt', file)
  t.match(JSON.parse(receipt.stdout), {
    data_subject: 'ann',
    generations: [
      { generation_id: one.id, objects: [{ size: 2 }, { size: 5 }], sha256: 'ab' },
      { generation_id: two.id },
    ],
  })
  t.equal(await readFile(file, 'utf8'), receipt.stdout)
  for (const erased of [one, two]) t.strictSame(await exist(erased), [false, false])
  for (const kept of [other, unnamed]) t.strictSame(await exist(kept), [true, true])
  t.equal(await store.end(), end, 'the log is not changed')
  t.match(await platen('erase', unnamed.id), { code: 0 })
  t.strictSame(await exist(unnamed), [false, false])
  const open = await given('eve', false)
  t.match(await platen('erase', '--data-subject', 'eve'), { code: 1, stderr: `${open.id} has not ended` })
  t.strictSame(await exist(open), [true, true])
  t.match(await platen('erase'), { code: 2 })
  t.match(await platen('erase', newId('pdf')), { code: 1, stderr: 'there is no generation' })
})

t.test('documents of another owner about the same person are not erased', async (t) => {
  const objects = stack.services.objects
  const create = async (name: string) =>
    JSON.parse((await platen('owners', 'create', '--name', name, '--json')).stdout).id
  const [a, b] = [await create('A'), await create('B')]
  const given = async (owner_id: string) => {
    const id = newId('pdf')
    await objects.put(`inputs/${id}.json`, Buffer.from('{}'), 'application/json')
    const data = { owner_id, api_key_id: 'key_1', metadata: { data_subject: 'zoe' } }
    const cancelled = { id: randomUUID(), type: 'GenerationCancelled', data: {} }
    await store.append(`generation-${id}`, [{ id: randomUUID(), type: 'GenerationRequested', data }, cancelled], 'none')
    return { id, exists: async () => (await objects.info(`inputs/${id}.json`)) !== undefined }
  }
  const one = await given(a)
  const other = await given(b)
  const both = await platen('erase', '--data-subject', 'zoe')
  t.match(both, { code: 1, stderr: `several owners: ${a} (1), ${b} (1)` })
  t.match(both.stderr, /--owner/)
  t.match(await platen('erase', other.id, '--owner', a), { code: 1, stderr: `there is no generation ${other.id}` })
  t.match(await platen('erase', other.id, one.id), { code: 1, stderr: 'several owners' })
  for (const { exists } of [one, other]) t.ok(await exists(), 'nothing was deleted')
  const receipt = JSON.parse((await platen('erase', '--data-subject', 'zoe', '--owner', 'A', '--json')).stdout)
  t.match(receipt, { owner_id: a, generations: [{ generation_id: one.id, owner_id: a, objects: [{ size: 2 }] }] })
  t.equal(receipt.generations.length, 1)
  t.strictSame([await one.exists(), await other.exists()], [false, true])
  const rest = JSON.parse((await platen('erase', '--data-subject', 'zoe', '--owner', b, '--json')).stdout)
  t.equal(rest.generations.length, 1)
  t.notOk(await other.exists())
})

t.test('templates are pulled, pushed, compared and restored', async (t) => {
  const template = await startTemplate(stack.services)
  t.teardown(() => template[Symbol.asyncDispose]())
  const folder = t.testdir({ invoice: { 'template.html': '<h1>{{n}}</h1>\n', 'data.json': '{"n":1}' } })
  const path = join(folder, 'invoice')
  const created = JSON.parse((await platen('templates', 'push', folder, '--json')).stdout)
  t.match(created, { folder: path, id: /^tpl_/, version: 1, change: 'created' })
  t.match(JSON.parse(await readFile(join(path, 'template.json'), 'utf8')), {
    id: created.id,
    name: 'invoice',
    version: 1,
  })
  t.match((await platen('templates', 'push', path)).stdout, 'unchanged')
  await writeFile(join(path, 'template.html'), '<h2>{{n}}</h2>\n')
  t.match((await platen('templates', 'push', path)).stdout, /updated {2}tpl_\w+ {2}version 2/)
  await writeFile(join(path, 'template.html'), '{{#if}}')
  t.match(await platen('templates', 'push', path), { code: 1, stderr: /platen: .+ \([A-Z_]+\)/ })

  t.match(jsonLines(await platen('templates', 'list', '--json')), [{ id: created.id, slug: 'invoice', version: 2 }])
  t.match(jsonLines(await platen('templates', 'history', 'invoice', '--json')), [
    { version: 1, type: 'TemplateCreated' },
    { version: 2, type: 'TemplateUpdated', changed: ['html'] },
  ])
  const diff = await platen('templates', 'diff', 'invoice')
  t.match(diff, { code: 1, stdout: /-<h1>\{\{n\}\}<\/h1>\n\+<h2>\{\{n\}\}<\/h2>/ })
  t.match(await platen('templates', 'diff', 'invoice', '--from', '2', '--to', '2'), { code: 0, stdout: '' })
  t.match(await platen('templates', 'restore', 'invoice', '--version', '1'), { code: 0, stdout: 'is version 3 now' })
  t.match(await platen('templates', 'diff', created.id, '--from', '1', '--to', '3'), { code: 0 })
  t.match(await platen('templates', 'push', path, '--owner', 'own_default'), { code: 1 })
  await writeFile(join(path, 'template.html'), '<h4>{{n}}</h4>\n')
  t.match(await platen('templates', 'push', path), { code: 1, stderr: 'is at version 3 and was pulled at 2' })
  t.match(await platen('templates', 'pull', folder), { code: 0, stdout: `${path}  version 3` })
  t.equal(await readFile(join(path, 'template.html'), 'utf8'), '<h1>{{n}}</h1>\n')

  await writeFile(join(path, 'header.html'), '<b>{{n}}</b>')
  await writeFile(join(path, 'options.json'), '{"format":"A5"}')
  await writeFile(join(path, 'schema.json'), '{"required":["n"]}')
  await writeFile(join(path, 'samples.json'), '{"none":{}}')
  t.match(await platen('templates', 'push', path), { code: 1, stderr: /samples\.none\.n is required/ })
  await writeFile(join(path, 'samples.json'), '{"many":{"n":9}}')
  t.match(await platen('templates', 'push', path), { code: 0, stdout: 'version 4' })
  t.match((await platen('templates', 'push', path)).stdout, 'unchanged')
  t.match(
    (await platen('templates', 'diff', created.id)).stdout,
    /header\.html(.*\n)*.*options\.json(.*\n)*.*samples\.json/,
  )
  await rm(join(path, 'header.html'))
  t.match(await platen('templates', 'push', path), { code: 0, stdout: 'version 5' })
  t.match(await platen('templates', 'restore', 'invoice', '--version', '4'), { code: 0, stdout: 'is version 6 now' })
  t.match(await platen('templates', 'pull', folder), { code: 0 })
  t.equal(await readFile(join(path, 'header.html'), 'utf8'), '<b>{{n}}</b>')
  t.match(await platen('templates', 'restore', 'invoice', '--version', '3'), { code: 0, stdout: 'is version 7 now' })
  t.match(await platen('templates', 'pull', folder), { code: 0 })
  await t.rejects(readFile(join(path, 'header.html')), { code: 'ENOENT' }, 'a field that is gone has no file')

  const stop = new AbortController()
  const watching = platenWith({ signal: stop.signal, onLine: () => stop.abort() }, ...['templates', 'watch', folder])
  const saving = setInterval(() => void writeFile(join(path, 'template.html'), `<p>${Date.now()}</p>`), 500)
  t.match(await watching, { code: 0, stdout: /updated {2}tpl_\w+ {2}version 8/ })
  clearInterval(saving)
  for (const [verb, ...args] of [
    ['history', 'nosuch'],
    ['diff', 'nosuch'],
    ['restore', 'nosuch', '--version', '1'],
  ]) {
    t.match(await platen('templates', verb ?? '', ...args), { code: 1, stderr: 'there is no template nosuch' })
  }
  t.match(await platen('templates', 'restore', 'invoice'), { code: 2, stderr: '--version is required' })
})

t.test('partials are pulled and pushed with the templates that use them', async (t) => {
  const template = await startTemplate(stack.services)
  t.teardown(() => template[Symbol.asyncDispose]())
  const folder = t.testdir({
    letter: { 'template.html': '{{> head}}<p>Hello' },
    plain: { 'template.html': '<p>Plain' },
    // In the order of their names, each would be refused.
    _partials: { 'head.html': '<b>{{> name}}</b>', 'name.html': 'Ada', 'notes.txt': 'not read' },
  })
  const push = (...args: string[]) => platen('templates', 'push', folder, ...args)
  const first = await push()
  t.match(first, { code: 0, stdout: /partial name {2}created.*version 1\n.*partial head {2}created.*version 1\n/ })
  t.match(first.stdout, /letter {2}created(.|\n)*plain {2}created/)
  t.match(await push(), { code: 0, stdout: /letter {2}unchanged(.|\n)*plain {2}unchanged/ })

  await writeFile(join(folder, '_partials/name.html'), 'Grace')
  const second = jsonLines(await push('--json'))
  t.match(second, [
    { name: 'name', version: 2, change: 'updated' },
    { folder: join(folder, 'letter'), version: 2, change: 'updated' },
    { folder: join(folder, 'plain'), version: 1, change: 'unchanged' },
  ])
  const pulled = await mkdtemp(join(tmpdir(), 'platen-pulled-'))
  t.teardown(() => rm(pulled, { recursive: true }))
  t.match(await platen('templates', 'pull', pulled, 'letter'), { code: 0, stdout: /name\.html {2}version 2/ })
  t.equal(await readFile(join(pulled, '_partials/name.html'), 'utf8'), 'Grace')
  t.equal(await readFile(join(pulled, '_partials/head.html'), 'utf8'), '<b>{{> name}}</b>')

  await writeFile(join(folder, '_partials/name.html'), 'Mary')
  await push()
  await writeFile(join(pulled, '_partials/name.html'), 'Lost')
  const stale = ['templates', 'push', pulled]
  t.match(await platen(...stale), { code: 1, stderr: 'the partial name is at version 3 and was pulled at 2' })
  t.match(await platen(...stale, '--force'), { code: 0, stdout: /partial name {2}updated.*version 4/ })
  await writeFile(join(pulled, '_partials/name.html'), '{{> head}}')
  t.match(await platen(...stale), { code: 1, stderr: /calls itself/ })
  await writeFile(join(pulled, '_partials/not a name.html'), 'x')
  t.match(await platen(...stale), { code: 1, stderr: 'cannot be the name of a partial' })
})

t.test('the relays and streams are shown, and reset for a restored event store', async (t) => {
  await until(async () => {
    const [, renderer] = jsonLines(await platen('relay', 'status', '--json'))
    return renderer?.state === 'level' ? true : undefined
  }, 'the relay of the renderer does not become level')
  const [, renderer] = jsonLines(await platen('relay', 'status', '--json'))
  t.match(renderer, { relay: 'renderer', behind: 0, held_by: 'test', last_seq: Number })
  t.match(await platen('relay', 'reset'), { code: 2, stderr: 'stop all services and add --yes' })
  t.match(await platen('relay', 'reset', '--yes'), { code: 1, stderr: 'stop all services first' })

  await using other = await openTemporaryStore()
  const restored = { ...env, EVENT_STORE_URL: other.url }
  const status = await runCli(restored, ['relay', 'status'])
  t.match(status, { code: 1, stdout: /other_event_store.*\n(.*\n)*.*RELAY_RESET=\d+/ })
  t.match(await platen('streams', 'setup'), { code: 0 })
  t.match(await platen('streams', 'check'), { code: 0, stdout: /stream EVENTS +ok/ })
  await bus.jsm.streams.delete('KV_IDEMPOTENCY')
  t.match(await platen('streams', 'check'), { code: 1, stdout: /bucket IDEMPOTENCY +missing; run streams setup/ })
})

t.test('the identity of the deployment is shown, and changed for a new name only with --yes', async (t) => {
  const [before] = jsonLines(await platen('deployment', '--json'))
  t.match(before, { deployment: /^dep_/, nats: before?.deployment, object_store: before?.deployment })
  const renamed = (...args: string[]) => runCli({ ...env, DEPLOYMENT: 'invoices-eu' }, args)
  t.match(await renamed('deployment'), { code: 1, stdout: /this deployment +invoices-eu\nNATS +dep_/ })
  t.match(await renamed('doctor'), { stdout: /wrong +deployment +this is invoices-eu, but NATS belongs to dep_/ })
  t.match(await renamed('deployment', 'adopt'), { code: 2, stderr: /belong to dep_.*add --yes/ })
  t.match(await renamed('deployment', 'adopt', '--yes'), { code: 0, stdout: /belong to invoices-eu/ })
  t.match(await renamed('doctor'), { stdout: /ok +deployment +invoices-eu/ })
  t.match(await platen('deployment', 'adopt', '--yes'), { code: 0 })
})
