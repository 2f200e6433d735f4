import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { readPdf } from '../../../../test/support/read-pdf.ts'

// A long table is printed in slices, or in parts, which look like one. Here tables of some hundred rows are long. The real sizes, and
// widths that rows of later slices decide, are in printing-long-tables.large.test.ts.

const limits = { pages: 1_000, pdfBytes: 50e6, resources: 100, resourceBytes: 1e6, resourceTimeoutMs: 20_000 }
const tableSizes = { mostRows: 300, rowsOfSlice: 200, rowsOfPart: 120 }
const printer = await openTestPrinter({ deadlineMs: 120_000, limits, tableSizes })
t.teardown(() => printer[Symbol.asyncDispose]())

const count = 410
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
  'separate borders, and a border of the table': `<style>${style} table { border-spacing: 2px; border: 3px solid red; padding: 4px;
    margin: 20px auto } td { border: 1px solid green }</style><p>before</p><div><table>${head}<tbody>${rowsOf(cells)}</table></div>after`,
  'no head, and a line between groups': `<style>${style} tr:last-child td { border-bottom: 2px solid } tr:first-child td { color: red }</style>
    <table>${'<tbody>'}${rowsOf(cells).replace(/(<tr >.*\n){150}/, '$&</tbody><tbody>')}</table>`,
  'numbers of rows by counters, and cells over several rows': `<style>${style} table { counter-reset: row; border-collapse: collapse }
    tr { counter-increment: row } td:last-child::after { content: " #" counter(row) } td { border: 1px solid }</style><table>${head}
    <tbody>${rowsOf((i) => (i % 3 === 0 ? `<td rowspan=3>${i}` : '') + cells(i).replace(/^<td>\d+/, ''))}</table>`,
  'parts that begin at the top of a page': `<!doctype html><style>@page { size: 100mm 1020px; margin: 0 } body { margin: 0 }
    table { border-spacing: 0 } td, th { padding: 0; height: 20px; font: 11px/20px sans-serif }</style>
    <table><thead><tr><th>No<th>Text</thead><tbody>${rowsOf((i) => `<td>${i}<td>text ${i}`)}</table>`,
  'rules for a table in its place': `<style>${style} body > table > tbody > tr > td { padding: 3px 6px } table + p { margin: 0 }</style>
    <table>${head}<tbody>${rowsOf(cells)}</table><p>The end.`,
  'later rows with more cells': `<style>${style} td { border: 1px solid }</style>
    <table><tbody>${rowsOf((i) => cells(i) + (i > 300 ? '<td>a fifth cell of this row' : ''))}</table>`,
  'groups on pages of their own': `<style>${style} tbody { break-after: page }</style>
    <table>${head}<tbody>${rowsOf(cells).replace(/(<tr >.*\n){137}/g, '$&</tbody><tbody>')}</table>`,
  'a height, and a zoom': `<style>${style} table { height: 12000px; zoom: 0.8 }</style><table>${head}<tbody>${rowsOf(cells)}</table>`,
  'hidden rows, and a margin below': `<style>${style} tr.h { display: none } table { margin-bottom: 60px }</style>
    <table>${head}<tbody>${rowsOf(cells, (i) => (i % 3 === 0 ? 'class=h' : ''))}</table><p>The end.`,
  'breaks of the table, and a page of its own': `<style>${style} @page wide { size: A5 landscape }
    table { page: wide; break-inside: avoid; break-before: page; break-after: page }</style><p>before</p><table>${head}<tbody>${rowsOf(cells)}</table>after`,
  'a number of the table': `<style>${style} table { counter-increment: table } caption::before { content: "Table " counter(table) }</style>
    <table><caption></caption>${head}<tbody>${rowsOf(cells)}</table><table><caption></caption><tr><td>another</table>`,
  'columns with backgrounds': `<style>${style}</style><table><colgroup><col><col style="background: #f88"></colgroup>${head}<tbody>${rowsOf(cells)}</table>`,
  'stripes of groups': `<style>${style} tbody:nth-child(odd) { background: #cdc }</style>
    <table>${'<tbody>'}${rowsOf(cells).replace(/(<tr >.*\n){25}/g, '$&</tbody><tbody>')}</table>`,
  'rules that look into rows': `<style>${style} table:has(.x) td { color: red }</style>
    <table>${head}<tbody>${rowsOf((i) => cells(i) + (i === 400 ? '<td class=x>' : '<td>'))}</table>`,
  'a table beside a float': `<style>${style}</style><div style="float: left; width: 150px; height: 6000px"></div><table>${head}
    <tbody>${rowsOf(cells)}</table>`,
  'an element on a later page': `<style>${style}</style><div style="position: absolute; top: 5000px; right: 0">deep</div><table>${head}
    <tbody>${rowsOf(cells)}</table>`,
  'an element at the end of the body': `<style>${style} body { position: relative }</style>
    <div style="position: absolute; bottom: 0; right: 0">bottom</div><table>${head}<tbody>${rowsOf(cells)}</table>`,
  'a row with an element on the first page': `<style>${style}</style><table>${head}
    <tbody>${rowsOf((i) => cells(i) + (i === 300 ? '<b style="position: absolute; top: 0">first</b>' : ''))}</table>`,
  'a row with an element on each page': `<style>${style} b { position: fixed; top: 0 }</style><table>${head}
    <tbody>${rowsOf((i) => cells(i) + (i === 300 ? '<b>each</b>' : ''))}</table>`,
  'a least height of what the table is in': `<style>${style}</style><div style="min-height: 6000px"><table>${head}<tbody>${rowsOf(cells)}</table></div>after`,
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

