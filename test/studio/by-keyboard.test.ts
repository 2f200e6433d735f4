import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { drawnAfter, editor, settled, templatesOf, until } from './in-editor.ts'
import { look, openMenu, startStudio } from './open-studio.ts'

t.setTimeout(600_000)
const studio = await startStudio({ WEBHOOK_SCHEDULE: '0,1' })
t.teardown(() => studio[Symbol.asyncDispose]())
const { create, change, stored } = templatesOf(studio.platen)
const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const font = readFileSync(join(pdfjs, 'standard_fonts/LiberationSans-BoldItalic.ttf'))

/** Presses Tab until the element has the focus. In a source, Escape comes first: Tab would indent. */
async function reach(page: Page, wanted: Locator): Promise<void> {
  const element = wanted.first()
  await element.waitFor({ state: 'attached' })
  for (let presses = 0; presses < 120; presses++) {
    if (await element.evaluate((found) => found.matches(':focus'))) return
    if ((await page.locator('.editor-code:focus').count()) > 0) await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${wanted}`)
}

async function press(page: Page, wanted: Locator): Promise<void> {
  await reach(page, wanted)
  await page.keyboard.press('Enter')
}

t.test('a quotation is made from nothing in a window of 768 pixels', async (t) => {
  await using opened = await studio.open('/templates', { width: 768 })
  const { page, problems } = opened
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  await button('New template').first().waitFor()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New template' }).waitFor()
  await page.keyboard.type('Quotation')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/studio\/templates\/tpl_/)
  await editor(page).waitFor()
  await press(page, button('Assets'))
  const chosen = page.waitForEvent('filechooser')
  await press(page, button('Upload'))
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>'
  await (await chosen).setFiles([
    { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) },
    { name: 'Brand.ttf', mimeType: 'font/ttf', buffer: font },
  ])
  await button(/^Brand.ttf/).waitFor()
  await reach(page, editor(page))
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('<style>\n\n</style>\n<h1>{{number}}</h1>\n')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await press(page, button(/^Brand.ttf/))
  await reach(page, editor(page))
  await page.keyboard.press('Control+End')
  await press(page, button(/^logo.svg/))
  await reach(page, editor(page))
  await page.keyboard.insertText('\n{{#each items}}<p>{{name}} {{formatCurrency price}}</p>{{/each}}')
  await press(page, button('Footer'))
  await press(page, button('Begin with page numbers'))
  await press(page, button('Data'))
  await press(page, button(/^Add \d missing values$/))
  await editor(page, /^Sample data/)
    .filter({ hasText: '"price": 1' })
    .waitFor()
  await press(page, button('Form'))
  await press(page, button('Make one from the data'))
  await reach(page, page.getByRole('textbox', { name: /^Number/ }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Q-7')
  await page.keyboard.press('F6')
  await page.keyboard.press('F6')
  await page.locator('.editor-sheets:focus').waitFor()
  await drawnAfter(page, 0)
  await settled(page)
  t.same(await look(page, 'editor-by-keyboard'), [])
  await page.keyboard.press('Control+s')
  await page.getByText('“Quotation” is saved').waitFor()
  const [id = ''] = /tpl_\w+/.exec(page.url()) ?? []
  await until(async () => (await stored(id)).version === 2)
  const { html, footer_html, sample_data } = await stored(id)
  t.match(html, /<style>\n@font-face \{[^<]*asset:Brand.ttf[^<]*<\/style>/)
  t.match(html, '<img src="asset:logo.svg"')
  t.match(footer_html, 'totalPages')
  t.match(sample_data, { number: 'Q-7', items: [{ price: 1 }] })
  t.same(problems, [])
})

t.test('a webhook that failed is found, read and sent again', async (t) => {
  const { platen } = studio
  const receiver = { isRepaired: false, received: 0 }
  const server = createServer((request, response) => {
    request.resume()
    if (receiver.isRepaired) receiver.received++
    else response.writeHead(500)
    response.end('the orders are closed')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const webhook_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  const body = { html: '<h1>Order</h1>', file_name: 'order-7.pdf', async: true, webhook_url }
  const { body: made } = await platen.json<{ id: string }>('/v1/generate', { body })
  await until(async () => {
    const { body: listed } = await platen.json<{ data: object[] }>('/v1/deliveries?status=exhausted')
    return listed.data.length > 0
  })
  await using opened = await studio.open('/', { width: 768 })
  const { page, problems } = opened
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor()
  await press(page, page.getByRole('button', { name: 'Exhausted' }))
  await page.waitForURL(/status=exhausted/)
  await press(page, page.getByRole('table').locator('.row-link'))
  const dialog = page.getByRole('dialog', { name: 'Delivery' })
  await dialog.getByText('the orders are closed').first().waitFor()
  await press(page, dialog.getByRole('link', { name: made.id }))
  await page.getByRole('heading', { level: 1, name: 'order-7.pdf' }).waitFor()
  receiver.isRepaired = true
  await press(page, page.getByRole('button', { name: 'Redeliver' }))
  await page.getByRole('region', { name: 'Webhook' }).getByText('succeeded').waitFor()
  t.equal(receiver.received, 1)
  t.same(problems, [])
})

t.test('a key is rotated', async (t) => {
  await using opened = await studio.open('/keys', { width: 768 })
  const { page, problems } = opened
  await page.getByRole('table', { name: 'API keys' }).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'Issue an API key' }).waitFor()
  await page.keyboard.type('till')
  await page.keyboard.press('Enter')
  const secret = page.locator('dialog pre')
  const first = await secret.textContent()
  await press(page, page.getByRole('button', { name: 'I have stored it' }))
  await secret.waitFor({ state: 'detached' })
  await openMenu(page, 'Actions of till')
  await page.keyboard.press('Enter')
  await reach(page, page.getByRole('dialog').getByRole('combobox'))
  await page.keyboard.press('ArrowDown')
  await press(page, page.getByRole('button', { name: 'Rotate key' }))
  t.not(await secret.textContent(), first)
  await press(page, page.getByRole('button', { name: 'I have stored it' }))
  await secret.waitFor({ state: 'detached' })
  t.same(problems, [])
})

t.test('a reviewer compares two versions and gives the newer one a label', async (t) => {
  const { id } = await create({ name: 'Terms', html: '<h1>Terms</h1><p>Pay in 30 days.</p>' })
  await change(id, { html: '<h1>Terms</h1><p>Pay in 14 days.</p>' })
  await using opened = await studio.open(`/templates/${id}/versions`, { width: 768 })
  const { page, problems } = opened
  await page.getByText('1 of 1 page changed').waitFor()
  await press(page, page.getByRole('button', { name: 'Label version 2' }))
  await page.getByRole('dialog', { name: 'Label version 2' }).waitFor()
  await press(page, page.getByRole('button', { name: 'Give label' }))
  await page
    .getByText(/^Version 2 is now/)
    .last()
    .waitFor()
  t.match(await stored(id), { labels: { published: 2 } })
  t.same(problems, [])
})
