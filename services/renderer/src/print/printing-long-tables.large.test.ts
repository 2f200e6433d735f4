import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { readPdf } from '../../../../test/support/read-pdf.ts'

// A table of more than 4,000 rows is printed in slices, or in parts, which look like one. printing-long-tables.test.ts has what does
// not depend on the number of rows.

const limits = { pages: 1_000, pdfBytes: 50e6, resources: 100, resourceBytes: 1e6, resourceTimeoutMs: 20_000 }
const printer = await openTestPrinter({ deadlineMs: 120_000, limits })
t.teardown(() => printer[Symbol.asyncDispose]())

const count = 4_100
const rowsOf = (cells: (index: number) => string, attributes: (index: number) => string = () => '') =>
  Array.from({ length: count }, (_, index) => `<tr ${attributes(index)}>${cells(index)}</tr>`).join('\n')
const long = (index: number) =>
  index % 17 === 0 ? 'with a name that needs more than one line of this cell, so that its row is higher' : ''
const cells = (index: number) =>
  `<td>${index}<td>article ${index % 977} ${long(index)}<td>${(index * 1.37).toFixed(2)}<td>note ${index % 9}`
const head = '<thead><tr><th rowspan=2>No<th>Article<th>Price<th>Note<tr><th colspan=3>second line of the head</thead>'
const style = 'td, th { padding: 1px 6px; font: 11px sans-serif; text-align: left }'

const documents: Record<string, string> = {
  'borders that collapse, a head of two lines, stripes': `<style>${style} table { border-collapse: collapse; width: 100% }
    td, th { border: 1px solid #999 } tbody tr:nth-child(even) { background: #eef }</style>
    <h1>Title</h1><table id=a>${head}<tbody>${rowsOf(cells)}</table><p>The end.`,
  'numbers of rows by counters, and cells over several rows': `<style>${style} table { counter-reset: row; border-collapse: collapse }
    tr { counter-increment: row } td:last-child::after { content: " #" counter(row) } td { border: 1px solid }</style><table>${head}
    <tbody>${rowsOf((i) => (i % 3 === 0 ? `<td rowspan=3>${i}` : '') + cells(i).replace(/^<td>\d+/, ''))}</table>`,
}

/** Forces a document to be printed in parts: the link into itself rules out slices. */
const inParts = (html: string) => `${html}<a hidden href="#x"></a>`
const whole = (html: string) =>
  inParts(html.replace(/<tr (?=[^<]*>(?:(?!<tr ).)*$)/s, '<tr style="break-before: avoid" '))

const textsOf = async (html: string) => {
  const { pdf, pages, warnings } = await printer.printHtml(html)
  const texts = (await readPdf(pdf)).map(({ text, fills, runs }) => {
    const left = Math.round(Math.min(...runs.map(({ leftMm }) => leftMm)))
    return [text.replace(/\s+/g, ' ').trim(), ...[...new Set(fills)].sort(), left].join(' ')
  })
  return { pages, warnings, texts }
}

for (const [name, html] of Object.entries(documents)) {
  t.test(name, async (t) => {
    t.not(whole(html), html)
    const one = await textsOf(whole(html))
    for (const split of [await textsOf(html), await textsOf(inParts(html))]) {
      t.equal(split.pages, one.pages)
      t.same(split.warnings, [])
      const differing = one.texts.flatMap((text, index) => (text === split.texts[index] ? [] : [index + 1]))
      t.same(differing, [], 'the pages have the same texts')
      if (differing[0]) t.equal(split.texts[differing[0] - 1], one.texts[differing[0] - 1])
    }
  })
}
