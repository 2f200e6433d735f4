import { setTimeout as delay } from 'node:timers/promises'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { commandSubjects, streams } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { setChecksum } from '@platen/messaging/envelopes/checksum.ts'
import { openInbox } from '@platen/messaging/requests/reply.ts'
import { findDeadLetter } from '@platen/service-kit/dead-letters/dead-letters.ts'
import { retryLetter } from '@platen/service-kit/dead-letters/retry-letter.ts'
import { callGateway, eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { headers, type MsgHdrs } from 'nats'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer, services } = gateway
t.beforeEach(() => services.bus.jsm.streams.purge(streams.deadLetters).then(() => {}))

/** Leaves a message in DEAD_LETTERS, as a service does. */
async function bury(
  subject: string,
  payload: unknown,
  reason = 'it crashed',
  header: MsgHdrs = headers(),
): Promise<string> {
  header.set('Platen-Reason', reason)
  header.set('Platen-Subject', subject)
  header.set('Platen-Deliveries', '5')
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return String((await services.bus.js.publish(`dead-letters.${subject}`, text, { headers: header })).seq)
}

const metadata = () => ({ id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: newId('req') })

async function buryRender(ownerId: string, html: string, reason?: string, generation = newId('pdf')) {
  const request = { generation_id: generation, owner_id: ownerId, api_key_id: 'key_1' }
  const command = {
    type: 'RenderPdf',
    data: { request, input: { html, options: resolvePdfOptions() } },
    metadata: metadata(),
  }
  return { id: await bury(commandSubjects.render('batch', ownerId, generation), command, reason), generation }
}

async function buryUpdate(template_id: string, html: string): Promise<string> {
  const data = { template_id, owner_id: defaultOwnerId, changes: { html } }
  return bury(commandSubjects.template(template_id), { type: 'UpdateTemplate', data, metadata: metadata() })
}

const createTemplate = async () =>
  (await call('POST', '/v1/templates', { body: { name: 'Dead', html: 'one' } })).body.id
const list = async (query = '') => (await call('GET', `/v1/dead-letters${query}`)).body
const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
const act = (verb: 'retry' | 'drop', body: object) => call('POST', `/v1/dead-letters/${verb}`, { body })

t.test('a dead letter with other data than were sent is not retried', async (t) => {
  const payload = { type: 'UpdateTemplate', data: { template_id: 'tpl_1', owner_id: defaultOwnerId, changes: {} } }
  const checksum = headers()
  setChecksum(checksum, JSON.stringify(payload))
  const damaged = { ...payload, data: { ...payload.data, changes: { html: 'of another' } }, metadata: metadata() }
  const id = await bury(commandSubjects.template('tpl_1'), damaged, 'damaged', checksum)
  const letter = await findDeadLetter(services.bus, Number(id))
  t.equal(letter?.intact, false)
  using inbox = openInbox(services.bus.nats)
  const retrying = {
    bus: services.bus,
    inbox,
    openObjects: async () => services.objects,
    statusOf: async () => undefined,
  }
  if (letter) await t.rejects(retryLetter(retrying, letter), { message: 'its data are not those that were sent' })
})

t.test('dead letters are listed newest first, in pages, and by reason, subject, owner and time', async (t) => {
  const acme = await createOwner(services.store, 'Acme')
  const first = await buryRender(acme, 'x', 'no space')
  const second = await buryRender(defaultOwnerId, 'x')
  const third = await buryUpdate('tpl_1', 'x')
  await eventually(async () => {
    if ((await call('GET', `/v1/dead-letters?owner=${acme}`)).status !== 200) throw new Error('the owner is unknown')
  })
  const page = await list()
  t.strictSame(ids(page), [third, second.id, first.id])
  t.match(page.data, [
    { kind: 'template', owner_id: defaultOwnerId, reason: 'it crashed', attempts: 5 },
    { kind: 'render', generation_id: second.generation, owner_id: defaultOwnerId },
    { kind: 'render', generation_id: first.generation, owner_id: acme, reason: 'no space' },
  ])
  t.notMatch(JSON.stringify(page), /body/)
  const paged = await list('?limit=2')
  t.strictSame(ids(paged), [third, second.id])
  t.strictSame(ids(await list(`?limit=2&cursor=${paged.next_cursor}`)), [first.id])
  t.strictSame(ids(await list('?reason=space')), [first.id])
  t.strictSame(ids(await list('?subject=commands.render.')), [second.id, first.id])
  t.strictSame(ids(await list(`?owner=${acme}`)), [first.id])
  const read = async (id: string) => (await call('GET', `/v1/dead-letters/${id}?owner=${acme}`)).status
  t.strictSame([await read(first.id), await read(second.id)], [200, 404], 'of one owner')
  t.strictSame(ids(await list('?created_before=2020-01-01')), [])
  t.strictSame(ids(await list('?created_after=2020-01-01')).length, 3)
  t.match(await call('GET', '/v1/dead-letters?cursor=x'), { status: 400 })
  const key = await gateway.issueKey('generations:read')
  t.match(await call('GET', '/v1/dead-letters', { key }), { status: 403 })
})

