import { checkMarginSource } from '@platen/templating/html/margin-urls.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import t from 'tap'
import { readPdf } from '../../../../test/support/read-pdf.ts'

const printer = await openTestPrinter()
t.teardown(() => printer[Symbol.asyncDispose]())

const sheets = (count: number) =>
  Array.from({ length: count }, (_, index) => `<p style="break-before: page">body ${index + 1}</p>`).join('')
const on = (pages: string, text: string) => `<div data-platen-pages="${pages}">${text}</div>`

t.test('elements of headers and footers are printed on the pages that they are for', async (t) => {
  const picture = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>',
  )
  const headerHtml = [
    on('first', `LETTERHEAD <img src="data:image/svg+xml;base64,${picture.toString('base64')}">`),
    on('not first, last', '<b>CONTINUED</b> <span class=pageNumber></span>/<span class=totalPages></span>'),
    on(' 2 - 3 , 5- ', '<i>RANGE</i>'),
    '<style>b { color: #ff0000 }</style>ALWAYS',
  ].join('')
  const footerHtml = [on('Last', 'END'), on('odd', 'ODD'), on('even', 'EVEN')].join('')
  const { pdf, engine, warnings } = await printer.printHtml(sheets(5), {}, { headerHtml, footerHtml })
  t.strictSame(warnings, [])
  t.equal(engine.mode, 'static', 'the document needs no page for scripts')
  t.strictSame(
    (await readPdf(pdf)).map(({ text }) => text),
    [
      'body 1 LETTERHEAD ALWAYS ODD',
      'body 2 CONTINUED 2/5 RANGE ALWAYS EVEN',
      'body 3 CONTINUED 3/5 RANGE ALWAYS ODD',
      'body 4 CONTINUED 4/5 ALWAYS EVEN',
      'body 5 RANGE ALWAYS END ODD',
    ],
  )
  t.ok((await readPdf(pdf))[1]?.fills.includes('#ff0000'))
  const one = await printer.printHtml('body', {}, { headerHtml, footerHtml })
  t.equal((await readPdf(one.pdf))[0]?.text, 'body LETTERHEAD ALWAYS END ODD', 'one page is the first and the last')
})

t.test('pages are those of the whole document, with scripts and without them', async (t) => {
  const headerHtml = on('first', 'FIRST') + on('2', 'SECOND') + on('last', 'LAST')
  for (const javascript of ['auto', 'on', 'off'] as const) {
    const { pdf } = await printer.printHtml(sheets(3), { javascript, page_ranges: '2-3' }, { headerHtml })
    t.strictSame(
      (await readPdf(pdf)).map(({ text }) => text),
      ['body 2 SECOND', 'body 3 LAST'],
      javascript,
    )
  }
})

t.test('tags and bookmarks of the document stay', async (t) => {
  const html = '<html lang=en><title>x</title><h1>One</h1><h2 style="break-before: page">Two</h2>'
  const options = { tagged: true, outline: true }
  const { pdf } = await printer.printHtml(html, options, { headerHtml: on('first', 'FIRST') })
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: VerbosityLevel.ERRORS })
  const document = await task.promise
  t.match(await document.getOutline(), [{ title: 'One', items: [{ title: 'Two' }] }])
  const tree = JSON.stringify(await (await document.getPage(2)).getStructTree())
  t.match(tree, /"role":"H2"/)
  await task.destroy()
})

t.test('a choice of pages that cannot be read is refused when saved, and else a warning', async (t) => {
  const headerHtml = on('frist', 'HEAD')
  const message =
    'header_html: data-platen-pages="frist" must be such as "first", "last", "odd", "2-4, 7-" or "not first"'
  const { pdf, warnings } = await printer.printHtml(sheets(2), {}, { headerHtml })
  t.strictSame(warnings, [{ code: 'PAGE_NUMBERS', message }])
  t.strictSame(
    (await readPdf(pdf)).map(({ text }) => text),
    ['body 1 HEAD', 'body 2 HEAD'],
  )
  await t.rejects(printer.printHtml('x', { fail_on: ['PAGE_NUMBERS'] }, { headerHtml }), { code: 'RENDER_FAILED' })
  const save = (html: string) => checkMarginSource(html, 'footer_html', () => false)
  t.throws(() => save(`<p>\n${on('2-', 'x')}${on('0', 'y')}`), {
    code: 'TEMPLATE_RENDER_ERROR',
    message: /footer_html, line 2.*/,
  })
  for (const value of ['first', 'not last', '1', '2-', '3-4,9', '{{pages}}', 'EVEN', 'first,last']) save(on(value, 'x'))
  for (const value of ['', 'first last', 'not', '2--3', '-2', '01', '1,', '1'.repeat(300)])
    t.throws(() => save(on(value, 'x')), value)
})

t.test('the room that a header needs is that of the page with the tallest one', async (t) => {
  const tall = (pages: string, mm: number) =>
    `<svg data-platen-pages="${pages}" style="display: block" height="${mm}mm"></svg>`
  const fine = tall('first', 12) + tall('not first', 12) + tall('last', 2)
  t.strictSame((await printer.printHtml('x', {}, { headerHtml: fine })).warnings, [])
  for (const pages of ['first', 'last', '7', 'even', '300-']) {
    const { warnings } = await printer.printHtml('x', {}, { headerHtml: tall(pages, 30) + tall('5', 5) })
    t.match(warnings, [{ code: 'MARGIN_OVERFLOW', message: /needs options.margin.top of 36 mm/ }], pages)
  }
})
