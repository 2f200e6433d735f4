import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { itemGenerationId } from '@platen/domain/batch/batch.ts'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { RenderPdf } from '@platen/domain/generation/generation.ts'
import { generationOfInput, objectKeys } from '@platen/domain/streams/subjects.ts'
import type { NewEvent } from '@platen/event-store/event-store.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { replyToHeader } from '@platen/messaging/requests/reply.ts'
import { encodeInput } from '@platen/service-kit/inputs/input-codec.ts'
import { ItemWriter } from '@platen/service-kit/inputs/stored-items.ts'
import { startPlaten } from '@platen/test-support/notifier/platen.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import { until } from '@platen/test-support/until.ts'
import { headers, nanos } from 'nats'
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
    t.equal(header.get('Platen-Replay'), id)
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

t.test('a replay on EVENTS is marked, and the relay goes on where it was', async (t) => {
  await until(async () => {
    const states = jsonLines(await platen('relay', 'status', '--json')).map(({ state }) => state)
    return states.includes('behind') ? undefined : true
  }, 'the relays do not become level')
  t.match(await platen('replay', '--to-events'), { code: 2, stderr: '--to-events needs --since' })
  t.match(await platen('replay', '--to-events', '--since', '1h', '--stream', 'AUDIT'), { code: 2, stderr: 'excludes' })
  const last = (subject: string) => bus.jsm.streams.getMessage('EVENTS', { last_by_subj: subject })
  const before = await last('events.generation.>')
  const category = ['--category', 'generation']
  const run = JSON.parse((await platen('replay', '--to-events', '--since', '1h', ...category, '--json')).stdout)
  t.match(run, { stream: 'EVENTS', subject: 'events.>', complete: true })
  const messages = (await messagesOf('EVENTS')).filter(({ header }) => header.get('Platen-Replay') === run.id)
  t.equal(messages.length, run.events)
  t.ok(messages.every(({ subject }) => subject.startsWith('events.generation.')))
  const after = await last('events.generation.>')
  t.equal(after.header.get('Platen-Replay'), run.id)
  t.equal(after.header.get('Platen-Resume-After'), before.header.get('Platen-Resume-After'))
  t.equal(after.header.get('Platen-Position'), before.header.get('Platen-Position'))
  t.match(jsonLines(await platen('relay', 'status', '--json'))[1], { relay: 'renderer', state: 'caught_up' })
})

