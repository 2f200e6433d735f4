import type { Test } from 'tap'
import { readPdf } from '../read-pdf.ts'
import type { TestPrinter } from './open-test-printer.ts'

/** What a test with long tables prints. */
export interface LongTables {
  rowsOf(cells: (index: number) => string, attributes?: (index: number) => string): string
  cells(index: number): string
  head: string
  style: string
  /** Documents with what each long table may have, by what that is. */
  documents: Record<'collapsed' | 'counted', string>
}

/** Tables with this number of rows. */
export function longTables(count: number): LongTables {
  const rowsOf = (cells: (index: number) => string, attributes: (index: number) => string = () => '') =>
    Array.from({ length: count }, (_, index) => `<tr ${attributes(index)}>${cells(index)}</tr>`).join('\n')
  const long = (index: number) =>
    index % 17 === 0 ? 'with a name that needs more than one line of this cell, so that its row is higher' : ''
  const cells = (index: number) =>
    `<td>${index}<td>article ${index % 977} ${long(index)}<td>${(index * 1.37).toFixed(2)}<td>note ${index % 9}`
  const head =
    '<thead><tr><th rowspan=2>No<th>Article<th>Price<th>Note<tr><th colspan=3>second line of the head</thead>'
  const style = 'td, th { padding: 1px 6px; font: 11px sans-serif; text-align: left }'

  const documents = {
    collapsed: `<style>${style} table { border-collapse: collapse; width: 100% }
    td, th { border: 1px solid #999 } tbody tr:nth-child(even) { background: #eef }</style>
    <h1>Title</h1><table id=a>${head}<tbody>${rowsOf(cells)}</table><p>The end.`,
    counted: `<style>${style} table { counter-reset: row; border-collapse: collapse }
    tr { counter-increment: row } td:last-child::after { content: " #" counter(row) } td { border: 1px solid }</style><table>${head}
    <tbody>${rowsOf((i) => (i % 3 === 0 ? `<td rowspan=3>${i}` : '') + cells(i).replace(/^<td>\d+/, ''))}</table>`,
  }
  return { rowsOf, cells, head, style, documents }
}

/** Forces a document to be printed in parts: the link into itself rules out slices. */
const inParts = (html: string) => `${html}<a hidden href="#x"></a>`
export const whole = (html: string) =>
  inParts(html.replace(/<tr (?=[^<]*>(?:(?!<tr ).)*$)/s, '<tr style="break-before: avoid" '))

/** A test for each document: in slices and in parts it looks as it does when it is printed as a whole. */
export function looksWhole(t: Test, printer: TestPrinter, documents: Readonly<Record<string, string>>): void {
  for (const [name, html] of Object.entries(documents)) {
    t.test(name, async (t) => {
      t.not(whole(html), html)
      const one = await textsOf(printer, whole(html))
      for (const split of [await textsOf(printer, html), await textsOf(printer, inParts(html))]) {
        t.equal(split.pages, one.pages)
        t.same(split.warnings, [])
        const differing = one.texts.flatMap((text, index) => (text === split.texts[index] ? [] : [index + 1]))
        t.same(differing, [], 'the pages have the same texts')
        if (differing[0]) t.equal(split.texts[differing[0] - 1], one.texts[differing[0] - 1])
      }
    })
  }
}

async function textsOf(printer: TestPrinter, html: string) {
  const { pdf, pages, warnings } = await printer.printHtml(html)
  const texts = (await readPdf(pdf)).map(({ text, fills, runs }) => {
    const left = Math.round(Math.min(...runs.map(({ leftMm }) => leftMm)))
    return [text.replace(/\s+/g, ' ').trim(), ...[...new Set(fills)].sort(), left].join(' ')
  })
  return { pages, warnings, texts }
}
