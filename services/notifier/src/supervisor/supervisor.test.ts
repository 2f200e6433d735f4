import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { absentGeneration, evolveGeneration } from '@platen/domain/generation/generation-state.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import type { NewEvent } from '@platen/event-store/event-store.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { completed, type Ending, ownerId, type Platen, startPlaten } from '@platen/test-support/notifier/platen.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'

// Each test has its own NATS server and event store.
t.jobs = 3

const request = (id: string, webhook_url?: string) => ({
  generation_id: id,
  owner_id: ownerId,
  api_key_id: 'key_1',
  ...defined({ webhook_url }),
})
const subjectOf = (id: string) => commandSubjects.render('batch', ownerId, id)

function enqueue({ services }: Platen, id: string, webhookUrl?: string, subject = subjectOf(id)) {
  const metadata = { id: randomUUID(), time: new Date().toISOString(), correlation_id: 'req_1' }
  const command = {
    type: 'RenderPdf',
    data: { request: request(id, webhookUrl), input_key: 'inputs/x' },
    metadata,
  }
  return services.bus.js.publish(subject, JSON.stringify(command))
}

async function record({ services }: Platen, id: string, ...types: string[]): Promise<void> {
  const { generation_id: _, ...data } = request(id)
  const events = types.map((type) => ({ id: randomUUID(), type, data: type === 'GenerationRequested' ? data : {} }))
  const [first, ...rest] = events
  if (first) await services.store.append(`generation-${id}`, [first, ...rest], 'none')
}

async function stateOf({ services }: Platen, id: string) {
  return (await load(services.store, { initialState: absentGeneration, evolve: evolveGeneration }, `generation-${id}`))
    .state
}

const failed = (platen: Platen, id: string) =>
  until(async () => {
    const state = await stateOf(platen, id)
    return state.status === 'failed' ? state : undefined
  }, `${id} has not failed`)

const isQueued = async ({ services }: Platen, id: string) =>
  (await services.bus.jsm.streams.info('COMMANDS', { subjects_filter: subjectOf(id) })).state.subjects !== undefined

t.test(
  'generations whose command or renderer was lost, and those that are dead letters fail, and their webhooks are sent',
  { buffered: true },
  async (t) => {
    await using platen = await startPlaten()
    await using receiver = await startReceiver()
    const [lost, lostSync, orphan, waiting] = [newId('pdf'), newId('pdf'), newId('pdf'), newId('pdf')]
    await using _ = await platen.notifier()
    await enqueue(platen, lost, receiver.url('/lost'))
    await enqueue(platen, lostSync, undefined, commandSubjects.render('interactive', ownerId, lostSync))
    await record(platen, orphan, 'GenerationRequested', 'GenerationStarted')
    // The supervisor looks at the queue before the dead letters, and so has seen the commands before the second one.
    for (const dead of [newId('pdf'), newId('pdf')]) {
      await enqueue(platen, dead, undefined, `dead-letters.${subjectOf(dead)}`)
      t.match(await failed(platen, dead), { request: { owner_id: ownerId }, failure: { message: /failed too often/ } })
    }
    await platen.services.bus.jsm.streams.purge('COMMANDS')
    await enqueue(platen, waiting)
    t.match(await failed(platen, lost), {
      request: { owner_id: ownerId, api_key_id: 'key_1', webhook_url: receiver.url('/lost') },
      failure: { code: 'INTERNAL_ERROR', message: /the request was lost/i },
    })
    t.match(await failed(platen, lostSync), { failure: { message: /the request was lost/i } })
    t.match(await failed(platen, orphan), { failure: { message: /renderer has stopped/ } })
    const [call] = await receiver.calls('/lost', 1)
    t.match(JSON.parse(call?.body ?? ''), { type: 'generation.failed', data: { id: lost } })
    t.match(await stateOf(platen, waiting), { status: 'absent' }, 'one that is queued is left alone')
    t.ok(await isQueued(platen, waiting))
  },
)

t.test('a generation that is in the queue for too long fails', { buffered: true }, async (t) => {
  await using platen = await startPlaten()
  const [overdue, garbage] = [newId('pdf'), newId('pdf')]
  await enqueue(platen, overdue)
  await platen.services.bus.js.publish(subjectOf(garbage), 'garbage')
  const { supervisor } = platen.config
  await using _ = await platen.notifier({ supervisor: { ...supervisor, overdueAfterMs: 500 } })
  t.match(await failed(platen, overdue), { failure: { code: 'RENDER_TIMEOUT' } })
  t.match(await failed(platen, garbage), { request: { owner_id: ownerId } })
  while ((await isQueued(platen, overdue)) || (await isQueued(platen, garbage))) await delay(50)
})

t.test(
  'a dead letter goes when its document was rendered again or cancelled, and stays when that has failed or goes on',
  { buffered: true },
  async (t) => {
    await using platen = await startPlaten()
    const { bus } = platen.services
    const of = { failed: newId('pdf'), twice: newId('pdf'), open: newId('pdf'), done: newId('pdf'), off: newId('pdf') }
    const [open, again] = [newId('pdf'), newId('pdf')]
    const bury = (id: string) => enqueue(platen, id, undefined, `dead-letters.${subjectOf(id)}`)
    for (const id of [...Object.values(of), again]) await bury(id)
    const failed: Ending = { type: 'GenerationFailed', data: { code: 'INTERNAL_ERROR', message: 'it crashed' } }
    const event = ({ type, data }: Ending) => ({ type, data: { ...data } as NewEvent['data'], id: randomUUID() })
    const retry = (retry_of: string, end?: Ending, id = newId('pdf')) => {
      const data = { owner_id: ownerId, api_key_id: 'key_1', retry_of }
      const requested = { type: 'GenerationRequested', data, id: randomUUID() }
      return platen.services.store.append(`generation-${id}`, [requested, ...(end ? [event(end)] : [])], 'none')
    }
    await retry(of.failed, failed)
    await retry(of.open, undefined, open)
    await retry(of.twice, failed, again)
    await retry(of.off, { type: 'GenerationCancelled', data: {} })
    await retry(of.done, completed)
    const { supervisor } = platen.config
    await using _ = await platen.notifier({ supervisor: { ...supervisor, orphanAfterMs: 600_000 } })
    const left = async () => {
      const { state } = await bus.jsm.streams.info('DEAD_LETTERS', { subjects_filter: '>' })
      return new Set(Object.keys(state.subjects ?? {}).map((subject) => subject.split('.').at(-1)))
    }
    while ((await left()).size > 3) await delay(50)
    t.strictSame(await left(), new Set([of.failed, of.open, again]), 'the new letter stands for both')
    await platen.services.store.append(`generation-${open}`, [event(completed)], 0)
    await retry(of.failed, completed)
    while ((await left()).size > 1) await delay(50)
    t.strictSame(await left(), new Set([again]))
  },
)
