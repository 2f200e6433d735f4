import t from 'tap'
import { look, type StudioWindow, startStudio, tabTo } from './open-studio.ts'

t.setTimeout(600_000)
const studio = await startStudio({ OWN_HELPERS: 'on' })
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio

const chapter = (title: string, more = '') =>
  `<section><h1>${title}</h1><p>${`The ${title} of the terms, as they were agreed. `.repeat(30)}</p>${more}</section>`
const style =
  '<style>section { break-after: page } h1 { font: 28pt serif } section:last-of-type { break-after: auto }</style>'
const sections = ['scope', 'prices', 'delivery', 'liability', 'notice']
const htmlOf = (...parts: string[]) => `${style}\n${parts.join('\n')}\n<p>{{customer}}</p>`

interface Template {
  id: string
  version: number
  labels?: Record<string, number>
}

async function save(id: string, body: object): Promise<void> {
  const { status } = await platen.json(`/v1/templates/${id}`, { method: 'PATCH', body })
  t.equal(status, 200)
}

/** Of terms with five pages: version 1 is published, 2 has another sentence, 3 has another page. */
async function createTerms(name: string): Promise<string> {
  const first = sections.map((title) => chapter(title))
  const { body } = await platen.json<Template>('/v1/templates', {
    body: {
      name,
      html: htmlOf(...first),
      sample_data: { customer: 'Acme' },
      samples: { other: { customer: 'Zenith' } },
    },
  })
  await platen.json(`/v1/templates/${body.id}/labels/published`, { method: 'PUT', body: { version: 1 } })
  const second = [...first.slice(0, 1), chapter('prices', '<p>Prices include freight.</p>'), ...first.slice(2)]
  await save(body.id, { html: htmlOf(...second) })
  await save(body.id, { html: htmlOf(...second.slice(0, 3), chapter('returns'), ...second.slice(3)) })
  return body.id
}

const pathOf = (id: string, query = '') => `/templates/${id}/versions${query}`
const newest = async (id: string) => (await platen.json<Template>(`/v1/templates/${id}`)).body
const figure = ({ page }: StudioWindow) => page.locator('.comparison-figure')
const strip = ({ page }: StudioWindow) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link')

t.test('a reviewer decides on a new version by its pages', async (t) => {
  const id = await createTerms('Terms')
  await using opened = await studio.open(pathOf(id))
  const { page, problems } = opened
  await figure(opened).getByText('1 of 6 pages changed, 1 added').waitFor()
  t.match(page.url(), /\?from=1&to=3$/, 'the published version and the newest one')
  const shown = (await strip(opened).allTextContents()).map((text) => text.replace(/, changed.*/, ', changed'))
  const [changed, added, ...same] = shown
  t.same([changed, added], ['Page 2, changed', 'Page +4, added'], 'an inserted page is one page')
  t.same(same, ['Page 1, same', 'Page 3, same', 'Page 5, same', 'Page 6, same'])
  await page.getByRole('img', { name: 'Page 2 of version 1' }).waitFor()
  await page.getByRole('img', { name: 'Page 2 of version 3' }).waitFor()
  t.equal(await page.locator('.comparison-box').count(), 2, 'a box on each side')
  t.same(await look(page, 'versions'), [])
  await page.getByRole('link', { name: /^Page \+4/ }).click()
  await page.getByText('Version 1 does not have this page').waitFor()
  t.same(await look(page, 'versions-added'), [])
  await page.getByRole('button', { name: 'Label version 3' }).click()
  const dialog = page.getByRole('dialog', { name: 'Label version 3' })
  await dialog.getByText('print version 3 from then on, and no longer version 1').waitFor()
  t.same(await look(page, 'versions-label'), [])
  await dialog.getByRole('button', { name: 'Move published to version 3' }).click()
  await page.getByText('“published” moved to version 3').last().waitFor()
  await page.locator('tr', { hasText: 'Version 3' }).locator('.badge', { hasText: 'published' }).waitFor()
  t.same((await newest(id)).labels, { published: 3 })
  t.same(problems, [])
})

