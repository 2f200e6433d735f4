import t from 'tap'
import { look, openMenu, startStudio, tabTo } from './open-studio.ts'

t.setTimeout(600_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio

const statusFor = async (key: string) =>
  (await fetch(`${platen.url}/v1/templates`, { headers: { authorization: `Bearer ${key}` } })).status

t.test('a key is issued and shown once, rotated with a grace and revoked', async (t) => {
  await using opened = await studio.open('/keys')
  const { page, problems } = opened
  await page.getByText('this session').waitFor()
  t.same(await look(page, 'keys'), [])
  await page.getByRole('button', { name: 'Issue key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Issue key' }).click()
  await dialog.locator('.field-error').first().waitFor()
  t.same(await look(page, 'keys-issue-refused'), [])
  await dialog.getByRole('textbox', { name: 'Name' }).fill('shop')
  await dialog.getByRole('checkbox', { name: 'templates:read' }).check()
  await dialog.getByRole('button', { name: 'Issue key' }).click()
  const first = (await dialog.locator('pre').textContent())?.trim() ?? ''
  t.match(first, /^pk_/)
  t.same(await look(page, 'keys-issued'), [])
  t.equal(await statusFor(first), 200)
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  t.notOk((await page.content()).includes(first), 'it is not shown again')
  await page.getByRole('button', { name: 'Actions of shop' }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  t.same(await look(page, 'keys-rotate'), [])
  await dialog.getByRole('combobox').selectOption({ label: 'Accepted for an hour' })
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  const second = (await dialog.locator('pre').textContent())?.trim() ?? ''
  t.not(second, first)
  t.same([await statusFor(first), await statusFor(second)], [200, 200])
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('button', { name: 'Actions of shop' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  t.same(await look(page, 'keys-revoke'), [])
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText('revoked', { exact: true }).waitFor()
  t.same([await statusFor(first), await statusFor(second)], [401, 401])
  t.same(problems, [])
})

t.test('a key is issued by keyboard alone', async (t) => {
  await using opened = await studio.open('/keys')
  const { page, problems } = opened
  await page.getByRole('table', { name: 'API keys' }).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'Issue an API key' }).waitFor()
  await page.keyboard.type('by keyboard')
  await page.keyboard.press('Enter')
  await page.locator('dialog pre').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await openMenu(page, 'Actions of by keyboard')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabTo(page, '.button.danger')
  await page.keyboard.press('Enter')
  await page.getByText('The key “by keyboard” was revoked').last().waitFor()
  t.same(problems, [])
})

t.test('the webhook secret is shown on demand and replaced', async (t) => {
  await using opened = await studio.open('/keys?show=secret')
  const { page, problems } = opened
  t.equal(await page.locator('pre').count(), 0)
  await page.getByRole('button', { name: 'Show the secret' }).click()
  const before = await page.locator('pre').textContent()
  t.match(before, /^whsec_/)
  t.same(await look(page, 'keys-webhook-secret'), [])
  await page.getByRole('button', { name: 'Replace the secret' }).click()
  await page.getByRole('button', { name: 'Replace webhook secret' }).click()
  await page.getByText('The webhook secret was replaced').last().waitFor()
  t.not(await page.locator('pre').textContent(), before)
  t.same(problems, [])
})

t.test('an admin creates an owner, looks at it by the address, and disables it', async (t) => {
  await using opened = await studio.open('/keys?show=owners')
  const { page, problems } = opened
  await page.getByRole('button', { name: 'New owner' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Acme')
  await dialog.getByRole('button', { name: 'Create owner' }).click()
  await page.getByRole('cell', { name: 'Acme', exact: true }).waitFor()
  t.same(await look(page, 'keys-owners'), [])
  await page.getByRole('button', { name: 'Actions of Acme' }).click()
  await page.getByRole('menuitem', { name: 'Show its keys' }).click()
  await page.waitForURL(/owner=own_/)
  await page.getByRole('heading', { name: 'This owner has no keys' }).waitFor()
  t.same(await look(page, 'keys-of-another-owner'), [])
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.waitForURL(/templates\?owner=own_/)
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
  await page.goto(`${platen.url}/studio/keys?show=owners`)
  await page.getByRole('button', { name: 'Actions of Acme' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await dialog.getByRole('button', { name: 'Disable owner' }).click()
  await page.getByText('disabled', { exact: true }).waitFor()
  t.same(problems, [])
})
