import { join } from 'node:path'
import t from 'tap'
import { readExampleFile } from '../../studio/build/examples.ts'
import { drawn, drawnAfter, editor, inkOn, settled, templatesOf, typeAtEnd } from './in-editor.ts'
import { look, startStudio } from './open-studio.ts'

t.setTimeout(900_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio
const examples = join(import.meta.dirname, '../../examples')

const { create, stored } = templatesOf(platen)

t.test('what one types is printed beside it, and saved by Ctrl+S', async (t) => {
  const { id } = await create({ name: 'Note', html: '<h1>Note {{code}}</h1>', sample_data: { code: 'A-1' } })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  const first = await drawnAfter(page, 0)
  const ink = await inkOn(page)
  t.ok(ink > 0, 'the page has a heading')
  t.same(await look(page, 'editor'), [])
  await typeAtEnd(page, '<p style="height: 5cm; background: black; print-color-adjust: exact">{{code}}</p>')
  await drawnAfter(page, first)
  await page.getByText('unsaved').waitFor()
  await settled(page)
  t.ok((await inkOn(page)) > ink + 0.05, 'it has what was typed')
  await page.keyboard.press('Control+s')
  await page.getByText('“Note” is saved').waitFor()
  await page.getByText('unsaved').waitFor({ state: 'detached' })
  t.match(await stored(id), { version: 2, html: /background: black/ })
  t.same(problems, [])
})

t.test('an error is marked at its line, and a missing value is listed', async (t) => {
  const html = '<h1>{{title}}</h1>\n<p>{{customer.name}}</p>\n'
  const { id } = await create({ name: 'Errors', html, sample_data: { title: 'T' } })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  await page.getByRole('button', { name: /^Problems 1/ }).click()
  const missing = page.getByRole('button', { name: /customer\.name.*Body:2/s })
  await missing.waitFor()
  await typeAtEnd(page, '{{#if title}')
  await page.getByRole('button', { name: /Body:3/ }).waitFor()
  await page.locator('.cm-lint-marker-error').waitFor()
  t.ok((await inkOn(page)) > 0, 'the pages of before stay')
  t.same(await look(page, 'editor-error'), [])
  await missing.waitFor()
  await missing.click()
  await page.keyboard.type('X')
  t.match(await editor(page).textContent(), /\{\{Xcustomer/, 'it leads to the place')
  t.same(problems, [])
})

t.test('data are sets, as JSON and as a form; options are a form that knows the defaults', async (t) => {
  const { id } = await create({
    name: 'Data',
    html: '<h1>{{title}}</h1>{{#each items}}<p>{{name}}</p>{{/each}}',
    sample_data: { title: 'One', items: [{ name: 'Ink', price: 1.5 }] },
  })
  await using opened = await studio.open(`/templates/${id}?tab=data`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  await page.getByRole('button', { name: 'Form', exact: true }).click()
  await page.getByRole('button', { name: 'Make one from the data' }).click()
  await page.getByRole('textbox', { name: /^Title/ }).fill('Two')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('textbox', { name: /^Name/ }).nth(1).fill('Paper')
  await page
    .getByRole('textbox', { name: /^Price/ })
    .first()
    .fill('0.25')
  t.same(await look(page, 'editor-data-form'), [])
  await page.keyboard.press('Control+s')
  await page
    .getByText(/price.*is required|required.*price/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: /Sample data:8/ }).waitFor()
  await page
    .getByRole('textbox', { name: /^Price/ })
    .nth(1)
    .fill('3')
  await page.getByRole('button', { name: 'JSON', exact: true }).click()
  await page.getByText('"Paper"').waitFor()
  await page.getByRole('button', { name: 'Add a set of data' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('many items')
  await page.getByRole('button', { name: 'Add set' }).click()
  await page.waitForURL(/set=many/)
  await page.getByRole('button', { name: 'Options' }).click()
  await page.getByRole('combobox', { name: 'Landscape' }).selectOption({ label: 'On' })
  await page.getByRole('textbox', { name: 'Top' }).fill('5')
  await page.getByRole('combobox', { name: 'Format', exact: true }).selectOption('A5')
  await page.getByRole('textbox', { name: 'Locale' }).fill('de-DE')
  t.equal(await page.getByRole('textbox', { name: 'Bottom' }).getAttribute('placeholder'), '20')
  const { components } = (await platen.json<Record<string, never>>('/openapi.json')).body as unknown as OpenApi
  const names = Object.keys(components.schemas.TemplateOptions.properties)
  const shown = ((await page.locator('.editor-form').textContent()) ?? '').toLowerCase()
  t.same(
    names.filter((name) => !shown.includes(name.replaceAll('_', ' '))),
    [],
    'every option',
  )
  t.same(await look(page, 'editor-options'), [])
  await settled(page)
  await page.keyboard.press('Control+s')
  await page.getByText('is saved').waitFor()
  t.match(await stored(id), {
    options: { landscape: true, margin: { top: 5 }, format: 'A5', locale: 'de-DE' },
    sample_data: { title: 'Two', items: [{ name: 'Ink', price: 0.25 }, { name: 'Paper' }] },
    samples: { 'many items': { title: 'Two' } },
    data_schema: { properties: { title: { type: 'string' } } },
  })
  t.same(problems, [])
})

t.test('the time from a key to the new picture', async (t) => {
  for (const name of ['invoice', 'report']) {
    const example = await readExampleFile(join(examples, name))
    if (example === undefined) throw new Error(`${name} is no example`)
    for (const [partial, html] of Object.entries(example.partials)) {
      await platen.json('/v1/partials', { method: 'POST', body: { name: partial, html } })
    }
    const { id } = await create(example.template)
    await using opened = await studio.open(`/templates/${id}`)
    const { page, problems } = opened
    await drawnAfter(page, 0)
    await typeAtEnd(page, ' ')
    await settled(page)
    await page.evaluate(`(() => {
      globalThis.times = []
      let pressedAt = 0
      addEventListener('keydown', () => { pressedAt = performance.now() }, { capture: true })
      new MutationObserver(() => times.push(performance.now() - pressedAt))
        .observe(document.querySelector('.editor-sheets'), { attributeFilter: ['data-drawn'] })
    })()`)
    for (let key = 0; key < 15; key++) {
      const before = await drawn(page)
      await page.keyboard.type('x')
      await drawnAfter(page, before)
      await settled(page)
    }
    const times = await page.evaluate<number[]>('times.toSorted((a, b) => a - b)')
    const pages = await page.locator('.editor-sheets .paper').count()
    const requests = await page.evaluate<number[]>(`performance.getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('/v1/preview')).slice(-15).map(({ duration }) => duration).toSorted((a, b) => a - b)`)
    const ofKeys = `p50 ${at(times, 0.5)} ms, p90 ${at(times, 0.9)} ms of ${times.length} keys`
    t.comment(`${name}, ${pages} pages: ${ofKeys}; the request alone: p50 ${at(requests, 0.5)} ms`)
    t.equal(times.length, 15)
    t.same(await look(page, `editor-${name}`), [])
    t.same(problems, [])
  }
})

const at = (times: readonly number[], share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)

interface OpenApi {
  components: { schemas: { TemplateOptions: { properties: object } } }
}
