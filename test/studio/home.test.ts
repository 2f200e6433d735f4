import t from 'tap'
import { look, startStudio, tabTo } from './open-studio.ts'

t.setTimeout(600_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio
const headers = { authorization: `Bearer ${platen.apiKey}`, 'content-type': 'application/json' }
const generate = async (body: object) =>
  (await fetch(`${platen.url}/v1/generate`, { method: 'POST', headers, body: JSON.stringify(body) })).status

t.test('figures arrive by themselves, and each leads to the list that it counts', async (t) => {
  await using opened = await studio.open('/')
  const { page, problems } = opened
  const figure = (name: string) => page.locator('.home-figure', { hasText: name }).locator('.home-figure-value')
  await page.getByText('live', { exact: true }).waitFor()
  t.equal(await figure('Completed, last hour').textContent(), '0')
  t.same(await look(page, 'home-new'), [])
  t.equal(await generate({ html: '<p>one</p>' }), 200)
  t.equal(await generate({ html: '{{#each}}', data: {} }), 422)
  await page.locator('.home-figure-value.bad', { hasText: '1' }).waitFor()
  t.equal(await figure('Completed, last hour').textContent(), '1')
  await page.getByRole('heading', { name: 'Failures of the last hour' }).waitFor()
  t.same(await look(page, 'home'), [])
  await figure('Failed, last hour').click()
  await page.waitForURL(/\/generations\?status=failed&since=1h/)
  await page.getByRole('table').getByText('failed').waitFor()
  await page.goBack()
  await page.getByRole('table', { name: 'Consumers' }).waitFor()
  t.same(problems, [])
})

t.test('by keyboard alone one gets from the first figure to its list', async (t) => {
  await using opened = await studio.open('/')
  const { page, problems } = opened
  await page.locator('.home-figure').first().waitFor()
  await tabTo(page, '.home-figure')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/generations\?status=queued/)
  t.same(problems, [])
})

t.test(
  'without the scope admin, the figures are those of the owner, and without generations:read there are none',
  async (t) => {
    const issue = async (scopes: string[]) => {
      const body = JSON.stringify({ name: scopes.join(), scopes })
      const response = await fetch(`${platen.url}/v1/keys`, { method: 'POST', headers, body })
      return ((await response.json()) as { key: string }).key
    }
    await using reader = await studio.open('/', { key: await issue(['generations:read']) })
    await reader.page.locator('.home-figure').first().waitFor()
    t.equal(await reader.page.getByRole('table', { name: 'Processes' }).count(), 0)
    t.same(await look(reader.page, 'home-owner'), [])
    await using author = await studio.open('/', { key: await issue(['templates:read']) })
    await author.page.getByRole('heading', { name: 'This key sees no generations' }).waitFor()
    t.same([...reader.problems, ...author.problems], [])
  },
)
