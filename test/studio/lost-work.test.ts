import t from 'tap'
import { drawnAfter, editor, templatesOf, typeAtEnd, until } from './in-editor.ts'
import { startStudio } from './open-studio.ts'

t.setTimeout(600_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio
const { create, stored } = templatesOf(platen)

t.test('a window that is closed without changes leaves the unsaved work of another window', async (t) => {
  const { id } = await create({ name: 'Shared', html: '<h1>S</h1>' })
  const address = `${platen.url}/studio/templates/${id}`
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  const other = await page.context().newPage()
  await other.goto(address)
  await drawnAfter(other, 0)
  await typeAtEnd(other, '<p>unsaved</p>')
  await other.waitForTimeout(600)
  await other.close()
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
  await page.goto(address)
  const offer = page.getByRole('dialog', { name: 'You have unsaved work' })
  await offer.getByRole('button', { name: 'Restore' }).click()
  await editor(page).filter({ hasText: '<p>unsaved</p>' }).waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('is saved').waitFor()
  await until(async () => (await page.evaluate('JSON.stringify(Object.keys(localStorage))')) === '[]')
  t.same(problems, [])
})

t.test('work that the browser cannot keep is said to be so', async (t) => {
  const { id } = await create({ name: 'Full', html: '<h1>F</h1>' })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  await page.evaluate(`for (let size = 1 << 22; size > 4; size >>= 1)
    for (let name = 0; ; name++) try { localStorage.setItem(size + ' ' + name, 'x'.repeat(size)) } catch { break }`)
  await typeAtEnd(page, '<p>unsaved</p>')
  await page.getByText('too large to be kept in this browser').waitFor()
  t.same(problems, [])
})

t.test('a template with Windows line ends is not changed by opening it, and keeps them', async (t) => {
  const html = '<h1>A</h1>\r\n<p>B</p>\r\n'
  const { id } = await create({ name: 'Windows', html })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  await page.waitForTimeout(500)
  t.equal(await page.getByText('unsaved').count(), 0)
  await typeAtEnd(page, '<p>C</p>')
  await page.keyboard.press('Control+s')
  await page.getByText('is saved').waitFor()
  t.match(await stored(id), { html: `${html}<p>C</p>` })
  t.same(problems, [])
})

t.test('numbers beyond 2^53 keep their digits in the text, the form, a save and a copy', async (t) => {
  const long = '9007199254740993'
  const number: unknown = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(long)
  const { id } = await create({
    name: 'Digits',
    html: '<h1>{{id}}</h1>',
    sample_data: { id: number, note: 'a' },
    data_schema: { type: 'object', properties: { id: { type: 'integer' }, note: { type: 'string' } } },
  })
  const textOf = async (name: string) => (await platen.request(`/v1/templates/${name}`)).text()
  await using opened = await studio.open(`/templates/${id}?tab=data`)
  const { page, problems } = opened
  t.match(await editor(page, /^Sample data/).textContent(), long)
  await page.getByRole('button', { name: 'Form' }).click()
  t.equal(await page.getByRole('textbox', { name: 'Id', exact: true }).inputValue(), long)
  await page.getByRole('textbox', { name: 'Note' }).fill('b')
  await page.keyboard.press('Control+s')
  await page.getByText('is saved').waitFor()
  t.match(await textOf(id), new RegExp(`"id":${long},"note":"b"`))
  await page.getByRole('textbox', { name: 'Id', exact: true }).fill('-12345678901234567890')
  await page.keyboard.press('Control+s')
  await until(async () => (await textOf(id)).includes('"id":-12345678901234567890'))
  await page.getByText('unsaved').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('button', { name: 'Actions of Digits' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.getByRole('button', { name: 'Duplicate template' }).click()
  await page.getByText('was created').waitFor()
  t.match(await textOf('digits-copy'), '"id":-12345678901234567890')
  t.same(problems, [])
})

t.test('who rotates the key of their session sees the new secret, and stays signed in', async (t) => {
  const issued = await platen.json<{ key: string }>('/v1/keys', { body: { name: 'mine', scopes: ['admin'] } })
  await using opened = await studio.open('/keys', { key: issued.body.key })
  const { page, problems } = opened
  await page.getByRole('button', { name: 'Actions of mine' }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').selectOption({ label: 'Refused at once' })
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  await dialog.locator('pre').waitFor()
  await page.waitForTimeout(500)
  const secret = (await dialog.locator('pre').textContent())?.trim() ?? ''
  const statusFor = async (key: string) =>
    (await fetch(`${platen.url}/v1/keys`, { headers: { authorization: `Bearer ${key}` } })).status
  t.same([await statusFor(issued.body.key), await statusFor(secret)], [401, 200])
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await page.reload()
  await page.getByText('this session').waitFor()
  t.same(problems, [])
})

t.test('selecting a text beyond the edge of a dialog does not close it', async (t) => {
  await using opened = await studio.open('/templates')
  const { page, problems } = opened
  await page.getByRole('button', { name: 'New template' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New template' })
  const field = dialog.getByRole('textbox', { name: 'Name' })
  await field.fill('Monthly report')
  const box = await field.boundingBox()
  if (box === null) throw new Error('the field is not shown')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(5, box.y + box.height / 2)
  await page.mouse.up()
  t.equal(await field.inputValue(), 'Monthly report')
  await page.mouse.click(5, 5)
  await dialog.waitFor({ state: 'detached' })
  t.same(problems, [])
})

t.test('a page whose file is gone says so, and does not ask for it without end', async (t) => {
  await using opened = await studio.open('/templates')
  const { page } = opened
  const asked = new Map<string, number>()
  await page.route(/\/studio\/assets\//, (route) => {
    const url = route.request().url()
    asked.set(url, (asked.get(url) ?? 0) + 1)
    return route.fulfill({ status: 404, json: {} })
  })
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByText('The page could not be loaded').waitFor()
  await page.waitForTimeout(1_500)
  t.ok(Math.max(...asked.values()) <= 2, 'each file is asked for twice at most')
})

t.test('a list of more than 100 rows that is opened anew has what was created since', async (t) => {
  for (let at = 0; at < 110; at++) await create({ name: `Row ${at}`, html: '<p>R</p>' })
  await using opened = await studio.open('/templates')
  const { page, problems } = opened
  const rows = page.getByRole('table').locator('.row-link')
  await rows.filter({ hasText: 'Row 109' }).waitFor()
  await page.getByText('in all').waitFor()
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
  await create({ name: 'Created since', html: '<p>N</p>' })
  await page.getByRole('link', { name: 'Templates' }).click()
  await rows.filter({ hasText: 'Created since' }).waitFor()
  t.same(problems, [])
})

t.test('of a long PDF, the pages that are far away have no picture', async (t) => {
  const html = '<h1 style="break-after: page">{{this}}</h1>'
  const data = { pages: Array.from({ length: 40 }, (_, at) => at) }
  const body = { html: `{{#each pages}}${html}{{/each}}`, data }
  const made = await platen.json<{ id: string }>('/v1/generate', { body })
  await using opened = await studio.open(`/generations/${made.body.id}`)
  const { page, problems } = opened
  const pictures = page.locator('.pdf-pages canvas')
  await pictures.first().waitFor()
  const sheets = page.locator('.pdf-pages .paper')
  for (let at = 0; at < 40; at += 2) {
    await sheets.nth(at).scrollIntoViewIfNeeded()
    await page.waitForTimeout(60)
  }
  await sheets.last().locator('canvas').waitFor()
  t.ok((await pictures.count()) < 8, `${await pictures.count()} pictures`)
  await sheets.first().scrollIntoViewIfNeeded()
  await sheets.first().locator('canvas').waitFor()
  t.same(problems, [])
})
