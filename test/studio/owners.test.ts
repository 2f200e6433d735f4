import t from 'tap'
import { drawnAfter, templatesOf, until } from './in-editor.ts'
import { startStudio } from './open-studio.ts'

t.setTimeout(600_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio
const { create } = templatesOf(platen)
const acme = (await platen.json<{ id: string }>('/v1/owners', { body: { name: 'Acme' } })).body.id
const issue = async (body: object, query = '') =>
  (await platen.json<{ id: string; key: string }>(`/v1/keys${query}`, { body })).body
const { key: acmeKey } = await issue({ name: 'acme', scopes: ['templates:read', 'templates:write'] }, `?owner=${acme}`)
await create({ name: 'Ours', html: '<h1>Ours</h1>' })

t.test('after a session has ended, the next key sees nothing of the one before', async (t) => {
  const { id, key } = await issue({ name: 'short', scopes: ['admin'] })
  await using opened = await studio.open('/templates', { key })
  const { page, problems } = opened
  await page.getByRole('link', { name: 'Ours' }).waitFor()
  await platen.request(`/v1/keys/${id}`, { method: 'DELETE' })
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByText('Your session has ended').waitFor()
  await page.route(/\/v1\/templates\?/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await route.continue()
  })
  await page.getByRole('textbox', { name: 'API key' }).fill(acmeKey)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
  t.equal(await page.getByText('Ours').count(), 0)
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
  t.same(problems, [])
})

t.test('who signs in with another key in one window does so in the others', async (t) => {
  await using opened = await studio.open('/templates')
  const { page, problems } = opened
  await page.getByRole('link', { name: 'Ours' }).waitFor()
  const other = await page.context().newPage()
  await other.goto(`${platen.url}/studio/templates`)
  await other.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to the studio' }).waitFor()
  await other.getByRole('textbox', { name: 'API key' }).fill(acmeKey)
  await other.keyboard.press('Enter')
  await page.locator('.account').filter({ hasText: 'Acme' }).waitFor()
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
  t.equal(await page.getByText('Ours').count(), 0)
  t.same(problems, [])
})

t.test('an address with an owner opens for a key of that owner', async (t) => {
  await using opened = await studio.open(`/templates?owner=${acme}`, { key: acmeKey })
  const { page, problems } = opened
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
  t.equal(page.url(), `${platen.url}/studio/templates`)
  t.same(problems, [])
})

t.test('files that are being uploaded go to the owner of the template', async (t) => {
  const { id } = await create({ name: 'Files', html: '<h1>F</h1>' })
  await using opened = await studio.open(`/templates/${id}`)
  const { page } = opened
  await drawnAfter(page, 0)
  await page.route(/\/v1\/assets\/one/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await page.getByRole('button', { name: 'Assets' }).click()
  const buffer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"></svg>')
  const files = ['one.svg', 'two.svg'].map((name) => ({ name, mimeType: 'image/svg+xml', buffer }))
  const first = page.waitForRequest(/\/v1\/assets\/one/)
  await page.locator('input[type=file]').setInputFiles(files)
  await first
  await page.getByRole('combobox', { name: 'Owner' }).selectOption({ label: 'Acme' })
  const namesOf = async (query: string) =>
    (await platen.json<{ data: { name: string }[] }>(`/v1/assets${query}`)).body.data.map(({ name }) => name)
  await until(async () => (await namesOf('')).length + (await namesOf(`?owner=${acme}`)).length === 2)
  t.same(await namesOf(`?owner=${acme}`), [])
})

t.test('a redelivery of many webhooks ends with Cancel', async (t) => {
  await using opened = await studio.open('/deliveries')
  const { page } = opened
  const delivery = {
    id: 'msg_01k9x2v7w3d5e8f0g2h4j6k8m0',
    type: 'generation.completed',
    url: 'https://hooks.example.com/a',
    status: 'exhausted',
    created_at: new Date().toISOString(),
    attempts: [],
  }
  await page.route(/\/v1\/deliveries\?/, (route) => route.fulfill({ json: { data: [delivery] } }))
  let sent = 0
  // Of an API that always has more of them.
  await page.route(/\/v1\/deliveries\/redeliver/, async (route) => {
    sent++
    await new Promise((resolve) => setTimeout(resolve, 100))
    await route.fulfill({ json: { redelivered: 100, next_since: new Date().toISOString() } })
  })
  await page.getByRole('button', { name: 'Redeliver…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Redeliver 1 webhook' }).click()
  await until(async () => sent > 2)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText(/^Stopped after/).waitFor()
  const before = sent
  await page.waitForTimeout(500)
  t.equal(sent, before)
})