t.test('a replay never goes to the streams of Platen', async (t: Test) => {
  const refused = async (stderr: string | RegExp, ...args: string[]) =>
    t.match(await platen('replay', ...args), { code: 2, stdout: '', stderr }, args.join(' '))
  for (const subject of [
    'events.>',
    'events.generation.completed.x',
    'commands.x',
    'dead-letters.>',
    '>',
    '*.x',
    '$KV.x',
    'a b',
  ]) {
    await refused(/--to must/, '--to', subject)
  }
  for (const stream of ['EVENTS', 'COMMANDS', 'DEAD_LETTERS', 'KV_LEASES', 'a.b'])
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
    data: {
      request: { generation_id, owner_id: owner, api_key_id: 'key_1' },
      input: { html: '<p>', data: { big: 1 }, options: resolvePdfOptions() },
      requires: ['three-dimensions'],
    },
    metadata: { id: 'c1', time: '2026-01-31T12:00:00.000Z', correlation_id: 'req_1' },
  }
  const bury = async (subject: string, payload: string) => {
    const header = headers()
    header.set('Platen-Reason', 'it crashed')
    header.set('Platen-Subject', subject)
    header.set('Platen-Deliveries', '5')
    return (await bus.js.publish(`dead-letters.${subject}`, payload, { headers: header })).seq
  }
  const bigNumber = JSON.stringify(command).replace('"big":1', '"big":12345678901234567890')
  const render = await bury(`commands.render.batch.${owner}.${generation_id}`, bigNumber)
  const broken = await bury('commands.template.tpl_1', 'not json')
  const event = await bury('events.generation.completed.pdf_1', '{}')
  t.match(jsonLines(await platen('dead-letters', 'list', '--json')), [
    { seq: render, reason: 'it crashed', deliveries: 5 },
    { seq: broken, subject: 'commands.template.tpl_1' },
    { seq: event },
  ])
  t.match((await platen('dead-letters', 'list')).stdout, /5 deliveries {2}it crashed/)
  t.match(JSON.parse((await platen('dead-letters', 'show', String(render), '--json')).stdout), {
    content: { data: { request: command.data.request } },
  })
  t.match(await platen('dead-letters', 'show', '999'), { code: 1, stderr: 'there is no dead letter 999' })
  t.match(await platen('dead-letters', 'retry', String(event)), { code: 1, stderr: 'replay --to-events' })
  const dry = async (...args: string[]) =>
    jsonLines(await platen('dead-letters', ...args, '--dry-run', '--json')).map(({ seq }) => seq)
  t.strictSame(await dry('retry', '--reason', 'crash', '--since', '1h'), [render, broken, event])
  t.strictSame(await dry('retry', '--reason', 'something else'), [])
  t.strictSame(await dry('drop', '--subject', 'commands.', '--last', '1'), [broken])
  t.strictSame(await dry('drop', '--until', '1h'), [])
  t.equal((await messagesOf('DEAD_LETTERS')).length, 3, 'nothing was removed')
  t.equal((await bus.jsm.streams.info('COMMANDS')).state.messages, 0, 'or sent')
  t.match(await platen('dead-letters', 'retry', String(event), '--all'), { code: 2, stderr: 'expected numbers' })

  t.match(await platen('generations', 'retry', generation_id), {
    code: 1,
    stderr: `${generation_id} could not be handled and is a dead letter; run dead-letters retry ${render}`,
  })
  const retried = await platen('dead-letters', 'retry', String(render))
  const [, again = ''] = /is rendered again as (pdf_\w+)/.exec(retried.stdout) ?? []
  const sent = await bus.jsm.streams.getMessage('COMMANDS', {
    last_by_subj: `commands.render.backlog.${owner}.${again}`,
  })
  t.match(sent.json(), {
    data: {
      request: { generation_id: again, retry_of: generation_id, api_key_id: 'key_1' },
      input: { html: '<p>' },
      requires: ['three-dimensions'],
    },
  })
  t.match(sent.string(), '"big":12345678901234567890', 'numbers keep their digits')
  t.match(JSON.parse((await platen('generations', 'show', again, '--json')).stdout), { id: again, status: 'queued' })
  t.match(await platen('generations', 'retry', again), { code: 1, stderr: 'is still queued' })
  t.match(jsonLines(await platen('dead-letters', 'list', '--json', '--last', '3'))[0], {
    seq: render,
    retried_as: again,
  })
  t.match((await platen('dead-letters', 'list')).stdout, `it crashed (rendered again as ${again})`)
  const unread = await runCli({ ...env, EVENT_STORE_URL: 'sqlite:/nowhere/events.db' }, ['dead-letters', 'list'])
  t.match(unread, { code: 0, stdout: 'it crashed', stderr: 'which of them are rendered again is not known' })
  t.match(await platen('dead-letters', 'drop', String(render)), { code: 0 })
  t.match(await platen('generations', 'retry', generation_id), {
    code: 1,
    stderr: `there is no generation ${generation_id}`,
  })
  t.match(await platen('dead-letters', 'drop', String(broken)), { code: 0, stdout: 'commands.template.tpl_1  removed' })
  t.match(await platen('dead-letters', 'drop', '--all'), { code: 0 })
  t.match(await platen('dead-letters', 'list'), { code: 0, stdout: 'no dead letters' })
  t.match(await platen('dead-letters', 'drop'), { code: 2, stderr: 'expected numbers of dead letters, or --all' })
})