t.test('a dead letter has its body, without tokens, and of a large one the beginning', async (t) => {
  const url = 'https://example.com/hook?token=secret'
  const request = { generation_id: newId('pdf'), owner_id: defaultOwnerId, api_key_id: 'key_1', webhook_url: url }
  const subject = commandSubjects.render('batch', defaultOwnerId, request.generation_id)
  const id = await bury(subject, { type: 'RenderPdf', data: { request, input: { html: 'y'.repeat(100_000) } } })
  const { body } = await call('GET', `/v1/dead-letters/${id}`)
  t.match(body, { id, kind: 'render', body_truncated: true })
  t.equal(body.body.length, 64 * 1024)
  t.notMatch(body.body, /secret/)
  const text = await bury('commands.template.tpl_1', 'not json')
  t.match((await call('GET', `/v1/dead-letters/${text}`)).body, { body: 'not json', body_truncated: false })
  for (const unknown of ['999999999', '0', 'x', '1e3'])
    t.match(await call('GET', `/v1/dead-letters/${unknown}`), {
      status: 404,
      body: { error: { code: 'DEAD_LETTER_NOT_FOUND' } },
    })
})

t.test('a retry executes a command and removes its letter; one that is refused is kept with the reason', async (t) => {
  const template = await createTemplate()
  const fine = await buryUpdate(template, 'two')
  const refused = await buryUpdate(newId('tpl'), 'two')
  const event = await bury('events.generation.completed.pdf_1', '{}')
  const dry = await act('retry', { filter: {}, dry_run: true })
  t.match(dry, { status: 200, body: { dry_run: true, count: 3, ids: [fine, refused, event], done: [], kept: [] } })
  t.equal((await list()).data.length, 3, 'nothing was done')
  const later = await act('retry', { filter: {}, after: fine, dry_run: true })
  t.strictSame(later.body.ids, [refused, event], 'only those after it')
  const { body } = await act('retry', { filter: {} })
  t.strictSame(body.done, [{ id: fine }])
  t.match(body.kept, [
    { id: refused, reason: /TEMPLATE_NOT_FOUND/ },
    { id: event, reason: /^it is an event/ },
  ])
  t.match((await call('GET', `/v1/templates/${template}`)).body, { html: 'two', version: 2 })
  t.strictSame(ids(await list()), [event, refused])
  t.match(await act('retry', { ids: [fine] }), { status: 200, body: { done: [{ id: fine }], kept: [] } }, 'again')
  t.match((await call('GET', `/v1/templates/${template}`)).body, { version: 2 })
})

/** Sends a dead letter again, and resolves to the generation. */
async function retried(id: string): Promise<string> {
  const { body } = await act('retry', { ids: [id] })
  return body.done[0]?.generation_id ?? JSON.stringify(body)
}

/** The notifier removes letters of documents that were rendered again. */
const untilLeft = (wanted: string[]) =>
  eventually(async () => {
    const left = ids(await list())
    if (left.join() !== wanted.join()) throw new Error(`there are the dead letters ${left}, not ${wanted}`)
  })

t.test('a document of a dead letter is rendered once, however often it is sent again', async (t) => {
  await using other = await gateway.startAnother()
  await using _notifier = await gateway.startNotifier()
  t.teardown(() => Object.assign(renderer, { behaviour: 'complete' }))
  renderer.behaviour = 'held'
  const { id } = await buryRender(defaultOwnerId, '<p>dead')
  const before = renderer.taken.length
  const send = (url: string) =>
    fetch(new URL('/v1/dead-letters/retry', url), {
      method: 'POST',
      headers: { authorization: 'Bearer test-key-of-the-gateway-0123456789', 'content-type': 'application/json' },
      body: JSON.stringify({ ids: [id] }),
    }).then((response) => response.json() as Promise<{ done: { generation_id?: string }[] }>)
  const answers = await Promise.all([send(gateway.url), send(other.url), send(gateway.url)])
  const made = answers.flatMap(({ done }) => done.flatMap((one) => one.generation_id ?? []))
  t.equal(new Set(made).size, 1, JSON.stringify(answers))
  const [generation = ''] = made
  while (renderer.taken.length === before) await delay(20)
  t.match((await list()).data, [{ id, retried_as: generation }], 'it stays, as it has the input')
  t.match((await call('GET', `/v1/dead-letters/${id}`)).body, { id, retried_as: generation })
  t.equal(await retried(id), generation, 'while it is rendered')
  renderer.release()
  t.match((await call('GET', `/v1/generations/${generation}?wait=20`)).body, { status: 'completed' })
  await untilLeft([])
  t.equal(renderer.taken.length - before, 1)
})

