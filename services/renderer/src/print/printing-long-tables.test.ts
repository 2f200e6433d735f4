import { longTables, looksWhole, whole } from '@platen/test-support/renderer/long-tables.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { readPdf } from '../../../../test/support/read-pdf.ts'

// A long table is printed in slices, or in parts, which look like one. Here tables of some hundred rows are long. The real sizes, and
// widths that rows of later slices decide, are in printing-long-tables.large.test.ts.

const limits = { pages: 1_000, pdfBytes: 50e6, resources: 100, resourceBytes: 1e6, resourceTimeoutMs: 20_000 }
const tableSizes = { mostRows: 300, rowsOfSlice: 200, rowsOfPart: 120 }
const printer = await openTestPrinter({ deadlineMs: 120_000, limits, tableSizes })
t.teardown(() => printer[Symbol.asyncDispose]())

const { rowsOf, cells, head, style, documents: common } = longTables(410)

const documents: Record<string, string> = {
  'borders that collapse, a head of two lines, stripes': common.collapsed,
  'separate borders, and a border of the table': `<style>${style} table { border-spacing: 2px; border: 3px solid red; padding: 4px;
    margin: 20px auto } td { border: 1px solid green }</style><p>before</p><div><table>${head}<tbody>${rowsOf(cells)}</table></div>after`,
  'no head, and a line between groups': `<style>${style} tr:last-child td { border-bottom: 2px solid } tr:first-child td { color: red }</style>
    <table>${'<tbody>'}${rowsOf(cells).replace(/(<tr >.*\n){150}/, '$&</tbody><tbody>')}</table>`,
  'numbers of rows by counters, and cells over several rows': common.counted,
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

looksWhole(t, printer, documents)

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