t.test('a label moves back only after one has said so', async (t) => {
  const id = await createTerms('Back')
  await platen.json(`/v1/templates/${id}/labels/published`, { method: 'PUT', body: { version: 3 } })
  await using opened = await studio.open(pathOf(id))
  const { page, problems } = opened
  await page.getByRole('button', { name: 'Actions of version 2' }).click()
  await page.getByRole('menuitem', { name: 'Give a label' }).click()
  const dialog = page.getByRole('dialog', { name: 'Label version 2' })
  await dialog.getByText('this is a step back').waitFor()
  const move = dialog.getByRole('button', { name: 'Move published back to version 2' })
  t.equal(await move.isDisabled(), true)
  await page.keyboard.press('Enter')
  await dialog.getByRole('checkbox', { name: 'Move it back, from version 3 to version 2' }).check()
  t.same(await look(page, 'versions-label-back'), [])
  t.same((await newest(id)).labels, { published: 3 })
  await move.click()
  await page.getByText('“published” moved to version 2').last().waitFor()
  t.same((await newest(id)).labels, { published: 2 })
  t.same(problems, [])
})

t.test(
  'the views are chosen by keyboard, the divider is moved by keyboard, and a reload keeps page, view and zoom',
  async (t) => {
    const id = await createTerms('Views')
    await using opened = await studio.open(pathOf(id, '?from=1&to=3'))
    const { page, problems } = opened
    await figure(opened).getByText('1 of 6 pages changed').waitFor()
    await page.getByRole('heading', { name: 'Page 2 changed' }).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'Page 4 added' }).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'Page 2 changed' }).waitFor()
    await page.keyboard.press('p')
    await page.getByRole('heading', { name: 'Page 4 added' }).waitFor()
    await page.keyboard.press('p')
    await page.keyboard.press('2')
    await page.getByRole('slider', { name: 'Opacity of version 3' }).waitFor()
    t.same(await look(page, 'versions-overlay'), [])
    await page.keyboard.press('3')
    const divider = page.getByRole('slider', { name: 'Divider between version 1 and version 3' })
    await divider.waitFor()
    const clip = () =>
      page
        .locator('.comparison-sheet')
        .last()
        .evaluate((sheet) => (sheet as unknown as { style: { clipPath: string } }).style.clipPath)
    t.equal(await clip(), 'inset(0px 0px 0px 50%)')
    await tabTo(page, '.comparison-slider')
    for (let presses = 0; presses < 5; presses++) await page.keyboard.press('ArrowRight')
    t.equal(await clip(), 'inset(0px 0px 0px 55%)')
    t.same(await look(page, 'versions-slider'), [])
    await page.locator('h1').focus()
    await page.keyboard.press('4')
    await page.getByRole('button', { name: 'Pause' }).click()
    t.same(await look(page, 'versions-blink'), [])
    const blinked = () => page.locator('.comparison-above b').textContent()
    const before = await blinked()
    await page.getByRole('button', { name: 'Show version' }).click()
    t.not(await blinked(), before)
    await page.keyboard.press('+')
    await page.waitForURL(/zoom=\d+/)
    const url = page.url()
    await page.reload()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    t.equal(page.url(), url)
    await page.getByRole('heading', { name: 'Page 2 changed' }).waitFor()
    await page.locator('h1').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await page.getByRole('heading', { level: 1, name: 'Generations' }).waitFor()
    t.same(problems, [])
  },
)

t.test('other tabs show what differs in the source, as texts and as values', async (t) => {
  const id = await createTerms('Tabs')
  const before = {
    options: { margin: { top: 20 } },
    data_schema: { type: 'object' },
    helpers: 'export const one = () => 1',
  }
  await save(id, before)
  await save(id, {
    options: { margin: { top: 30 }, format: 'Letter' },
    data_schema: { type: 'object', properties: { customer: { type: 'string' } } },
    helpers: 'export const one = () => 2',
    header_html: '<p>Terms</p><p>{{customer}}</p>',
  })
  await using opened = await studio.open(pathOf(id, '?from=4&to=5&tab=source&part=header'))
  const { page, problems } = opened
  await page.getByLabel('Header of version 5').getByText('<p>Terms</p>').waitFor()
  await page.getByLabel('Header of version 5').locator('.cm-mustache', { hasText: '{{customer}}' }).waitFor()
  t.same(await look(page, 'versions-source'), [])
  await page.getByRole('button', { name: 'Unified' }).click()
  await page.waitForURL(/diff=unified/)
  await page.getByLabel('Header of version 5').waitFor()
  t.same(await look(page, 'versions-source-unified'), [])
  await page.getByRole('button', { name: 'Body' }).click()
  await page.getByRole('heading', { name: 'Body: nothing differs' }).waitFor()
  await page.getByRole('button', { name: /^Options/ }).click()
  const options = page.getByRole('table', { name: 'Options that differ' })
  await options.getByRole('row', { name: 'options.margin.top 20 30' }).waitFor()
  t.same(await look(page, 'versions-options'), [])
  await page.getByRole('button', { name: /^Schema/ }).click()
  await page.getByLabel('Schema of version 5').getByText('customer').first().waitFor()
  await page.getByRole('button', { name: /^Helpers/ }).click()
  await page.getByLabel('Helpers of version 5').getByText('=> 2').first().waitFor()
  await page.goBack()
  await page.getByLabel('Schema of version 5').waitFor()
  await page.getByRole('button', { name: 'Partials and assets' }).click()
  await page.getByRole('heading', { name: 'Partials and assets: nothing differs' }).waitFor()
  t.same(problems, [])
})

