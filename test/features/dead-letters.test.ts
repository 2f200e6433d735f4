import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { headers } from 'nats'
import t from 'tap'
import { openServices } from '../../cli/src/frame/open-services.ts'
import { jsonLines, runCli } from '../../cli/src/testing/run-cli.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'
import { until } from '../support/until.ts'

const node = await ownerOfSharedPlaten()
const env = { DATA_DIR: node.dataDir }
const resources = new AsyncDisposableStack()
const bus = await openServices(env, resources, { isReading: true }).openBus()
t.teardown(() => resources.disposeAsync())
const platen = (...args: string[]) => runCli(env, args)

/** Leaves a message in DEAD_LETTERS, as a service does. */
async function bury(subject: string, payload: string): Promise<string> {
  const header = headers()
  header.set('Platen-Reason', 'it crashed')
  header.set('Platen-Subject', subject)
  header.set('Platen-Deliveries', '5')
  return String((await bus.js.publish(`dead-letters.${subject}`, payload, { headers: header })).seq)
}

/** A command as a gateway sent it an hour ago: its client has had an error since. */
function buryCommand(subject: string, command: { type: string; data: unknown }): Promise<string> {
  const sentMs = Date.now() - 3_600_000
  const metadata = {
    id: crypto.randomUUID(),
    time: new Date(sentMs).toISOString(),
    correlation_id: newId('req'),
    deadline: new Date(sentMs + 4_500).toISOString(),
  }
  return bury(subject, JSON.stringify({ ...command, metadata }))
}

const letters = async () => jsonLines(await platen('dead-letters', 'list', '--json')).map(({ seq }) => String(seq))

async function createTemplate(): Promise<string> {
  const body = { name: 'dead-letters', html: '<p>one', sample_data: {} }
  return (await node.json<{ id: string }>('/v1/templates', { body })).body.id
}

t.test(
  'a command is executed when it is sent again, also after its deadline, and its dead letter is removed',
  async (t) => {
    const template_id = await createTemplate()
    const update = (html: string) => ({
      type: 'UpdateTemplate',
      data: { template_id, owner_id: node.ownerId, changes: { html } },
    })
    const first = await buryCommand(commandSubjects.template(template_id), update('<p>two'))
    const second = await buryCommand(commandSubjects.template(template_id), update('<p>three'))
    t.match(await platen('dead-letters', 'retry', first, second), { code: 0, stdout: /UpdateTemplate is executed/ })
    t.match((await node.json(`/v1/templates/${template_id}`)).body, { html: '<p>three', version: 3 })
    t.strictSame(await letters(), [])
  },
)

t.test('the dead letter of a command that is refused is kept, with the reason', async (t) => {
  const template_id = newId('tpl')
  const missing = await buryCommand(commandSubjects.template(template_id), {
    type: 'DeleteTemplate',
    data: { template_id, owner_id: node.ownerId },
  })
  const delivery_id = newId('msg')
  const unsent = await buryCommand(commandSubjects.delivery(delivery_id), {
    type: 'RedeliverDelivery',
    data: { delivery_id },
  })
  t.match(await platen('dead-letters', 'retry', '--all'), {
    code: 1,
    stderr: /TEMPLATE_NOT_FOUND.*dead letter is kept[\s\S]*DELIVERY_NOT_FOUND.*dead letter is kept/,
  })
  t.strictSame(await letters(), [missing, unsent])
  t.match(await platen('dead-letters', 'drop', '--all'), { code: 0 })
})

t.test('what is not a command is not sent again, and does not keep others from it', async (t) => {
  const broken = await bury('commands.template.tpl_1', 'not json')
  const event = await bury('events.generation.completed.pdf_1', '{}')
  const template_id = await createTemplate()
  await buryCommand(commandSubjects.template(template_id), {
    type: 'DeleteTemplate',
    data: { template_id, owner_id: node.ownerId },
  })
  t.match(await platen('dead-letters', 'retry', '--all'), { code: 1, stderr: /is not a command[\s\S]*is an event/ })
  await until(
    async () => ((await node.json(`/v1/templates/${template_id}`)).status === 404 ? true : undefined),
    'the template is not deleted',
  )
  t.strictSame(await letters(), [broken, event])
  t.match(await platen('dead-letters', 'drop', '--all'), { code: 0 })
})

t.test('a command that no service can read is one dead letter, however often it is sent again', async (t) => {
  const template_id = newId('tpl')
  await buryCommand(commandSubjects.template(template_id), { type: 'UpdateTemplate', data: { template_id } })
  for (let n = 0; n < 2; n++) {
    t.match(await platen('dead-letters', 'retry', '--all'), { code: 1, stderr: /could not be read.*dead letter again/ })
    await until(async () => ((await letters()).length === 1 ? true : undefined), 'there is another number of letters')
  }
})
