import type { Page } from 'playwright-core'
import type { Platen } from '../support/platen.ts'

interface Made {
  id: string
  version: number
}
/** The templates of the server. */
export const templatesOf = (platen: Platen) => ({
  create: async (template: object) => {
    const { status, body } = await platen.json<Made>('/v1/templates', { method: 'POST', body: template })
    if (status !== 201) throw new Error(`the template is refused: ${JSON.stringify(body)}`)
    return body
  },
  change: async (id: string, changes: object) => {
    await platen.json(`/v1/templates/${id}`, { method: 'PATCH', body: changes })
  },
  stored: async (id: string) => (await platen.json<Record<string, unknown>>(`/v1/templates/${id}`)).body,
})

export const editor = (page: Page, label = /^Body/) => page.getByRole('textbox', { name: label })
/** The picture of the preview is of a newer request than `before`. */
export const drawnAfter = async (page: Page, before: number) => {
  await page.locator('.editor-sheets[data-drawn]').waitFor()
  await until(async () => (await drawn(page)) > before)
  return drawn(page)
}
/** All that was typed is printed. */
export const settled = (page: Page) =>
  until(async () => (await page.locator('.editor-preview').getAttribute('aria-busy')) === null)
export const until = async (isSo: () => Promise<boolean>) => {
  const giveUpAt = Date.now() + 30_000
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(`not so in 30 s: ${isSo}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
export const drawn = async (page: Page) =>
  Number((await page.locator('.editor-sheets').getAttribute('data-drawn')) ?? 0)
/** The share of the pixels of a page that are dark. */
export const inkOn = (page: Page, number = 1): Promise<number> =>
  page.evaluate(`(() => {
    const canvas = document.querySelectorAll('.editor-sheets .paper')[${number - 1}].querySelector('canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    let dark = 0
    for (let at = 0; at < data.length; at += 4) if (data[at] + data[at + 1] + data[at + 2] < 300) dark++
    return dark / (data.length / 4)
  })()`)
export const typeAtEnd = async (page: Page, text: string) => {
  await editor(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}