t.test('headers, page ranges, and an element that is on each page', async (t) => {
  const html = `<style>${style} @page { size: A5 landscape } .mark { position: fixed; top: 40% }</style><title>Stock</title><div class=mark>draft</div><table>${head}<tbody>${rowsOf(cells)}</table>`
  const margins = {
    headerHtml:
      '<b>page <span class=pageNumber></span> of <span class=totalPages></span>, <span class=title></span></b>',
    footerHtml: '<i data-platen-pages="last">the end</i>',
  }
  for (const ranges of [{}, { page_ranges: '2-3, 5-' }]) {
    const options = { margin: { top: 20, bottom: 20 }, ...ranges }
    const one = await printer.printHtml(whole(html), options, margins)
    const sliced = await printer.printHtml(html, options, margins)
    t.ok(Buffer.from(sliced.pdf).includes('/PlatenBehind'), 'it was printed in slices')
    t.notOk(Buffer.from(one.pdf).includes('/PlatenBehind'))
    t.equal(sliced.pages, one.pages)
    const boxes = Buffer.from(sliced.pdf)
      .toString('latin1')
      .matchAll(/\/(?:MediaBox|BBox) (\[[^\]]*\])/g)
    t.equal(new Set(Array.from(boxes, ([, box]) => box)).size, 1, 'headers are on the same paper')
    const words = async (pdf: Uint8Array) =>
      (await readPdf(pdf)).map(({ text }) => text.split(/\s+/).sort().join(' ').trim())
    t.same(await words(sliced.pdf), await words(one.pdf))
  }
  await t.rejects(printer.printHtml(html, { page_ranges: '1, 900' }), {
    code: 'RENDER_FAILED',
    message: /has \d+ pages/,
  })
})

t.test('rare characters of all rows are looked for', async (t) => {
  const rare = (index: number) => `<td>${index === 400 ? '\u{10380}' : index}`
  const { warnings } = await printer.printHtml(`<table>${rowsOf(rare)}</table>`)
  const one = await printer.printHtml(whole(`<table>${rowsOf(rare)}</table>`))
  t.same(warnings, one.warnings)
})
