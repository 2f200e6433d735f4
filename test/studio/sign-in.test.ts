import type { Route } from 'playwright-core'
import t from 'tap'
import { look, startStudio } from './open-studio.ts'

t.setTimeout(300_000)
const studio = await startStudio({ HOST: '0.0.0.0' })
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

t.test('a window that follows changes says that its session has ended', async (t) => {
  const issued = await platen.json<{ id: string; key: string }>('/v1/keys', {
    body: { name: 'followed', scopes: ['generations:read'] },
  })
  await using opened = await studio.open('/generations', { key: issued.body.key })
  const { page, problems } = opened
  await page.getByRole('heading', { name: 'No generations yet' }).waitFor()
  await platen.request(`/v1/keys/${issued.body.id}`, { method: 'DELETE' })
  await page.getByRole('heading', { name: 'Sign in to the studio' }).waitFor()
  // A lost connection that comes back looks for a session once more.
  await page.waitForTimeout(2_000)
  await page.getByText('Your session has ended').waitFor()
  t.same(problems, [])
})

t.test('a link with another key asks before it ends the session', async (t) => {
  const body = { name: 'of the link', scopes: ['templates:read'] }
  const issued = await platen.json<{ key: string }>('/v1/keys', { body })
  await using opened = await studio.open('/templates')
  const { page, problems } = opened
  const signedIn = async () => (await page.locator('.account-name').textContent()) ?? ''
  const before = await signedIn()
  const question = page.getByRole('dialog', { name: 'Sign in with the key “of the link”?' })
  // The same page: only the fragment changes.
  await page.goto(`${platen.url}/studio/templates#key=${issued.body.key}`)
  await question.waitFor()
  t.equal(new URL(page.url()).hash, '')
  t.same(await look(page, 'sign-in-by-link'), [])
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  t.equal(await signedIn(), before)
  await page.goto(`${platen.url}/studio/templates#key=pk_wrong`)
  await page.getByText('The key of the link is unknown or revoked').waitFor()
  t.equal(await signedIn(), before)
  await page.goto(`${platen.url}/studio/templates?q=a#key=${issued.body.key}`)
  await question.getByRole('button', { name: 'Sign in with the link' }).click()
  await page.getByText('of the link').waitFor()
  await page.goto(`${platen.url}/studio/templates#key=${issued.body.key}`)
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
  t.equal(await question.count(), 0, 'the same key asks nothing')
  t.same(problems, [])
})

t.test('a link with a key that leads to another machine asks before it signs in', async (t) => {
  await using opened = await studio.open('/templates', { key: null })
  const { page } = opened
  const elsewhere = platen.url.replace('127.0.0.1', '127.0.0.2')
  const question = page.getByRole('dialog', { name: /^Sign in with the key/ })
  await page.goto(`${elsewhere}/studio/templates#key=${platen.apiKey}`)
  await question.getByText('Whoever has sent you the link may have the key').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Sign in to the studio' }).waitFor()
  t.same(await page.context().cookies(elsewhere), [])
  await page.goto('about:blank')
  await page.goto(`${elsewhere}/studio/templates#key=${platen.apiKey}`)
  await question.getByRole('button', { name: 'Sign in with the link' }).click()
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
})

t.test('a copy of the cookie is refused after signing out', async (t) => {
  await using opened = await studio.open('/templates')
  const { page } = opened
  const [cookie] = await page.context().cookies()
  const headers = { cookie: `${cookie?.name}=${cookie?.value}`, 'sec-fetch-site': 'same-origin' }
  const status = async () => (await fetch(`${platen.url}/v1/templates`, { headers })).status
  t.equal(await status(), 200)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to the studio' }).waitFor()
  t.equal(await status(), 401)
})

t.test('one whose session was not ended stays signed in, and is told', async (t) => {
  await using opened = await studio.open('/templates')
  const { page } = opened
  const refuse = (route: Route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 503, body: '' }) : route.fallback()
  await page.route('**/v1/session', refuse)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('The server answered 503').waitFor()
  t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Templates')
  await page.unroute('**/v1/session', refuse)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to the studio' }).waitFor()
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
