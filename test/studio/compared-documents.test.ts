import type { Page } from 'playwright-core'
import t from 'tap'
import { look, startStudio, tabTo } from './open-studio.ts'

t.setTimeout(600_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio

const style = '<style>h1 { break-after: page; font: 28pt serif }</style>'
const html = `${style}<h1>Reminder</h1><p>Pay {{sum}}!</p>`

/** A template whose version 2, with the label `published`, has another second page. */
async function createReminder(name: string): Promise<string> {
  const { body } = await platen.json<{ id: string }>('/v1/templates', { body: { name, html } })
  const changed = html.replace('Pay {{sum}}!', 'Please pay {{sum}}.')
  await platen.json(`/v1/templates/${body.id}`, { method: 'PATCH', body: { html: changed } })
  await platen.json(`/v1/templates/${body.id}/labels/published`, { method: 'PUT', body: { version: 2 } })
  return body.id
}

async function generate(body: object): Promise<string> {
  const { body: made } = await platen.json<{ id: string }>('/v1/generate', { body: { async: true, ...body } })
  const { body: ended } = await platen.json<{ status: string }>(`/v1/generations/${made.id}?wait=60`)
  t.equal(ended.status, 'completed')
  return made.id
}

const figure = (page: Page) => page.locator('.comparison-figure')
const choice = (page: Page) => page.getByRole('combobox', { name: 'Version of the template' })

t.test('a document is rendered again with another version of its template, and their pages are compared', async (t) => {
  const template = await createReminder('Reminder')
  const id = await generate({ template, template_version: 1, data: { sum: '12.00' }, retain_input: 7 })
  await using opened = await studio.open(`/generations/${id}`)
  const { page, problems } = opened
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  await tabTo(page, '.page-actions button')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Render the document again' })
  await choice(page).waitFor()
  t.match((await dialog.getByRole('option').allTextContents()).slice(0, 3), [
    'Same version (1)',
    'published, now version 2',
    /^Version 2 · /,
  ])
  t.same(await look(page, 'generation-retry'), [])
  await tabTo(page, '.dialog select')
  await page.keyboard.press('ArrowDown')
  t.equal(await choice(page).inputValue(), 'label published')
  const sent = page.waitForRequest(/\/retry$/)
  await tabTo(page, '.dialog .button.primary')
  await page.keyboard.press('Enter')
  t.same((await sent).postDataJSON(), { template_label: 'published' })
  await page.getByRole('link', { name: id }).waitFor()
  await page.getByRole('link', { name: 'Compare their pages' }).click()
  await page.waitForURL(new RegExp(`/generations/${id}/compare\\?to=pdf_`))
  await figure(page).getByText('1 of 2 pages changed').waitFor()
  await page.getByRole('heading', { name: 'Page 2 changed' }).waitFor()
  await page.getByRole('img', { name: 'Page 2 of version 1' }).waitFor()
  await page.getByRole('img', { name: 'Page 2 of version 2' }).waitFor()
  t.equal(await page.locator('.comparison-box').count(), 2, 'a box on each side')
  t.same(await look(page, 'documents-compared'), [])
  t.same(problems, [])
})

t.test('the views are chosen by keyboard, a reload keeps them, and pictures are drawn from the PDFs', async (t) => {
  const template = await createReminder('Views')
  const data = { sum: '7.00' }
  const [from, to] = [
    await generate({ template, template_version: 1, data }),
    await generate({ template, template_version: 2, data }),
  ]
  await using opened = await studio.open(`/generations/${from}/compare?to=${to}`)
  const { page, problems } = opened
  await figure(page).getByText('1 of 2 pages changed').waitFor()
  await page.keyboard.press('2')
  await page.getByRole('slider', { name: 'Opacity of version 2' }).waitFor()
  t.same(await look(page, 'documents-overlay'), [])
  await page.keyboard.press('3')
  await page.getByRole('slider', { name: 'Divider between version 1 and version 2' }).waitFor()
  await page.reload()
  await page.getByRole('slider', { name: 'Divider between version 1 and version 2' }).waitFor()
  await page.getByRole('link', { name: /^Page 1\b/ }).click()
  const same = page.getByRole('img', { name: 'Page 1 of version 2' })
  await same.waitFor()
  t.match(await same.getAttribute('src'), /^blob:/, 'a page that is the same is drawn when it is shown')
  t.same(await look(page, 'documents-same-page'), [])
  await page.goBack()
  await page.keyboard.press('1')
  await page.getByRole('img', { name: 'Page 2 of version 1' }).waitFor()
  await page.goto(`${page.url()}&zoom=300`)
  await page.locator('.comparison-sheet img[src^="blob:"]').first().waitFor()
  await page.getByRole('button', { name: 'Swap the documents' }).click()
  await page.waitForURL(new RegExp(`/generations/${to}/compare\\?to=${from}`))
  await figure(page).getByText('1 of 2 pages changed').waitFor()
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  const commands = page.getByRole('dialog', { name: 'As curl' })
  await commands.getByText(`/v1/generations/${to}/compare?to=${from}`).waitFor()
  t.same(problems, [])
})

t.test('any two documents of a template are compared', async (t) => {
  const template = await createReminder('Any two')
  const first = await generate({ template, data: { sum: '1.00' }, file_name: 'first.pdf' })
  await using opened = await studio.open(`/generations/${first}`)
  const { page, problems } = opened
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Compare with another document' }).click()
  await page.getByRole('heading', { name: 'There is no other document of this template' }).waitFor()
  t.same(await look(page, 'documents-none'), [])
  const second = await generate({ template, data: { sum: '2.00' }, file_name: 'second.pdf' })
  await generate({ html: 'x', file_name: 'of-no-template.pdf' })
  await page.reload()
  await page.getByRole('table').getByRole('link', { name: 'second.pdf' }).waitFor()
  t.same(await page.getByRole('table').locator('.row-link').allTextContents(), ['second.pdf'])
  t.same(await look(page, 'documents-choice'), [])
  await page.getByRole('table').getByRole('link', { name: 'second.pdf' }).click()
  await page.waitForURL(new RegExp(`/generations/${first}/compare\\?to=${second}`))
  await figure(page).getByText('1 of 2 pages changed').waitFor()
  await page.getByRole('img', { name: 'Page 2 of document 1' }).waitFor()
  await page.getByRole('link', { name: 'Another document' }).click()
  await page.getByRole('table').getByRole('link', { name: 'second.pdf' }).waitFor()
  t.same(problems, [])
})

t.test('the page says that it compares, and why it cannot', async (t) => {
  const template = await createReminder('States')
  const data = { sum: '3.00' }
  const [from, to] = [await generate({ template, data }), await generate({ template, data })]
  await using opened = await studio.open('/generations')
  const { page } = opened
  let isSlow = true
  await page.route(/\/compare\?/, async (route) => {
    if (!route.request().url().includes('/v1/')) return route.continue()
    while (isSlow) await new Promise((resolve) => setTimeout(resolve, 50))
    await route.continue()
  })
  await page.goto(`${platen.url}/studio/generations/${from}/compare?to=${to}`)
  await page.getByText('Comparing the pages of both documents…').waitFor()
  t.same(await look(page, 'documents-loading'), [])
  isSlow = false
  await figure(page).getByText('All 2 pages are the same').waitFor()
  await platen.request(`/v1/generations/${to}/content`, { method: 'DELETE' })
  await page.reload()
  await page.getByRole('heading', { name: 'The documents could not be compared' }).waitFor()
  await page.getByText(`The content of ${to} was erased`).waitFor()
  t.same(await look(page, 'documents-error'), [])
  await page.goto(`${platen.url}/studio/generations/${to}/compare`)
  await page.getByRole('heading', { name: 'This document has no PDF' }).waitFor()
})

t.test('a document says why it is not rendered again, or not with another version', async (t) => {
  const template = await createReminder('Reasons')
  const data = { sum: '4.00' }
  const [notKept, large] = [
    await generate({ template, data }),
    await generate({ template, data: { ...data, more: 'x'.repeat(700 * 1024) } }),
  ]
  await using opened = await studio.open(`/generations/${notKept}`)
  const { page, problems } = opened
  await page.getByRole('link', { name: 'input is not kept' }).waitFor()
  t.equal(await page.getByRole('button', { name: 'Retry' }).count(), 0)
  const openDialog = async (id: string) => {
    await page.goto(`${platen.url}/studio/generations/${id}`)
    await page.getByRole('button', { name: 'Retry' }).click()
  }
  await openDialog(large)
  await choice(page).selectOption('1')
  await page.getByRole('button', { name: 'Render again' }).click()
  await page.getByRole('alert').getByText('which is kept with retain_input only').waitFor()
  t.same(await look(page, 'generation-retry-refused'), [])
  await choice(page).selectOption('')
  await page.getByRole('button', { name: 'Render again' }).click()
  await page.getByRole('link', { name: large }).waitFor()

  const kept = await generate({ template, data, retain_input: 1 })
  const { body: key } = await platen.json<{ key: string }>('/v1/keys', {
    body: { name: 'printer', scopes: ['generate', 'generations:read'] },
  })
  await using printing = await studio.open(`/generations/${kept}`, { key: key.key })
  await printing.page.getByRole('button', { name: 'Retry' }).click()
  await printing.page.getByText('your API key needs the scope templates:read').waitFor()
  t.same(await look(printing.page, 'generation-retry-same'), [])
  await platen.request(`/v1/templates/${template}`, { method: 'DELETE' })
  await openDialog(kept)
  await page.getByText('Only version 2 of the template, as before: the template was deleted.').waitFor()
  t.same([...problems, ...printing.problems], [])
})
