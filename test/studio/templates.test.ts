import t from 'tap'
import { until } from '../support/until.ts'
import { look, openMenu, startStudio, tabTo } from './open-studio.ts'

t.setTimeout(600_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio
const namesOnServer = async (query = '') => {
  const { body } = await platen.json<{ data: { name: string }[] }>(`/v1/templates?summary=true${query}`)
  return body.data.map(({ name }) => name)
}

t.test('without templates the page says what to do first, and an example is one click', async (t) => {
  await using opened = await studio.open('/templates')
  const { page, problems } = opened
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
  t.same(await look(page, 'templates-empty'), [])
  await page.getByRole('button', { name: 'New template' }).last().click()
  t.same(await look(page, 'templates-new'), [])
  for (const name of ['Invoice', 'Quotation', 'Report', 'Letter', 'Certificate', 'Shipping label']) {
    const dialog = page.getByRole('dialog', { name: 'New template' })
    if ((await dialog.count()) === 0) await page.getByRole('button', { name: 'New template' }).last().click()
    await dialog.getByRole('radio', { name: new RegExp(`^${name}`) }).check()
    await dialog.getByRole('button', { name: 'Create template' }).click()
    await page.waitForURL(/\/studio\/templates\/tpl_/)
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('table', { name: 'Templates' }).getByRole('link', { name, exact: true }).waitFor()
  }
  t.same(await look(page, 'templates'), [])
  t.equal((await namesOnServer()).length, 6)
  const { status } = await platen.request('/v1/generate', { body: { template: 'invoice', async: true } })
  t.equal(status, 202, 'with the partial that it needs')
  t.same(problems, [])
})

t.test('a search and an order are part of the address', async (t) => {
  await using opened = await studio.open('/templates')
  const { page, problems } = opened
  const rows = page.getByRole('table').locator('tbody .row-link')
  await page.getByRole('searchbox', { name: 'Search templates' }).fill('LET')
  await page.waitForURL(/\?q=LET$/)
  await rows.filter({ hasText: 'Letter' }).waitFor()
  await rows.filter({ hasText: 'Report' }).waitFor({ state: 'detached' })
  await page.reload()
  await rows.filter({ hasText: 'Letter' }).waitFor()
  t.equal(await rows.count(), 1)
  await page.getByRole('searchbox').fill('nothing')
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('button', { name: 'Name' }).click()
  await page.waitForURL(/\?sort=name$/)
  await page.getByRole('columnheader', { name: 'Name' }).and(page.locator('[aria-sort=ascending]')).waitFor()
  await rows.first().filter({ hasText: 'Certificate' }).waitFor()
  t.same(await rows.allInnerTexts(), ['Certificate', 'Invoice', 'Letter', 'Quotation', 'Report', 'Shipping label'])
  t.same(problems, [])
})

t.test('a template is duplicated, deleted and restored with the mouse', async (t) => {
  await using opened = await studio.open('/templates')
  const { page, problems } = opened
  await page.getByRole('button', { name: 'Actions of Letter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  t.same(await look(page, 'templates-duplicate'), [])
  await page.getByRole('button', { name: 'Duplicate template' }).click()
  await page.getByRole('link', { name: 'Letter copy' }).waitFor()
  t.ok((await namesOnServer()).includes('Letter copy'))
  await page.getByRole('button', { name: 'Actions of Letter copy' }).click()
  t.same(await look(page, 'templates-menu'), [])
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  t.same(await look(page, 'templates-delete'), [])
  await page.getByRole('button', { name: 'Delete template' }).click()
  await page.getByText('“Letter copy” was deleted').last().waitFor()
  t.notOk((await namesOnServer()).includes('Letter copy'))
  await page.getByRole('button', { name: 'Deleted' }).click()
  await page.getByRole('button', { name: 'Actions of Letter copy' }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await page.getByRole('heading', { name: 'No deleted templates' }).waitFor()
  t.ok((await namesOnServer()).includes('Letter copy'))
  await page.goBack()
  await page.getByRole('link', { name: 'Letter copy' }).waitFor()
  t.same(problems, [])
})

t.test('the same is done by keyboard alone', async (t) => {
  await using opened = await studio.open('/')
  const { page, problems } = opened
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
  await page.getByRole('link', { name: 'Letter copy' }).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New template' }).waitFor()
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/studio\/templates\/tpl_/)
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.getByRole('link', { name: 'By keyboard' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('by keyb')
  await page.getByRole('link', { name: 'Letter copy' }).waitFor({ state: 'detached' })
  await openMenu(page, 'Actions of By keyboard')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Delete the template “By keyboard”?' })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  t.ok((await namesOnServer()).includes('By keyboard'), 'Escape deletes nothing')
  await openMenu(page, 'Actions of By keyboard')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await question.waitFor()
  await tabTo(page, '.button.danger')
  await page.keyboard.press('Enter')
  await page.getByText('“By keyboard” was deleted').last().waitFor()
  await page.locator('h1').focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  t.same(await look(page, 'shortcuts'), [])
  t.same(problems, [])
})

t.test('an error names what failed and the request, and is tried again', async (t) => {
  await using opened = await studio.open('/keys')
  const { page } = opened
  let isFailing = true
  await page.route('**/v1/templates?**', (route) =>
    isFailing
      ? route.fulfill({
          status: 503,
          json: { error: { code: 'SERVICE_UNAVAILABLE', message: 'The event store is away' }, request_id: 'req_1' },
        })
      : route.continue(),
  )
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('heading', { name: 'Templates could not be loaded' }).waitFor()
  await page.getByText('req_1').waitFor()
  t.same(await look(page, 'templates-error'), [])
  isFailing = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Report' }).waitFor()
})

t.test('a list of thousands has few rows in the document, and keeps its place', async (t) => {
  await using opened = await studio.open('/keys')
  const { page, problems } = opened
  const total = 5_000
  const at = (index: number) => ({
    id: `tpl_${String(index).padStart(26, '0')}`,
    name: `Template ${index}`,
    slug: `template-${index}`,
    version: 1,
    created_at: '2026-01-31T12:00:00.000Z',
    updated_at: '2026-01-31T12:00:00.000Z',
  })
  await page.route('**/v1/templates?**', (route) => {
    const first = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
    const next = first + 100
    const data = Array.from({ length: 100 }, (_, offset) => at(first + offset))
    return route.fulfill({ json: { data, ...(next < total && { next_cursor: String(next) }) } })
  })
  await page.getByRole('link', { name: 'Templates' }).click()
  const scroller = page.locator('.table-scroller')
  const far = page.getByRole('link', { name: /^Template 1\d\d\d$/ })
  while ((await far.count()) === 0) {
    await scroller.evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await page.waitForTimeout(50)
  }
  t.ok((await page.locator('tbody tr').count()) < 100)
  t.same(await look(page, 'templates-many'), [])
  await page.waitForTimeout(400)
  const top = await scroller.evaluate((element) => element.scrollTop)
  const isBack = () =>
    until(
      async () => Math.abs((await scroller.evaluate((element) => element.scrollTop)) - top) < 2 || undefined,
      'the place is lost',
    )
  // A row that is in view, so that nothing is scrolled for the click.
  await scroller.click({ position: { x: 300, y: 320 } })
  await page.waitForURL(/tpl_/)
  await page.goBack()
  await isBack()
  await page.reload()
  await isBack()
  t.same(problems, [])
})