t.test('a version is restored as a new one, and labels are given and removed', async (t) => {
  const id = await createTerms('Acts')
  await using opened = await studio.open(pathOf(id, '?list=shown'))
  const { page, problems } = opened
  const actions = (version: number) => page.getByRole('button', { name: `Actions of version ${version}`, exact: true })
  await actions(1).click()
  t.same(await look(page, 'versions-menu'), [])
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  t.same(await look(page, 'versions-restore'), [])
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByText('Version 4 has the content of version 1').last().waitFor()
  await page.waitForURL(/from=3&to=4/)
  t.equal((await newest(id)).version, 4)
  await figure(opened).getByText('1 of 5 pages changed, 1 removed').waitFor()
  await actions(2).click()
  await page.getByRole('menuitem', { name: 'Give a label' }).click()
  const dialog = page.getByRole('dialog', { name: 'Label version 2' })
  await dialog.getByRole('combobox', { name: 'Label' }).selectOption({ label: 'Another label…' })
  await dialog.getByRole('textbox', { name: 'Name of the label' }).fill('Not a label')
  await dialog.getByRole('button', { name: 'Give label' }).click()
  await dialog.locator('.field-error, .notice.bad').first().waitFor()
  await dialog.getByRole('textbox', { name: 'Name of the label' }).fill('draft')
  await dialog.getByRole('button', { name: 'Give label' }).click()
  await page.getByText('Version 2 is now “draft”').last().waitFor()
  t.same((await newest(id)).labels, { published: 1, draft: 2 })
  await actions(2).click()
  await page.getByRole('menuitem', { name: 'Remove the label draft' }).click()
  await page.getByRole('button', { name: 'Remove label' }).click()
  await page.getByText('The label “draft” was removed').last().waitFor()
  t.same((await newest(id)).labels, { published: 1 })
  t.same(problems, [])
})

t.test('both versions are printed with a named set of data, or with data that one pastes', async (t) => {
  const id = await createTerms('Data')
  await using opened = await studio.open(pathOf(id, '?from=1&to=2'))
  const { page, problems } = opened
  const data = page.getByRole('combobox', { name: 'Data' })
  await figure(opened).getByText('1 of 5 pages changed').waitFor()
  const compared = page.waitForRequest(/compare\?.*sample=other/)
  await data.selectOption('other')
  await compared
  await page.waitForURL(/data=sample%3Aother/)
  await figure(opened).getByText('1 of 5 pages changed').waitFor()
  await data.selectOption('Paste data…')
  const dialog = page.getByRole('dialog', { name: 'Compare with other data' })
  await dialog.getByRole('textbox', { name: 'Data' }).fill('[1]')
  await dialog.getByRole('button', { name: 'Compare' }).click()
  await dialog.getByText('Enter a JSON object.').waitFor()
  t.same(await look(page, 'versions-data'), [])
  await dialog.getByRole('textbox', { name: 'Data' }).fill('{"customer": "Pasted"}')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('/compare'))
  await dialog.getByRole('button', { name: 'Compare' }).click()
  t.same((await sent).postDataJSON(), { data: { customer: 'Pasted' } })
  await figure(opened).getByText('1 of 5 pages changed').waitFor()
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  const commands = page.getByRole('dialog', { name: 'The same as a command' })
  await commands.getByText(`platen templates diff data --from 1 --to 2 --pages --data data.json`).waitFor()
  await commands.getByText(`-d '{"data": {"customer": "Pasted"}}'`).waitFor()
  t.same(await look(page, 'versions-commands'), [])
  t.same(problems, [])
})

