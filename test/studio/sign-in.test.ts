import t from 'tap'
import { look, startStudio } from './open-studio.ts'

t.setTimeout(300_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio

t.test('the key in the fragment signs in, and is nowhere afterwards', async (t) => {
  await using opened = await studio.open('/templates?sort=name')
  const { page, problems } = opened
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
  t.equal(page.url(), `${platen.url}/studio/templates?sort=name`)
  t.equal(await page.evaluate('location.hash + JSON.stringify({ ...localStorage }) + document.cookie'), '{}', 'no key')
  const cookies = await page.context().cookies()
  t.match(cookies, [{ httpOnly: true, sameSite: 'Strict', path: '/' }])
  t.notOk(JSON.stringify(cookies).includes(platen.apiKey))
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to the studio' }).waitFor()
  t.same(await page.context().cookies(), [])
  t.same(problems, [])
})

t.test('one signs in by keyboard, and stays at the address', async (t) => {
  await using opened = await studio.open('/keys', { key: null })
  const { page, problems } = opened
  t.same(await look(page, 'sign-in'), [])
  await page.keyboard.type('pk_wrong')
  await page.keyboard.press('Enter')
  await page.getByText('The API key is unknown or revoked').waitFor()
  t.same(await look(page, 'sign-in-refused'), [])
  await page.keyboard.press('Control+a')
  await page.keyboard.type(platen.apiKey)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
  t.equal(page.url(), `${platen.url}/studio/keys`)
  t.same(problems, [])
})

t.test('a session whose key is revoked ends at the next request, and says so', async (t) => {
  const issued = await platen.json<{ id: string; key: string }>('/v1/keys', {
    body: { name: 'short', scopes: ['admin'] },
  })
  await using opened = await studio.open('/templates', { key: issued.body.key })
  const { page, problems } = opened
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
  await platen.request(`/v1/keys/${issued.body.id}`, { method: 'DELETE' })
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByText('Your session has ended').waitFor()
  t.same(problems, [])
})

t.test('a key sees the pages that its scopes allow', async (t) => {
  const body = { name: 'reader', scopes: ['templates:read'] }
  const issued = await platen.json<{ key: string }>('/v1/keys', { body })
  await using opened = await studio.open('/templates', { key: issued.body.key })
  const { page } = opened
  const names = await page.getByRole('navigation', { name: 'Studio' }).getByRole('listitem').allInnerTexts()
  t.same(names, ['Home', 'Templates'])
  t.equal(await page.getByRole('button', { name: 'New template' }).count(), 0)
  await page.goto(`${platen.url}/studio/keys`)
  await page.getByText('Your API key may not see this').waitFor()
})

t.test('colours are changed by a switch, which a reload keeps', async (t) => {
  await using opened = await studio.open('/templates')
  const { page, problems } = opened
  const isDark = () => page.evaluate("getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)'")
  t.equal(await isDark(), false)
  const themeSwitch = page.getByRole('button', { name: /^Colours/ })
  await themeSwitch.click()
  await themeSwitch.click()
  t.equal(await isDark(), true)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
  t.equal(await isDark(), true)
  t.same(problems, [])
})

t.test('a lost connection is shown, and what is shown is loaded again when it is back', async (t) => {
  await using opened = await studio.open('/templates')
  const { page } = opened
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByText('The server cannot be reached. What is shown').waitFor()
  t.same(await look(page, 'lost-connection'), [])
  await page.context().setOffline(false)
  await page.getByText('The server cannot be reached. What is shown').waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1 }).waitFor()
})
