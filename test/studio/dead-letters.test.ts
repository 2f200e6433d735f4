import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { headers } from 'nats'
import t from 'tap'
import { openServices } from '../../cli/src/frame/open-services.ts'
import { look, startStudio, tabTo } from './open-studio.ts'

t.setTimeout(600_000)
const studio = await startStudio()
const resources = new AsyncDisposableStack()
const bus = await openServices({ DATA_DIR: studio.platen.dataDir }, resources, { isReading: true }).openBus()
t.teardown(async () => {
  await resources.disposeAsync()
  await studio[Symbol.asyncDispose]()
})
const { platen } = studio

/** Leaves a message in DEAD_LETTERS, as a service does. */
async function bury(subject: string, payload: string, reason = 'it crashed'): Promise<void> {
  const header = headers()
  header.set('Platen-Reason', reason)
  header.set('Platen-Subject', subject)
  header.set('Platen-Deliveries', '5')
  await bus.js.publish(`dead-letters.${subject}`, payload, { headers: header })
}

function buryUpdate(template_id: string, html: string): Promise<void> {
  const metadata = { id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: newId('req') }
  const data = { template_id, owner_id: defaultOwnerId, changes: { html } }
  return bury(commandSubjects.template(template_id), JSON.stringify({ type: 'UpdateTemplate', data, metadata }))
}

async function createTemplate(): Promise<string> {
  const body = { name: 'Dead', html: '<p>one', sample_data: {} }
  return (await platen.json<{ id: string }>('/v1/templates', { body })).body.id
}
const left = async () => (await platen.json<{ data: unknown[] }>('/v1/dead-letters?limit=100')).body.data.length

t.test('without dead letters the page says that this is good, and what they are', async (t) => {
  await using opened = await studio.open('/dead-letters')
  const { page, problems } = opened
  await page.getByRole('heading', { level: 1, name: 'Dead letters of all owners' }).waitFor()
  await page.getByRole('heading', { name: 'No dead letters' }).waitFor()
  const runbook = await page.getByRole('link', { name: 'What to do about dead letters' }).getAttribute('href')
  t.equal((await fetch(`${platen.url}${runbook}`)).status, 200)
  t.same(await look(page, 'dead-letters-empty'), [])
  t.same(problems, [])
})

t.test('an operator reads a dead letter, sends those again that can be executed, and drops the others', async (t) => {
  const template = await createTemplate()
  await buryUpdate(template, '<p>two')
  await buryUpdate(newId('tpl'), '<p>three')
  for (let n = 0; n < 120; n++) await bury(`commands.render.batch.x.${n}`, 'not json', 'could not be read')
  await using opened = await studio.open('/dead-letters')
  const { page, problems } = opened
  // Otherwise a list that has not arrived yet would look like the shorter one.
  await page.locator('.row-link').nth(2).waitFor()
  await page.getByRole('button', { name: 'Subject', exact: true }).click()
  await page.getByRole('dialog', { name: 'Subject' }).getByRole('textbox').fill('commands.template.')
  await page.keyboard.press('Enter')
  await page.waitForURL(/subject=commands\.template\./)
  await page.locator('.row-link').nth(2).waitFor({ state: 'detached' })
  await page.locator('.row-link').nth(1).waitFor()
  t.equal(await page.locator('.row-link').count(), 2)
  await page.reload()
  await page.locator('.row-link').nth(1).waitFor()
  t.same(await look(page, 'dead-letters'), [])
  await page.locator('.row-link').last().click()
  await page.waitForURL(/letter=\d+/)
  const letter = page.getByRole('dialog', { name: 'Dead letter', exact: true })
  await letter.getByText('"UpdateTemplate"').waitFor()
  t.same(await look(page, 'dead-letters-one'), [])
  await page.goBack()
  await letter.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Retry all…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Retry dead letters' })
  await dialog.getByText('whose subject begins with “commands.template.”').waitFor()
  t.same(await look(page, 'dead-letters-retry'), [])
  await dialog.getByRole('button', { name: 'Retry 2 dead letters' }).click()
  await dialog.getByText('1 dead letter was sent again. 1 was not:').waitFor()
  await dialog.getByText('TEMPLATE_NOT_FOUND').waitFor()
  t.same(await look(page, 'dead-letters-refused'), [])
  t.match((await platen.json(`/v1/templates/${template}`)).body, { html: '<p>two' })
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: 'could not be read' }).first().waitFor()
  await page.getByRole('checkbox').nth(0).check()
  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('button', { name: 'Drop 2…' }).click()
  const drop = page.getByRole('dialog', { name: 'Drop dead letters' })
  await drop.getByRole('button', { name: 'Drop 2 dead letters' }).click()
  await drop.getByText('2 dead letters were removed.').waitFor()
  await page.keyboard.press('Escape')
  t.equal(await page.getByRole('checkbox', { checked: true }).count(), 0)
  await page.getByRole('button', { name: 'Drop all…' }).click()
  await drop.getByRole('button', { name: 'Drop 119 dead letters' }).click()
  await drop.getByText('119 dead letters were removed.').waitFor({ timeout: 60_000 })
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'No dead letters' }).waitFor()
  t.equal(await left(), 0)
  t.same(problems, [])
})