t.test('a dead letter that was removed meanwhile, and those after Ctrl-C, are not sent again', async (t) => {
  const bury = async () => {
    const generation_id = newId('pdf')
    const request = { generation_id, owner_id: 'own_default', api_key_id: 'key_1' }
    const data = { request, input: { html: '<p>', options: resolvePdfOptions() } }
    const metadata = { id: 'c1', time: '2026-01-31T12:00:00.000Z', correlation_id: 'req_1' }
    const subject = `dead-letters.commands.render.batch.own_default.${generation_id}`
    await bus.js.publish(subject, JSON.stringify({ type: 'RenderPdf', data, metadata }))
  }
  const sent = async () => (await bus.jsm.streams.info('COMMANDS')).state.messages
  const service = bus.nats.subscribe('commands.template.>', {
    callback: (_err, { headers }) => bus.nats.publish(headers?.get(replyToHeader) ?? '', '{"ok":true,"value":{}}'),
  })
  t.teardown(() => service.unsubscribe())
  const before = await sent()
  const update = { type: 'UpdateTemplate', data: {}, metadata: { id: 'c1', correlation_id: 'req_1' } }
  const { seq } = await bus.js.publish('dead-letters.commands.template.tpl_1', JSON.stringify(update))
  t.match(await platen('dead-letters', 'retry', String(seq), String(seq)), {
    code: 1,
    stderr: `${seq}: it was removed meanwhile`,
  })
  t.equal(await sent(), before + 1)

  const stop = new AbortController()
  await bury()
  await bury()
  const options = { signal: stop.signal, onLine: () => stop.abort() }
  t.match(await platenWith(options, 'dead-letters', 'retry', '--all'), {
    code: 1,
    stderr: 'interrupted; 1 dead letters',
  })
  t.equal(await sent(), before + 2)
  t.match(await platen('dead-letters', 'drop', '--all'), { code: 0 })
})

t.test('a dead letter that cannot be sent again keeps none of the others from it', async (t) => {
  const sent = async () => (await bus.jsm.streams.info('COMMANDS')).state.messages
  const before = await sent()
  const [gone, good] = [newId('pdf'), newId('pdf')]
  const request = (generation_id: string) => ({ generation_id, owner_id: 'own_default', api_key_id: 'key_1' })
  const bury = async (id: string, data: object) => {
    const command = { type: 'RenderPdf', data, metadata: { id: 'c1', correlation_id: 'req_1' } }
    await bus.js.publish(`dead-letters.commands.render.batch.own_default.${id}`, JSON.stringify(command))
  }
  await bury(gone, { request: request(gone), input_key: `inputs/${gone}` })
  await bury('pdf_none', {})
  await bury('pdf_input', { request: request(newId('pdf')), input: 1 })
  await bury(good, { request: request(good), input: { html: '<p>', options: resolvePdfOptions() } })
  const { code, stdout, stderr } = await platen('dead-letters', 'retry', '--all')
  t.match({ code, stdout }, { code: 1, stdout: `${good} is rendered again` })
  t.match(stderr, new RegExp(`\\d+: the input of ${gone} is not stored any more`))
  t.match(stderr, /is a RenderPdf that no service can read/)
  t.equal(await sent(), before + 1)
  t.match(await platen('dead-letters', 'drop', '--all'), { code: 0 })
})

t.test('a dead letter that two operators send again at once is rendered once, and again if that is lost', async (t) => {
  const sent = async () => (await bus.jsm.streams.info('COMMANDS')).state.messages
  const before = await sent()
  for (let n = 0; n < 3; n++) {
    const generation_id = newId('pdf')
    const request = { generation_id, owner_id: 'own_default', api_key_id: 'key_1' }
    const data = { request, input: { html: '<p>', options: resolvePdfOptions() } }
    const metadata = { id: 'c1', time: '2026-01-31T12:00:00.000Z', correlation_id: 'req_1' }
    const subject = `dead-letters.commands.render.batch.own_default.${generation_id}`
    await bus.js.publish(subject, JSON.stringify({ type: 'RenderPdf', data, metadata }))
  }
  const both = await Promise.all([platen('dead-letters', 'retry', '--all'), platen('dead-letters', 'retry', '--all')])
  const ids = both.flatMap(({ stdout }) => [...stdout.matchAll(/rendered again as (pdf_\w+)/g)].map(([, id]) => id))
  t.equal(new Set(ids).size, 3)
  t.equal(await sent(), before + 3)
  for (const { stderr } of both) t.notMatch(stderr, /not found|failed/)
  const again = async () => jsonLines(await platen('dead-letters', 'retry', '--all', '--json')).map(({ id }) => id)
  const { config } = await bus.jsm.streams.info('COMMANDS')
  const loseCommands = async (duplicate_window: number) => {
    await bus.jsm.streams.delete('COMMANDS')
    await bus.jsm.streams.add({ ...config, duplicate_window })
  }
  await loseCommands(nanos(100))
  t.strictSame(await again(), [...new Set(ids)])
  t.equal(await sent(), 3)
  // Longer than JetStream knows a repeated message.
  await setTimeout(500)
  t.strictSame(await again(), [...new Set(ids)])
  t.equal(await sent(), 3)
  t.strictSame(
    jsonLines(await platen('dead-letters', 'list', '--json')).map((letter) => letter.retried_as),
    [...new Set(ids)],
  )
  await loseCommands(config.duplicate_window)
  t.match(await platen('dead-letters', 'drop', '--all'), { code: 0 })
})

