import type { Page } from 'playwright-core'
import t from 'tap'
import { drawnAfter, editor, templatesOf, typeAtEnd, until } from './in-editor.ts'
import { look, startStudio } from './open-studio.ts'

t.setTimeout(600_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio
const { create } = templatesOf(platen)
const acme = (await platen.json<{ id: string }>('/v1/owners', { body: { name: 'Acme' } })).body.id

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
const answer = async (page: Page, button: string) => {
  await question(page).getByRole('button', { name: button }).click()
  await question(page).waitFor({ state: 'detached' })
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

t.test('back and forward ask before they leave unsaved work, and go where they would have gone', async (t) => {
  const { id } = await create({ name: 'Note', html: '<h1>N</h1>' })
  await using opened = await studio.open('/keys')
  const { page, problems } = opened
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('link', { name: 'Note' }).click()
  await drawnAfter(page, 0)
  const address = page.url()
  await page.getByRole('button', { name: 'Header' }).click()
  await page.getByRole('button', { name: 'Body' }).click()
  await typeAtEnd(page, '<p>unsaved</p>')
  await page.goBack()
  await editor(page, /^Header/).waitFor()
  t.equal(await question(page).count(), 0, 'tabs of the same page are no other page')
  await page.goForward()
  await editor(page).waitFor()
  await page.evaluate('history.go(-3)')
  await question(page).waitFor()
  t.equal(page.url(), address, 'the address is that of what is shown')
  t.same(await look(page, 'editor-leave'), [])
  await answer(page, 'Cancel')
  await editor(page).filter({ hasText: '<p>unsaved</p>' }).waitFor()
  await page.evaluate('history.back(); history.back(); history.back()')
  await question(page).waitFor()
  await answer(page, 'Leave')
  await heading(page, 'Templates')
  await page.goBack()
  await heading(page, 'Keys')
  await page.goForward()
  await heading(page, 'Templates')
  await page.goForward()
  await page.getByRole('button', { name: 'Restore' }).click()
  await editor(page).filter({ hasText: '<p>unsaved</p>' }).waitFor()
  t.match(page.url(), `/templates/${id}`)
  t.same(problems, [])
})

t.test('another owner is shown only after the question', async (t) => {
  const { id } = await create({ name: 'Mine', html: '<h1>M</h1>' })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  await typeAtEnd(page, '<p>unsaved</p>')
  const owners = page.getByRole('combobox', { name: 'Owner' })
  const own = await owners.inputValue()
  await owners.selectOption({ label: 'Acme' })
  await answer(page, 'Cancel')
  t.equal(await owners.inputValue(), own)
  t.notMatch(page.url(), 'owner=')
  await owners.selectOption({ label: 'Acme' })
  await answer(page, 'Leave')
  await page.getByRole('heading', { name: 'There is no such template' }).waitFor()
  t.match(page.url(), `owner=${acme}`)
  await page.goBack()
  await page.getByRole('button', { name: 'Restore' }).click()
  await editor(page).filter({ hasText: '<p>unsaved</p>' }).waitFor()
  await until(async () => (await owners.inputValue()) === own)
  t.same(problems, [])
})