t.test('the dead letter of a document that fails again is kept, and another retry is another generation', async (t) => {
  t.teardown(() => Object.assign(renderer, { behaviour: 'complete' }))
  renderer.behaviour = { code: 'INTERNAL_ERROR', message: 'the renderer has stopped' }
  const { id, generation } = await buryRender(defaultOwnerId, '<p>failed')
  const first = await retried(id)
  t.match((await call('GET', `/v1/generations/${first}?wait=20`)).body, { status: 'failed', retry_of: generation })
  t.match((await list()).data, [{ id, retried_as: first }])
  renderer.behaviour = 'complete'
  const second = await retried(id)
  t.not(second, first)
  t.match((await call('GET', `/v1/generations/${second}?wait=20`)).body, { status: 'completed', retry_of: generation })
  t.equal(await retried(id), second, 'it was rendered')
  await using _notifier = await gateway.startNotifier()
  await untilLeft([])
})

t.test('if the new generation is a dead letter, too, that one stands for both', async (t) => {
  t.teardown(() => Object.assign(renderer, { behaviour: 'complete' }))
  renderer.behaviour = { code: 'INTERNAL_ERROR', message: 'it crashed' }
  const { id } = await buryRender(defaultOwnerId, '<p>dead again')
  const again = await retried(id)
  await call('GET', `/v1/generations/${again}?wait=20`)
  const { id: standing } = await buryRender(defaultOwnerId, '<p>dead again', 'it crashed', again)
  t.match((await act('retry', { ids: [id] })).body, { done: [], kept: [{ id, reason: /is another dead letter/ }] })
  await using _notifier = await gateway.startNotifier()
  await untilLeft([standing])
})

t.test(
  'documents that an operator sends again are counted in the queue, and are not refused when it is full',
  async (t) => {
    await using other = await gateway.startAnother({ maxQueued: 2 })
    t.teardown(() => {
      renderer.behaviour = 'complete'
      renderer.release()
    })
    renderer.behaviour = 'held'
    const before = renderer.taken.length
    for (let n = 0; n < 3; n++) await buryRender(defaultOwnerId, `<p>${n}`)
    const retry = await callGateway(other.url, 'POST', '/v1/dead-letters/retry', { body: { filter: {} } })
    t.equal(retry.body.done.length, 3)
    while (renderer.taken.length < before + 3) await delay(20)
    const refused = await callGateway(other.url, 'POST', '/v1/generate', { body: { html: '<p>', async: true } })
    t.match(refused, { status: 503, body: { error: { code: 'QUEUE_FULL' } } })
  },
)

t.test('letters are removed by id or by filter, a hundred at a time', async (t) => {
  for (let n = 0; n < 103; n++) await bury('commands.template.tpl_1', 'x', n < 101 ? 'old' : 'new')
  const dry = await act('drop', { filter: { reason: 'old' }, dry_run: true })
  t.match(dry.body, { dry_run: true, count: 101 })
  t.equal(dry.body.ids.length, 100)
  const first = await act('drop', { filter: { reason: 'old' } })
  t.match(first.body, { count: 100, next_after: String })
  t.equal(first.body.done.length, 100)
  const second = await act('drop', { filter: { reason: 'old' }, after: first.body.next_after })
  t.match(second.body, { count: 1, kept: [] })
  t.equal(second.body.next_after, undefined)
  const [newest] = ids(await list())
  t.match(await act('drop', { ids: [newest] }), { status: 200, body: { done: [{ id: newest }] } })
  t.match(await act('drop', { ids: [newest] }), { status: 200 }, 'again')
  t.match((await list()).data, [{ reason: 'new' }])
})

t.test('it must be said which letters', async (t) => {
  for (const body of [
    {},
    { ids: ['1'], filter: {} },
    { ids: [] },
    { ids: ['x'] },
    { ids: [1] },
    { filter: { reason: '' } },
  ])
    t.match(
      await act('drop', body),
      { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } },
      JSON.stringify(body),
    )
  t.match(await act('drop', { filter: { created_after: 'yesterday' } }), { status: 400 })
  t.match(await act('drop', { filter: {}, dryrun: true }), { status: 400 }, 'a typing error removes nothing')
})
