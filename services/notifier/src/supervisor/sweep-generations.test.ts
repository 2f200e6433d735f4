import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { absentGeneration, evolveGeneration } from '@platen/domain/generation/generation-state.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { headers } from 'nats'
import t from 'tap'
import { openGenerationsView } from './open-generations.ts'
import { QueuedCommands } from './queued-commands.ts'
import { sweepGenerations } from './sweep-generations.ts'

const { services, folder, ...testServices } = await startBackingServices()
t.teardown(() => testServices[Symbol.asyncDispose]())
const { bus, store } = services

const overdueAfterMs = 25 * 3_600_000
const limits = { lostAfterMs: 30_000, orphanAfterMs: 300_000, overdueAfterMs }

const stateOf = async (id: string) =>
  (await load(store, { initialState: absentGeneration, evolve: evolveGeneration }, `generation-${id}`)).state

/** The first sweep of a supervisor. */
async function sweepAt(nowMs: number, log = services.log): Promise<void> {
  using view = openGenerationsView(join(folder, `${randomUUID()}.db`))
  const commands = new QueuedCommands(bus)
  await sweepGenerations(
    { store, view, commands, limits, deadLettered: new Set(), log, signal: new AbortController().signal },
    nowMs,
  )
}

t.test('the time in the queue goes on when another process supervises', async (t) => {
  const id = newId('pdf')
  const request = { generation_id: id, owner_id: 'own_default', api_key_id: 'key_1' }
  const metadata = { id: randomUUID(), time: new Date().toISOString(), correlation_id: 'req_1' }
  const command = { type: 'RenderPdf', data: { request, input_key: 'inputs/x' }, metadata }
  await bus.js.publish(commandSubjects.render('batch', 'own_default', id), JSON.stringify(command))
  await sweepAt(Date.now() + overdueAfterMs - 60_000)
  t.equal((await stateOf(id)).status, 'absent')
  await sweepAt(Date.now() + overdueAfterMs + 60_000)
  t.match(await stateOf(id), { status: 'failed', failure: { code: 'RENDER_TIMEOUT' } })
})

t.test('a command that has left the queue is lost unless a renderer has begun, whatever the view knows', async (t) => {
  const [begun, lost] = [newId('pdf'), newId('pdf')]
  using view = openGenerationsView(join(folder, `${randomUUID()}.db`))
  const commands = new QueuedCommands(bus)
  const { signal } = new AbortController()
  const sweep = { store, view, commands, limits, deadLettered: new Set<string>(), log: services.log, signal }
  for (const id of [begun, lost]) await bus.js.publish(commandSubjects.render('batch', 'own_default', id), '{}')
  await sweepGenerations(sweep, Date.now())
  for (const id of [begun, lost]) await commands.delete(commandSubjects.render('batch', 'own_default', id))
  const data = { owner_id: 'own_default', api_key_id: 'key_1' }
  await store.append(`generation-${begun}`, [{ id: randomUUID(), type: 'GenerationRequested', data }], 'none')
  await sweepGenerations(sweep, Date.now() + 1)
  await sweepGenerations(sweep, Date.now() + limits.lostAfterMs + 60_000)
  t.match(await stateOf(lost), { status: 'failed', failure: { message: /^The request was lost/ } })
  t.not((await stateOf(begun)).status, 'failed')
})

t.test(
  'a dead letter whose subject names no generation is named in the log, and does not keep others from their end',
  async (t) => {
    const id = newId('pdf')
    const { log, text } = recordingLog()
    const reason = headers()
    reason.set('Platen-Reason', 'it crashed')
    await bus.js.publish('dead-letters.commands.render.batch.own_default', 'no owner', { headers: reason })
    await bus.js.publish(`dead-letters.${commandSubjects.render('batch', 'own_default', id)}`, 'x', { headers: reason })
    await sweepAt(Date.now(), log)
    t.match(await stateOf(id), {
      status: 'failed',
      failure: { message: 'The generation failed too often: it crashed' },
    })
    t.match(text(), /"subject":"commands\.render\.batch\.own_default".*a dead letter is of no generation/)
  },
)