t.test(
  'a document that was rendered again and has failed is marked, and its new generation is a click away',
  async (t) => {
    const generation = newId('pdf')
    const request = { generation_id: generation, owner_id: defaultOwnerId, api_key_id: 'key_1' }
    const data = { request, input: { html: '<p>{{#if}}', data: {}, options: resolvePdfOptions() } }
    const metadata = { id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: newId('req') }
    const command = JSON.stringify({ type: 'RenderPdf', data, metadata })
    await bury(commandSubjects.render('batch', defaultOwnerId, generation), command)
    const { body } = await platen.json<{ done: { generation_id: string }[] }>('/v1/dead-letters/retry', {
      body: { filter: {} },
    })
    const again = body.done[0]?.generation_id ?? ''
    const status = async () => (await platen.json<{ status: string }>(`/v1/generations/${again}?wait=20`)).body.status
    while ((await status()) !== 'failed');
    await using opened = await studio.open('/dead-letters')
    const { page, problems } = opened
    await page.locator('.badge', { hasText: 'rendered again' }).waitFor()
    t.same(await look(page, 'dead-letters-again'), [])
    await page.locator('.row-link').click()
    await page.getByRole('dialog').getByRole('link', { name: again }).click()
    await page.waitForURL(new RegExp(`/generations/${again}`))
    t.same(problems, [])
    await platen.json('/v1/dead-letters/drop', { body: { filter: {} } })
  },
)

t.test('by keyboard alone a dead letter is opened, sent again, and the list is empty', async (t) => {
  const template = await createTemplate()
  await buryUpdate(template, '<p>by keyboard')
  await using opened = await studio.open('/templates')
  const { page, problems } = opened
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await page.locator('.row-link').waitFor()
  await tabTo(page, '.row-link')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Dead letter', exact: true }).getByText('"UpdateTemplate"').waitFor()
  await tabTo(page, '.dialog-actions .primary')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Retry 1 dead letter', exact: true }).waitFor()
  await tabTo(page, 'dialog:last-of-type .dialog-actions .primary')
  await page.keyboard.press('Enter')
  await page.getByText('1 dead letter was sent again').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'No dead letters' }).waitFor()
  t.match((await platen.json(`/v1/templates/${template}`)).body, { html: '<p>by keyboard' })
  t.same(problems, [])
})

t.test('an address of a dead letter that is gone says so', async (t) => {
  await using opened = await studio.open('/dead-letters?letter=987654')
  const { page, problems } = opened
  await page.getByText('There is no dead letter').waitFor()
  t.same(await look(page, 'dead-letters-gone'), [])
  t.same(problems, [])
})

t.test('those of one owner are listed and dropped alone, and the title says so', async (t) => {
  await buryUpdate(newId('tpl'), '<p>of an owner')
  await bury('events.nothing', '{}')
  await using opened = await studio.open(`/dead-letters?owner=${defaultOwnerId}`)
  const { page, problems } = opened
  await page.getByRole('heading', { level: 1, name: 'Dead letters of one owner' }).waitFor()
  await page.locator('.row-link').waitFor()
  await page.getByRole('button', { name: 'Drop all…' }).click()
  await page.getByRole('dialog').getByText(`of the owner ${defaultOwnerId}`).waitFor()
  await page.getByRole('button', { name: 'Drop 1 dead letter', exact: true }).click()
  await page.getByText('1 dead letter was removed.').waitFor()
  t.equal(await left(), 1)
  t.same(problems, [])
})