t.test('a document is rendered again from its stored input, with what it needs of a renderer', async (t) => {
  const generation_id = newId('pdf')
  const input_key = `inputs/${generation_id}`
  const input = { html: `<p>${'x'.repeat(700_000)}`, options: resolvePdfOptions() }
  await stack.services.objects.put(input_key, encodeInput(input), 'application/octet-stream')
  const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...data } })
  const requested = event('GenerationRequested', { api_key_id: 'key_1', owner_id: 'own_default', input_key })
  const failed = event('GenerationFailed', { code: 'RENDER_FAILED', message: 'no' })
  await store.append(`generation-${generation_id}`, [requested, failed], 'none')
  const { id } = JSON.parse((await platen('generations', 'retry', generation_id, '--json')).stdout)
  const sent = await bus.jsm.streams.getMessage('COMMANDS', { last_by_subj: `commands.render.*.*.${id}` })
  const { request, input_key: copy } = sent.json<RenderPdf>().data
  t.strictSame([request.generation_id, generationOfInput(copy ?? '')], [id, id])
  t.equal((await stack.services.objects.info(copy ?? ''))?.size, encodeInput(input).length, 'a copy')
  await stack.services.objects.delete(input_key)
  t.match(await platen('generations', 'retry', generation_id), {
    code: 1,
    stderr: 'is not stored any more; send the request again',
  })
})

t.test('a small request is not rendered again, with the reason that its input was never stored', async (t) => {
  const id = newId('pdf')
  const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...data } })
  const requested = event('GenerationRequested', { api_key_id: 'key_1', owner_id: 'own_default' })
  await store.append(`generation-${id}`, [requested, event('GenerationFailed', { code: 'X', message: 'no' })], 'none')
  const refused = {
    code: 1,
    stderr: `the input of ${id} is not kept: only with retain_input, and those over 640 KiB and of batches, are stored; send the request`,
  }
  for (const dry of [[], ['--dry-run']]) t.match(await platen('generations', 'retry', id, ...dry), refused)
})

t.test('an item of a batch is rendered again from the items of the batch, unless its content was erased', async (t) => {
  const id = newId('bat')
  const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...data } })
  const writer = new ItemWriter(stack.services.objects, id)
  for (const index of [1, 2])
    await writer.add({ index, request: {}, input: { html: `<p>${index}`, options: resolvePdfOptions() } })
  const ids = { api_key_id: 'key_1', owner_id: 'own_default' }
  const now = new Date().toISOString()
  await store.append(`batch-${id}`, [event('BatchCreated', { ...ids, total: 2, input: await writer.end() })], 'none')
  const given = async (index: number, ...further: NewEvent[]) => {
    const generation = itemGenerationId(id, index)
    const requested = event('GenerationRequested', { ...ids, batch: { id, index } })
    const failed = event('GenerationFailed', { code: 'RENDER_FAILED', message: 'no' })
    await store.append(`generation-${generation}`, [requested, failed, ...further], 'none')
    return generation
  }
  const item = await given(2)
  const erased = await given(
    1,
    event('ContentErased', { erased_by: 'key_1', erased_at: now, objects: 0, dead_letters: 0 }),
  )
  const { code, stdout } = await platen('generations', 'retry', item)
  t.equal(code, 0)
  const [, again] = /is rendered again as (pdf_\w+)/.exec(stdout) ?? []
  const sent = await bus.jsm.streams.getMessage('COMMANDS', { last_by_subj: `commands.render.backlog.*.${again}` })
  t.match(sent?.json(), { data: { input: { html: '<p>2' }, request: { retry_of: item } } })
  t.match(await platen('generations', 'retry', erased), { code: 1, stderr: `the content of ${erased} was erased` })
  // Its items are read once for all that are rendered again.
  let removed: Promise<void> | undefined
  const onLine = () => {
    removed ??= stack.services.objects.delete(`inputs/${id}.0`)
  }
  const many = await platenWith({ onLine }, 'generations', 'retry', ...Array(20).fill(item))
  t.match(many, { code: 0, stderr: '' })
  t.equal(many.stdout.match(/is rendered again as/g)?.length, 20)
  await removed
})

