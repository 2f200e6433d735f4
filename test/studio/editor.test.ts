import type { Page } from 'playwright-core'
import t from 'tap'
import { look, startStudio } from './open-studio.ts'

t.setTimeout(900_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())
const { platen } = studio

interface Made {
  id: string
  version: number
}
const create = async (template: object) =>
  (await platen.json<Made>('/v1/templates', { method: 'POST', body: template })).body
const stored = async <T>(id: string) => (await platen.json<T>(`/v1/templates/${id}`)).body

const editor = (page: Page, label = /^Body/) => page.getByRole('textbox', { name: label })
/** The picture of the preview is of a newer request than `before`. */
const drawnAfter = async (page: Page, before: number) => {
  await page.locator('.editor-sheets[data-drawn]').waitFor()
  await until(async () => (await drawn(page)) > before)
  return drawn(page)
}
/** All that was typed is printed. */
const settled = (page: Page) =>
  until(async () => (await page.locator('.editor-preview').getAttribute('aria-busy')) === null)
const until = async (isSo: () => Promise<boolean>) => {
  const giveUpAt = Date.now() + 30_000
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(`not so in 30 s: ${isSo}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const drawn = async (page: Page) => Number((await page.locator('.editor-sheets').getAttribute('data-drawn')) ?? 0)
/** The share of the pixels of a page that are dark. */
const inkOn = (page: Page, number = 1): Promise<number> =>
  page.evaluate(`(() => {
    const canvas = document.querySelectorAll('.editor-sheet')[${number - 1}].querySelector('canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    let dark = 0
    for (let at = 0; at < data.length; at += 4) if (data[at] + data[at + 1] + data[at + 2] < 300) dark++
    return dark / (data.length / 4)
  })()`)
const typeAtEnd = async (page: Page, text: string) => {
  await editor(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

t.test('what one types is printed beside it, and saved by Ctrl+S', async (t) => {
  const { id } = await create({ name: 'Note', html: '<h1>Note {{code}}</h1>', sample_data: { code: 'A-1' } })
  await using opened = await studio.open(`/templates/${id}`)
  const { page, problems } = opened
  const first = await drawnAfter(page, 0)
  const ink = await inkOn(page)
  t.ok(ink > 0, 'the page has a heading')
  t.same(await look(page, 'editor'), [])
  await typeAtEnd(page, '<p style="height: 5cm; background: black; print-color-adjust: exact">{{code}}</p>')
  await drawnAfter(page, first)
  await page.getByText('unsaved').waitFor()
  await settled(page)
  t.ok((await inkOn(page)) > ink + 0.05, 'it has what was typed')
  await page.keyboard.press('Control+s')
  await page.getByText('“Note” is saved').waitFor()
  await page.getByText('unsaved').waitFor({ state: 'detached' })
  t.match(await stored(id), { version: 2, html: /background: black/ })
  t.same(problems, [])
})
