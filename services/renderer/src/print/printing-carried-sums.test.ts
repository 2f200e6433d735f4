import { rendered } from '@platen/templating/handlebars/testing/rendered.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { readPdf } from '../../../../test/support/read-pdf.ts'

const printer = await openTestPrinter()
t.teardown(() => printer[Symbol.asyncDispose]())

const headerHtml =
  '<div data-platen-carry="brought">Brought <span class=subtotal></span>!</div><span data-platen-pages="last">LAST</span>'
const footerHtml =
  '<div data-platen-carry="carried" data-platen-format="EUR">Carried <span class=subtotal></span>!</div>always'
const row = (amount: string, text = amount) =>
  `<tr data-platen-amount="${amount}"><td>row${text};</td><td>${amount}</td></tr>`
const table = (rows: string) =>
  `<style>td { font-size: 7pt; padding: 0 }</style><table><thead><tr><th>Text</th><th>Amount</th></tr></thead><tbody>${rows}</tbody></table>`
const repeated = (count: number, amount: (index: number) => string) =>
  table(Array.from({ length: count }, (_, index) => row(amount(index), String(index))).join(''))

const tenths = (index: number) => `${index % 7 === 0 ? '-' : ''}${index}.1`
/** Amounts in tenths, so that the test adds integers. */
const inTenths = (index: number) => (index % 7 === 0 ? -1 : 1) * (index * 10 + 1)

async function read(pdf: Uint8Array) {
  return (await readPdf(pdf)).map(({ text }) => ({
    rows: Array.from(text.matchAll(/row(\d+);/g), ([, index]) => Number(index)),
    brought: /Brought (.*?)!/.exec(text)?.[1],
    carried: /Carried (.*?)!/.exec(text)?.[1],
    isFooted: text.includes('always'),
  }))
}

const shown = (sumInTenths: number, style: Intl.NumberFormatOptions, locale = 'en-US') =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: 2, ...style }).format(sumInTenths / 10)

for (const { name, count, options } of [
  { name: 'with tags and an outline', count: 300, options: { tagged: true, outline: true } },
  { name: 'in a document with scripts', count: 300, options: { javascript: 'on' as const } },
  { name: 'in a table that is printed in parts', count: 4_500, options: {} },
]) {
  t.test(`each page shows the sum of the rows before it and up to its end, ${name}`, async (t) => {
    const { pdf, warnings } = await printer.printHtml(repeated(count, tenths), options, { headerHtml, footerHtml })
    t.strictSame(warnings, [])
    const pages = await read(pdf)
    t.ok(pages.length > 3)
    t.strictSame(
      pages.flatMap(({ rows }) => rows),
      Array.from({ length: count }, (_, index) => index),
    )
    let sum = 0
    const wrong = pages.filter(({ rows, brought, carried, isFooted }, index) => {
      const before = sum
      for (const at of rows) sum += inTenths(at)
      const expected = {
        brought: index === 0 ? undefined : shown(before, {}),
        carried: index === pages.length - 1 ? undefined : shown(sum, { style: 'currency', currency: 'EUR' }),
      }
      return brought !== expected.brought || carried !== expected.carried || !isFooted
    })
    t.strictSame(wrong, [])
  })
}

t.test('sums are exact, and in the digits of the locale', async (t) => {
  const rows = `${row('9007199254740993.01') + row('0.1') + row('0.2') + row('')}<tr data-platen-amount="5" hidden><td>no`
  const html = `${table(rows)}<p style="break-before: page" data-platen-amount="-.5">`.replace('"-.5"', '"-0.5"')
  const { pdf } = await printer.printHtml(html, {}, { headerHtml, footerHtml })
  t.match(await read(pdf), [
    { carried: '€9,007,199,254,740,993.31' },
    { brought: '9,007,199,254,740,993.31', carried: undefined },
  ])
})

t.test(
  'pages before the first amount and after the last one show none, and page ranges count whole documents',
  async (t) => {
    const next = '<p style="break-before: page">'
    const html = `Cover${next}${table(row('1.5'))}${next}between${next}${table(row('2'))}${next}end`
    const { pdf } = await printer.printHtml(html, {}, { headerHtml, footerHtml })
    const expected = [
      { brought: undefined, carried: undefined },
      { brought: undefined, carried: '€1.50' },
      { brought: '1.50', carried: '€1.50' },
      { brought: '1.50', carried: undefined },
      { brought: undefined, carried: undefined },
    ]
    t.match(await read(pdf), expected)
    const some = await printer.printHtml(html, { page_ranges: '3-4' }, { headerHtml, footerHtml })
    t.match(await read(some.pdf), expected.slice(2, 4))
  },
)

t.test('sums beside a contents list, and ids of rows stay', async (t) => {
  const html = `${rendered('{{toc}}<a href="#mine">link</a>')}<h1>Chapter</h1>${repeated(120, tenths)}`
  const { pdf, warnings } = await printer.printHtml(
    html.replace('<tr data', '<tr id=mine data'),
    {},
    { headerHtml, footerHtml },
  )
  t.strictSame(warnings, [])
  t.match((await readPdf(pdf))[0]?.text, /Chapter\s+1\s+link/)
  t.ok((await read(pdf)).at(-1)?.brought)
})

t.test('what cannot be a sum is an error, and what shows none a warning', async (t) => {
  for (const amount of ['12,50', '€1', 'abc', '1e3']) {
    const refused = { code: 'RENDER_FAILED', message: /data-platen-amount=.*is no amount/ }
    await t.rejects(printer.printHtml(table(row('1') + row(amount)), {}, { headerHtml }), refused, amount)
    t.match((await printer.printHtml(table(row(amount)))).warnings, [], 'nobody shows it')
  }
  const { warnings } = await printer.printHtml('x', {}, { headerHtml })
  t.match(warnings, [{ code: 'PAGE_NUMBERS', message: /no element of the document has data-platen-amount/ }])
  const bad = headerHtml.replace('brought', 'forward')
  t.match((await printer.printHtml(table(row('1')), {}, { headerHtml: bad })).warnings, [
    { code: 'PAGE_NUMBERS', message: /header_html: data-platen-carry="forward" must be/ },
  ])
  const many = table('<tr data-platen-amount=1>'.repeat(10_001))
  await t.rejects(printer.printHtml(many, {}, { headerHtml }), { code: 'RENDER_LIMIT_EXCEEDED', message: /10001/ })
})