t.test('generations are listed by what they are, and rendered again together', async (t) => {
  const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...data } })
  const input = encodeInput({ html: '<p>', options: resolvePdfOptions() })
  const given = async (owner_id: string, code: string | undefined, isStored = true) => {
    const id = newId('pdf')
    const input_key = `inputs/${id}`
    if (isStored) await stack.services.objects.put(input_key, input, 'application/octet-stream')
    const request = { api_key_id: 'key_1', owner_id, input_key, metadata: { batch: 'a=b' } }
    const end = code === undefined ? [] : [event('GenerationFailed', { code, message: 'no' })]
    await store.append(`generation-${id}`, [event('GenerationRequested', request), ...end], 'none')
    return id
  }
  const one = await given('own_default', 'RENDER_TIMEOUT')
  const open = await given('own_default', undefined)
  const gone = await given('own_default', 'RENDER_TIMEOUT', false)
  const other = await given('own_00000000000000000000000000', 'RENDER_FAILED')
  const batch = ['--metadata', 'batch=a=b']
  const listed = async (...args: string[]) =>
    jsonLines(await platen('generations', 'list', ...batch, ...args, '--json')).map(({ id }) => id)
  t.strictSame(await listed(), [one, open, gone, other])
  t.strictSame(await listed('--status', 'rendering'), [open])
  t.strictSame(await listed('--code', 'RENDER_TIMEOUT', '--owner', 'own_default', '--since', '1h'), [one, gone])
  t.strictSame(await listed('--last', '1'), [other])
  t.strictSame(await listed('--until', '1h'), [])

  const retry = (...args: string[]) => platen('generations', 'retry', ...batch, ...args)
  t.match(await retry(), { code: 2, stderr: 'add either --owner OWNER, or --all-owners' })
  const queued = async () => (await bus.jsm.streams.info('COMMANDS')).state.messages
  const before = await queued()
  const dry = await retry('--all-owners', '--dry-run', '--json')
  t.match(dry, { code: 1, stderr: `the input of ${gone} is not stored any more` })
  t.strictSame(
    jsonLines(dry).map(({ retried }) => retried),
    [one, other],
  )
  t.equal(await queued(), before, 'nothing is sent')
  const sent = jsonLines(await retry('--owner', 'own_default', '--code', 'RENDER_TIMEOUT', '--json'))
  t.match(sent, [{ retried: one, id: /^pdf_/ }])
  t.equal(await queued(), before + 1)

  const stop = new AbortController()
  const all = ['generations', 'retry', ...batch, '--all-owners']
  const options = { signal: stop.signal, onLine: () => stop.abort() }
  t.match(await runCli(env, all, options), { code: 1, stderr: 'interrupted; 2 generations were not looked at' })
  t.equal(await queued(), before + 2, 'Ctrl-C ends it after the one that is sent')
  t.match(await runCli(env, all, options), { code: 1, stdout: '' }, 'none is chosen from a part of the log')
})

