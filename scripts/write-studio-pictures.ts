import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { headers } from 'nats'
import { openServices } from '../cli/src/frame/open-services.ts'
import { readExampleFile } from '../studio/build/examples.ts'
import { root } from '../test/docs/code-blocks.ts'
import { type StudioWindow, startStudio } from '../test/studio/open-studio.ts'

// Makes the pictures of docs/guides/studio.md and of README.md: the studio of a running Platen, with the templates of examples/.

const folder = join(root, 'docs/pictures/studio')
await mkdir(folder, { recursive: true })
await using studio = await startStudio()
const { platen } = studio

const create = async (example: string, more: object = {}) => {
  const file = await readExampleFile(join(root, 'examples', example))
  if (file === undefined) throw new Error(`examples/${example} cannot be loaded`)
  for (const [name, html] of Object.entries(file.partials)) {
    await platen.json('/v1/partials', { body: { name, html } })
  }
  const { body } = await platen.json<{ id: string; html: string }>('/v1/templates', {
    body: { ...file.template, ...more },
  })
  return body
}

async function picture(name: string, path: string, until: (window: StudioWindow) => Promise<unknown>): Promise<void> {
  await using window = await studio.open(path)
  await until(window)
  // The animations and the pictures of pages.
  await window.page.waitForTimeout(1_500)
  await window.page.screenshot({ path: join(folder, `${name}.png`) })
  console.log(`docs/pictures/studio/${name}.png`)
}

const letter = await create('letter')
for (const example of ['certificate', 'shipping-label', 'quotation']) await create(example)
const invoice = await create('invoice')
const report = await create('report', { name: 'Annual report' })
const label = (version: number) =>
  platen.json(`/v1/templates/${report.id}/labels/published`, { method: 'PUT', body: { version } })
await label(1)
for (const html of [
  report.html.replace('color: var(--soft); }', 'color: var(--sun); }'),
  report.html.replace('color: var(--soft); }', 'color: var(--sun); font-weight: 700; }'),
]) {
  await platen.json(`/v1/templates/${report.id}`, { method: 'PATCH', body: { html } })
}

const receiver = createServer((request, response) => {
  request.resume()
  response.writeHead(204).end()
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const webhook_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
const sample = async (id: string) =>
  (await platen.json<{ sample_data: object }>(`/v1/templates/${id}`)).body.sample_data
for (const id of [invoice.id, report.id, invoice.id]) {
  await platen.json('/v1/generate', { body: { template: id, data: await sample(id), async: true } })
}
const { body: last } = await platen.json<{ id: string }>('/v1/generate', {
  body: { template: invoice.id, data: await sample(invoice.id), async: true, webhook_url },
})
await platen.json('/v1/generate', { body: { html: '<h1>{{#if paid}}Receipt</h1>', data: {} } })
await new Promise((resolve) => setTimeout(resolve, 10_000))

const text = (words: string | RegExp) => (window: StudioWindow) => window.page.getByText(words).first().waitFor()
await picture('templates', '/templates', text('Annual report'))
await picture('editor', `/templates/${invoice.id}`, ({ page }) => page.locator('canvas').first().waitFor())
await picture('versions', `/templates/${report.id}/versions?from=1&to=3`, text(/of \d+ pages changed/))
await picture('generation', `/generations/${last.id}`, text('completed'))
await picture('compare', await comparedLetters(), text(/of \d+ pages? changed/))
await picture('deliveries', '/deliveries', text('succeeded'))
await picture('keys', '/keys', text('this session'))
await picture('events', `/events?stream=${last.id}`, text('GenerationRequested'))
await buryUpdates()
await picture('dead-letters', '/dead-letters', text('commands.template.'))
await picture('home', '/', text('live'))
receiver.close()

/** The page that compares a letter with its retry, for which the next version of its template was used. */
async function comparedLetters(): Promise<string> {
  const html = letter.html.replace('Our reference', 'Please quote').replace('<b>Enclosed</b>', '<b>Enclosures</b>')
  await platen.json(`/v1/templates/${letter.id}`, { method: 'PATCH', body: { html } })
  const data = await sample(letter.id)
  const { body: first } = await platen.json<{ id: string }>('/v1/generate', {
    body: { template: letter.id, template_version: 1, data, retain_input: 7, async: true },
  })
  await platen.request(`/v1/generations/${first.id}?wait=60`)
  const retry = { method: 'POST', body: { template_version: 2 } }
  const { body: second } = await platen.json<{ id: string }>(`/v1/generations/${first.id}/retry`, retry)
  await platen.request(`/v1/generations/${second.id}?wait=60`)
  return `/generations/${first.id}/compare?to=${second.id}`
}

/** Leaves messages in DEAD_LETTERS, as a service does that cannot handle them. */
async function buryUpdates(): Promise<void> {
  await using resources = new AsyncDisposableStack()
  const { js } = await openServices({ DATA_DIR: platen.dataDir }, resources, { isReading: true }).openBus()
  for (const [id, reason] of [
    [report.id, 'disk is full: the event could not be appended'],
    [invoice.id, 'disk is full: the event could not be appended'],
    [newId('tpl'), 'no template has this id'],
  ] as const) {
    const subject = commandSubjects.template(id)
    const header = headers()
    for (const [name, value] of Object.entries({ Reason: reason, Subject: subject, Deliveries: '5' })) {
      header.set(`Platen-${name}`, value)
    }
    const metadata = { id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: newId('req') }
    const data = { template_id: id, owner_id: defaultOwnerId, changes: { name: 'Renamed' } }
    await js.publish(`dead-letters.${subject}`, JSON.stringify({ type: 'UpdateTemplate', data, metadata }), {
      headers: header,
    })
  }
}
