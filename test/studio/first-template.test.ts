import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import t from 'tap'
import { drawnAfter, editor, settled, templatesOf, until } from './in-editor.ts'
import { look, startStudio } from './open-studio.ts'

t.setTimeout(600_000)
const studio = await startStudio()
t.teardown(() => studio[Symbol.asyncDispose]())
const { stored } = templatesOf(studio.platen)
const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const font = readFileSync(join(pdfjs, 'standard_fonts/LiberationSans-BoldItalic.ttf'), 'base64')

t.test('from a blank template to a quotation with a logo, a font, a sum, page numbers and data', async (t) => {
  await using opened = await studio.open('/templates')
  const { page, problems } = opened
  await page.getByRole('button', { name: 'New template' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Quotation')
  await page.getByRole('button', { name: 'Create template' }).click()
  await drawnAfter(page, 0)
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>'
  await page.locator('.editor-source').dispatchEvent('drop', {
    dataTransfer: await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${JSON.stringify(svg)}], 'logo.svg'))
      transfer.items.add(new File([Uint8Array.from(atob('${font}'), (char) => char.charCodeAt(0))], 'Brand.ttf'))
      return transfer
    })()`),
  })
  const brand = page.getByRole('button', { name: /^Brand.ttf/ })
  await brand.waitFor()
  await editor(page).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('<style>\n\n</style>\n<h1>{{number}}</h1>\n')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await brand.click()
  await page.keyboard.press('Control+End')
  await page.getByRole('button', { name: /^logo.svg/ }).click()
  await page.keyboard.insertText(
    '\n{{#each items}}<p>{{name}} {{formatCurrency price}}</p>{{/each}}<p>{{sum items "price"}}, {{formatDate due}}</p>',
  )
  await page.getByRole('button', { name: 'Footer' }).click()
  await page.getByRole('button', { name: 'Begin with page numbers' }).click()
  await editor(page, /^Footer/)
    .filter({ hasText: 'pageNumber' })
    .waitFor()
  await page.getByRole('button', { name: 'Data', exact: true }).click()
  await page.getByRole('button', { name: 'Add 3 missing values' }).click()
  await editor(page, /^Sample data/)
    .filter({ hasText: '"price": 1' })
    .waitFor()
  await page.getByRole('button', { name: /^Problems$/ }).waitFor()
  await page.getByRole('button', { name: 'Form', exact: true }).click()
  await page.getByRole('button', { name: 'Make one from the data' }).click()
  await page.getByRole('textbox', { name: /^Number/ }).fill('Q-1')
  await page.getByRole('textbox', { name: /^Price/ }).fill('12.5')
  await settled(page)
  t.same(await look(page, 'editor-first-template'), [])
  await page.keyboard.press('Control+s')
  await page.getByText('“Quotation” is saved').waitFor()
  const [id = ''] = /tpl_\w+/.exec(page.url()) ?? []
  await until(async () => (await stored(id)).version === 2)
  const { html, footer_html, sample_data } = await stored(id)
  t.match(html, /<style>\n@font-face \{[^<]*asset:Brand.ttf[^<]*<\/style>/, 'in a style element, rules alone')
  t.match(html, '<img src="asset:logo.svg" alt="" style="height: 15mm">')
  t.match(footer_html, 'totalPages')
  t.same(sample_data, { name: 'world', number: 'Q-1', items: [{ name: 'name', price: 12.5 }], due: '2026-01-31' })
  t.same(problems, [])
})
