import t from 'tap'
import { drawnAfter, editor, inkOn, settled, templatesOf, typeAtEnd, until } from './in-editor.ts'
import { look, startStudio } from './open-studio.ts'

t.setTimeout(600_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio
const { create, stored } = templatesOf(platen)

interface Partial {
  html: string
  version: number
}
const partial = async (name: string) => (await platen.json<Partial>(`/v1/partials/${name}`)).body
const createPartial = (name: string, html: string) => platen.json('/v1/partials', { body: { name, html } })
const black = '<div style="height: 5cm; background: black; print-color-adjust: exact"></div>'

t.test('a partial is edited beside the template, printed as one types, and saved with it', async (t) => {
  await createPartial('letterhead', '<header>Lindqvist</header>')
  const { id } = await create({ name: 'Letter', html: '{{> letterhead}}<p>Dear all</p>' })
  const other = await create({ name: 'Reminder', html: '{{> letterhead}}<p>Again</p>' })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  const ink = await inkOn(page)
  await page.getByRole('button', { name: 'Partials' }).click()
  await page.getByRole('button', { name: 'Edit letterhead' }).click()
  await editor(page, /^Partial letterhead/).waitFor()
  await page.getByText('version 1, used by 2 templates and 0 partials').waitFor()
  await editor(page, /^Partial letterhead/).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(black)
  await page.getByText('unsaved').waitFor()
  await settled(page)
  t.ok((await inkOn(page)) > ink + 0.05, 'what is unsaved is printed')
  t.same(await look(page, 'editor-partial'), [])
  t.match(await partial('letterhead'), { version: 1 })
  await page.keyboard.press('Control+s')
  await page.getByText('“Letter” is saved').waitFor()
  await page.getByText('Partial letterhead, version 2').waitFor()
  t.match(await partial('letterhead'), { version: 2, html: `<header>Lindqvist</header>${black}` })
  t.match(await stored(id), { version: 2, partials: { letterhead: { version: 2 } } })
  t.match(await stored(other.id), { version: 1, partials: { letterhead: { version: 1 } } }, 'others stay as they are')
  await page.getByText('unsaved').waitFor({ state: 'detached' })
  await page.reload()
  await editor(page, /^Partial letterhead/).waitFor()
  await page.getByRole('button', { name: 'Close letterhead' }).click()
  await editor(page).waitFor()
  t.same(problems, [])
})

t.test('a partial begins in the editor, and is deleted there', async (t) => {
  const { id } = await create({ name: 'Begins', html: '<p>B</p>' })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  await page.getByRole('button', { name: 'Partials' }).click()
  await page.getByRole('button', { name: 'New partial' }).click()
  const dialog = page.getByRole('dialog', { name: 'New partial' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('not a name')
  await page.keyboard.press('Enter')
  await dialog.getByText('It begins with a letter').waitFor()
  t.same(await look(page, 'editor-new-partial'), [])
  await dialog.getByRole('textbox', { name: 'Name' }).fill('closing')
  await page.keyboard.press('Enter')
  await editor(page, /^Partial closing/).waitFor()
  await page.getByText('not saved yet').waitFor()
  await page.getByRole('button', { name: 'Body' }).click()
  await typeAtEnd(page, '{{> closing}}')
  await settled(page)
  t.equal(await page.getByText('The pages are those before').count(), 0, 'an unsaved partial is found')
  await page.keyboard.press('Control+s')
  await page.getByText('is saved').waitFor()
  t.match(await partial('closing'), { version: 1 })
  t.match(await stored(id), { partials: { closing: { version: 1 } } })
  await page.getByRole('button', { name: 'closing', exact: true }).click()
  await page.getByText('used by 1 template and 0 partials').waitFor()
  await page.getByRole('button', { name: 'Delete closing' }).click()
  await page.getByRole('button', { name: 'Delete partial' }).click()
  await page.getByText('The partial closing is deleted').waitFor()
  await editor(page).waitFor()
  t.equal((await platen.request('/v1/partials/closing')).status, 404)
  t.same(problems, [])
})

t.test(
  'a partial that somebody else has saved meanwhile is merged, and unsaved work in it survives a reload',
  async (t) => {
    await createPartial('shared', '<p>One</p>\n<p>Two</p>\n')
    const { id } = await create({ name: 'Shares', html: '{{> shared}}' })
    await using opened = await studio.open(`/templates/${id}?tab=partial:shared`)
    const { page, problems } = opened
    await editor(page, /^Partial shared/).focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('<p>Mine</p>')
    await page.waitForTimeout(500)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByRole('button', { name: 'Restore' }).click()
    await editor(page, /^Partial shared/)
      .filter({ hasText: 'Mine' })
      .waitFor()
    await platen.json('/v1/partials/shared', { method: 'PATCH', body: { html: '<p>Theirs</p>\n<p>Two</p>\n' } })
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Version 2 of the partial shared was saved in the meantime' })
    await dialog.getByText('You and somebody else have changed different things').waitFor()
    t.same(await look(page, 'editor-partial-conflict'), [])
    await dialog.getByRole('button', { name: 'Merge and save' }).click()
    await page.getByText('is saved').waitFor()
    t.match(await partial('shared'), { version: 3, html: '<p>Theirs</p>\n<p>Two</p>\n<p>Mine</p>' })
    t.match(await stored(id), { version: 2, partials: { shared: { version: 3 } } })
    t.same(problems, [])
  },
)

t.test('an error in a partial is marked at its line, and a click leads there', async (t) => {
  await createPartial('faulty', '<p>{{name}}</p>')
  const { id } = await create({ name: 'Faulty', html: '{{> faulty}}', sample_data: {} })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  await page.getByRole('button', { name: /^Problems 1/ }).click()
  await page.getByRole('button', { name: /name.*faulty:1/s }).click()
  await editor(page, /^Partial faulty/).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.type('{{#if name}')
  await page.keyboard.press('Control+s')
  await page.locator('.cm-lint-marker-error').waitFor()
  t.match(await partial('faulty'), { version: 1 })
  t.same(problems, [])
})

t.test('translations are edited, printed before they are saved, and removed', async (t) => {
  const { id } = await create({ name: 'Texts', html: '<h1>{{t "hello" name=name}}</h1>', sample_data: { name: 'Ada' } })
  await using opened = await studio.open(`/templates/${id}?tab=translations`)
  const { page, problems } = opened
  await page.getByRole('button', { name: /^Problems 1/ }).waitFor()
  await page.getByRole('button', { name: 'Begin with English' }).click()
  const texts = editor(page, /^Translations/)
  await texts.filter({ hasText: 'greeting' }).waitFor()
  t.same(await look(page, 'editor-translations'), [])
  await texts.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('{"en": {"hello": "Hello {name}"')
  await page.getByRole('button', { name: /^Problems$/ }).waitFor()
  await settled(page)
  await page.keyboard.press('Control+s')
  await page.getByText('is saved').waitFor()
  t.match(await stored(id), { translations: { en: { hello: 'Hello {name}' } } })
  await texts.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Control+s')
  await until(async () => (await stored(id)).version === 3)
  t.notOk('translations' in (await stored(id)))
  t.same(problems, [])
})

t.test('warnings are beside the page that they are about, and lead to their line', async (t) => {
  const html =
    '<section style="break-after: page"><h1>One</h1></section>\n<section><p>{{missing}}</p>\n<img src="https://10.0.0.1/a.png"></section>\n'
  const { id } = await create({ name: 'Warns', html })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  await drawnAfter(page, 0)
  const note = page.getByRole('button', { name: '2 warnings on page 2' })
  await note.waitFor()
  t.equal(await page.getByRole('button', { name: /on page 1/ }).count(), 0)
  await note.click()
  t.same(await look(page, 'editor-page-warnings'), [])
  await page
    .getByLabel('Preview')
    .getByRole('button', { name: /missing.*Body:2/s })
    .click()
  await page.keyboard.type('X')
  t.match(await editor(page).textContent(), /\{\{Xmissing/)
  t.same(problems, [])
})