t.test('an error names the request, and a key sees only what it may do', async (t) => {
  const id = await createTerms('Errors')
  await using opened = await studio.open('/templates')
  const { page } = opened
  let isFailing = true
  await page.route('**/compare?**pages=true**', (route) =>
    isFailing
      ? route.fulfill({
          status: 422,
          json: { error: { code: 'RENDER_FAILED', message: 'Version 1: the page did not load' }, request_id: 'req_7' },
        })
      : route.continue(),
  )
  await page.goto(`${platen.url}/studio${pathOf(id)}`)
  await page.getByRole('heading', { name: 'The pages could not be compared' }).waitFor()
  await page.getByText('req_7').waitFor()
  t.same(await look(page, 'versions-error'), [])
  isFailing = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await figure(opened).getByText('1 of 6 pages changed, 1 added').waitFor()
  const { body: key } = await platen.json<{ key: string }>('/v1/keys', {
    body: { name: 'reader', scopes: ['templates:read'] },
  })
  await using reading = await studio.open(pathOf(id), { key: key.key })
  await reading.page.getByRole('heading', { name: 'Your API key may not print documents' }).waitFor()
  t.equal(await reading.page.getByRole('button', { name: /^Label version/ }).count(), 0)
  await reading.page.getByRole('button', { name: 'Actions of version 1' }).click()
  t.same(await reading.page.getByRole('menuitem').allInnerTexts(), ['Compare from here', 'Compare to here'])
  t.same(await look(reading.page, 'versions-reader'), [])
  t.same(reading.problems, [])
})

t.test('a template with one version says what to do, and a long history has few rows', async (t) => {
  const { body } = await platen.json<Template>('/v1/templates', { body: { name: 'One', html: '<p>{{n}}</p>' } })
  await using opened = await studio.open(pathOf(body.id))
  const { page, problems } = opened
  await page.getByRole('heading', { name: 'There is one version' }).waitFor()
  t.same(await look(page, 'versions-one'), [])
  for (let n = 0; n < 150; n++) await save(body.id, { sample_data: { n } })
  await page.reload()
  await figure(opened).getByText('The page is the same').or(figure(opened).getByText('1 of 1 page changed')).waitFor()
  const scroller = page.locator('.versions-panel .table-scroller')
  await scroller.evaluate((element) =>
    (element as unknown as { scrollTo(x: number, y: number): void }).scrollTo(0, 1e6),
  )
  await page.locator('.versions-panel').getByText('Version 1', { exact: true }).waitFor()
  t.ok((await page.locator('.versions-panel tbody tr').count()) < 100)
  t.same(await look(page, 'versions-many'), [])
  t.same(problems, [])
})

t.test('pages that are the same are drawn when they are shown, and larger ones when they are enlarged', async (t) => {
  const id = await createTerms('Enlarged')
  await using opened = await studio.open(pathOf(id, '?from=1&to=3'))
  const { page, problems } = opened
  await figure(opened).getByText('1 of 6 pages changed').waitFor()
  const isPreview = (wanted: object) => (request: { url(): string; postDataJSON(): Record<string, unknown> }) =>
    request.url().includes('/v1/preview') &&
    Object.entries(wanted).every(([name, value]) => request.postDataJSON()[name] === value)
  const drawn = page.waitForRequest(isPreview({ template_version: 3, page: 1 }))
  await page.getByRole('link', { name: /^Page 1\b/ }).click()
  await drawn
  await page.getByRole('img', { name: 'Page 1 of version 3' }).waitFor()
  await page.goBack()
  await page.getByRole('img', { name: 'Page 2 of version 1' }).waitFor()
  const larger = page.waitForRequest(isPreview({ template_version: 1, page: 2, width: 2400 }))
  await page.goto(`${page.url()}&zoom=300`)
  await larger
  await page.locator('.comparison-sheet img[src^="blob:"]').first().waitFor()
  t.same(problems, [])
})

t.test('the versions of a deleted template are compared, and one of them is restored', async (t) => {
  const id = await createTerms('Deleted')
  await platen.request(`/v1/templates/${id}`, { method: 'DELETE' })
  await using opened = await studio.open(pathOf(id))
  const { page, problems } = opened
  await page.getByText('This template was deleted.').waitFor()
  await figure(opened)
    .getByText(/of \d pages changed|added/)
    .waitFor()
  t.same(await look(page, 'versions-deleted'), [])
  await page.getByRole('button', { name: 'Actions of version 1' }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByText('Version 5 has the content of version 1').last().waitFor()
  t.equal((await newest(id)).version, 5)
  await page.getByText('This template was deleted.').waitFor({ state: 'detached' })
  t.same(problems, [])
})
