import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'

const options = { form_fields: true }
const limits = { pages: 100, resources: 100, resourceBytes: 1e6, resourceTimeoutMs: 2_000 }
const inputs = (count: number, attributes: string) =>
  Array.from({ length: count }, () => `<input ${attributes}>`).join('')
const long = `value=${'x'.repeat(9_000)}`

t.test('inputs that have too much text are refused in the browser, and name the limit', async (t) => {
  await using printer = await openTestPrinter({ limits: { ...limits, pdfBytes: 50e6 } })
  const manyOptions = `<select name=s>${'<option>x'.repeat(1_001)}</select>`
  const cases: [html: string, message: RegExp][] = [
    [inputs(600, long), /form_fields: names, labels and values are too long together, at most 5000000 characters/],
    [inputs(2_001, ''), /form_fields: the document has 2001 inputs, at most 2000 become form fields/],
    [
      `<input name=long value=${'x'.repeat(10_001)}>`,
      /the input "long" has a value of 10001 characters, at most 10000/,
    ],
    [manyOptions, /the input "s" has 1001 options, at most 1000/],
  ]
  for (const [html, message] of cases) {
    await t.rejects(printer.printHtml(html, options), { code: 'RENDER_LIMIT_EXCEEDED', message })
  }
})

t.test('inputs that have more text than a PDF may have are refused', async (t) => {
  await using printer = await openTestPrinter({ limits: { ...limits, pdfBytes: 50_000 } })
  const refused = { code: 'RENDER_LIMIT_EXCEEDED', message: /form_fields: .* more text than a PDF may have/ }
  await t.rejects(printer.printHtml(inputs(200, long), options), refused)
})