t.test('the content of a person is erased with a receipt, and the log stays', async (t) => {
  const objects = stack.services.objects
  const given = async (subject: string | undefined, ended = true) => {
    const id = newId('pdf')
    const key = `pdfs/${id}.0123456789abcdef.pdf`
    await objects.put(key, Buffer.from('%PDF-'), 'application/pdf')
    // The PDF of a renderer that was killed before it recorded the end.
    const orphan = `pdfs/${id}.fedcba9876543210.pdf`
    await objects.put(orphan, Buffer.from('%PDF-1.4'), 'application/pdf')
    await objects.put(objectKeys.input(id, '0123456789abcdef'), Buffer.from('{}'), 'application/json')
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
    return { id, keys: [key, orphan, objectKeys.input(id, '0123456789abcdef')] }
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
  t.strictSame(await exist(one), [true, true, true], 'a dry run deletes nothing')
  const end = await store.end()
  const file = join(t.testdir({}), 'receipt.json')
  const receipt = await platen('erase', '--data-subject', 'ann', '--json', '--receipt', file)
  t.match(JSON.parse(receipt.stdout), {
    data_subject: 'ann',
    generations: [
      { generation_id: one.id, objects: [{ size: 5 }, { size: 8 }, { size: 2 }], sha256: 'ab' },
      { generation_id: two.id },
    ],
  })
  t.equal(await readFile(file, 'utf8'), receipt.stdout)
  for (const erased of [one, two]) t.strictSame(await exist(erased), [false, false, false])
  for (const kept of [other, unnamed]) t.strictSame(await exist(kept), [true, true, true])
  const recorded = jsonLines(await platen('stream', `generation-${one.id}`))
  t.equal(recorded.length, 3, 'the log keeps its events')
  t.match(recorded.at(-1), {
    type: 'ContentErased',
    data: { objects: 3, sha256: 'ab', erased_by: /@/, erased_at: /^20/ },
  })
  t.match(await platen('trace', one.id), { stdout: /content erased.*by .+@.*3 files/ })
  const afterErasure = await store.end()
  t.not(afterErasure, end)
  t.match(await platen('erase', one.id), { code: 0 })
  t.equal(await store.end(), afterErasure, 'a repetition that finds nothing records nothing')
  t.match(await platen('erase', unnamed.id), { code: 0 })
  t.strictSame(await exist(unnamed), [false, false, false])
  const open = await given('eve', false)
  t.match(await platen('erase', '--data-subject', 'eve'), { code: 1, stderr: `${open.id} has not ended` })
  t.strictSame(await exist(open), [true, true, true])
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
    await objects.put(objectKeys.input(id, '0123456789abcdef'), Buffer.from('{}'), 'application/json')
    const data = { owner_id, api_key_id: 'key_1', metadata: { data_subject: 'zoe' } }
    const cancelled = { id: randomUUID(), type: 'GenerationCancelled', data: {} }
    await store.append(`generation-${id}`, [{ id: randomUUID(), type: 'GenerationRequested', data }, cancelled], 'none')
    return { id, exists: async () => (await objects.info(objectKeys.input(id, '0123456789abcdef'))) !== undefined }
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

t.test('the relays and streams are shown, and a claim is refused while services run', async (t) => {
  await until(async () => {
    const [, renderer] = jsonLines(await platen('relay', 'status', '--json'))
    return renderer?.state === 'caught_up' ? true : undefined
  }, 'the relay of the renderer does not become level')
  const [, renderer] = jsonLines(await platen('relay', 'status', '--json'))
  t.match(renderer, { relay: 'renderer', behind: 0, held_by: 'test', last_seq: Number })
  await using other = await openTemporaryStore()
  const restored = { ...env, EVENT_STORE_URL: other.url }
  const status = await runCli(restored, ['relay', 'status'])
  t.match(status, { code: 1, stdout: /other event store.*\n(.*\n)*.*see `deployment claim`/ })
  t.match(await runCli(restored, ['deployment', 'claim']), { code: 2, stderr: 'stop all services and add --yes' })
  t.match(await runCli(restored, ['deployment', 'claim', '--yes']), { code: 1, stderr: 'stop all services first' })
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
  t.match(await renamed('deployment', 'claim'), { code: 2, stderr: /belong to dep_.*add --yes/ })
  t.match(await renamed('deployment', 'claim', '--yes'), { code: 1, stderr: 'stop all services first' })
  t.match(await platen('deployment', 'claim'), { code: 0, stdout: before?.deployment }, 'it is so already')
})
