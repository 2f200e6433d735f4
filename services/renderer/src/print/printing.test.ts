import { type PaperFormat, paperSizeMm, paperSizesMm } from '@platen/domain/document/pdf-options.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { readPdf } from '../../../../test/support/read-pdf.ts'

const printer = await openTestPrinter()
t.teardown(() => printer[Symbol.asyncDispose]())

const sheets = (count: number) =>
  Array.from({ length: count }, (_, i) => `<p style="break-after:page;margin:0">sheet ${i + 1}</p>`)
    .join('')
    .replace(/break-after:page;(?=[^;]*$)/, '')

t.test('every paper format is printed in portrait and landscape', async (t) => {
  for (const format of Object.keys(paperSizesMm) as PaperFormat[]) {
    for (const landscape of [false, true]) {
      const { pdf, pages } = await printer.printHtml('<h1>Hello</h1>', { format, landscape })
      const { width, height } = paperSizeMm({ format, landscape })
      t.equal(pages, 1)
      t.match(await readPdf(pdf), [{ text: 'Hello', widthMm: Math.round(width), heightMm: Math.round(height) }])
    }
  }
})

t.test('margins and scale are applied; margins without space between them fail', async (t) => {
  const html = '<style>body{margin:0;font:40px/1 monospace}</style>Edge'
  const wide = await readPdf((await printer.printHtml(html, { margin: { left: 40, top: 50 } })).pdf)
  t.equal(Math.round(wide[0]?.runs[0]?.leftMm ?? 0), 40)
  t.ok((wide[0]?.runs[0]?.baselineMm ?? 0) > 50)
  const none = await readPdf((await printer.printHtml(html, { margin: { left: 0, top: 0 }, scale: 0.5 })).pdf)
  t.equal(Math.round(none[0]?.runs[0]?.leftMm ?? 9), 0)
  t.equal(Math.round(none[0]?.runs[0]?.sizePt ?? 0), Math.round((wide[0]?.runs[0]?.sizePt ?? 0) / 2))
  await t.rejects(printer.printHtml(html, { margin: { top: 200, bottom: 200 } }), { code: 'RENDER_FAILED' })
})

t.test('print_background: false omits the background', async (t) => {
  const html = '<style>body{background:#ff0000}</style>red'
  t.has((await readPdf((await printer.printHtml(html)).pdf))[0]?.fills, ['#ff0000'])
  const plain = await readPdf((await printer.printHtml(html, { print_background: false })).pdf)
  t.notOk(plain[0]?.fills.includes('#ff0000'))
})

t.test('headers and footers are readable, aligned with the text, and absent by default', async (t) => {
  const footerHtml = '<span class="pageNumber"></span> of <span class="totalPages"></span>'
  const options = { margin: { left: 30 } }
  const both = await printer.printHtml(sheets(2), options, { headerHtml: '<b>Letterhead</b>', footerHtml })
  const [first, second] = await readPdf(both.pdf)
  t.equal(first?.text, 'sheet 1 Letterhead 1 of 2')
  t.equal(second?.text, 'sheet 2 Letterhead 2 of 2')
  const letterhead = first?.runs.find(({ text }) => text === 'Letterhead')
  t.equal(Math.round(letterhead?.leftMm ?? 0), 30)
  t.ok((letterhead?.sizePt ?? 0) > 6, `${letterhead?.sizePt} points`)
  const inset = await printer.printHtml('body', options, { headerHtml: '<p style="padding-left:50mm">mine</p>' })
  t.equal(Math.round((await readPdf(inset.pdf))[0]?.runs.find(({ text }) => text === 'mine')?.leftMm ?? 0), 50)
  const footed = await printer.printHtml('body', {}, { footerHtml: 'foot' })
  t.equal((await readPdf(footed.pdf))[0]?.text, 'body foot', 'no date, no title')
})

t.test('a header that Chromium cannot print is refused with the reason', async (t) => {
  const headerHtml = '<style>@import url(https://example.com/x.css)</style>head'
  const refused = { code: 'RENDER_FAILED', message: /@import/ }
  await t.rejects(printer.printHtml('body', {}, { headerHtml }), refused)
})

t.test('page_ranges selects pages; ranges beyond the last page fail', async (t) => {
  const html = sheets(4)
  const some = await printer.printHtml(html, { page_ranges: '1, 3-' })
  t.equal(some.pages, 3)
  t.strictSame(
    (await readPdf(some.pdf)).map(({ text }) => text),
    ['sheet 1', 'sheet 3', 'sheet 4'],
  )
  t.equal((await printer.printHtml(html, { page_ranges: '2-9' })).pages, 3, 'up to the last page')
  for (const page_ranges of ['5-8', '1, 6', '7-']) {
    const message = `The document has 4 pages, page_ranges asks for ${page_ranges}`
    await t.rejects(printer.printHtml(html, { page_ranges }), { code: 'RENDER_FAILED', message })
  }
})

t.test('the output of scripts is printed', async (t) => {
  const html = `<canvas id=c width=50 height=50></canvas><div id=now></div><div id=load></div><div id=frame></div>
    <script>
      now.textContent = 'at once'
      addEventListener('load', () => { load.textContent = 'on load' })
      requestAnimationFrame(() => { frame.textContent = 'in a frame' })
      const ink = c.getContext('2d'); ink.fillStyle = 'red'; ink.fillRect(0, 0, 50, 50)
    </script>`
  const [page] = await readPdf((await printer.printHtml(html)).pdf)
  t.equal(page?.text, 'at once on load in a frame')
  t.equal(page?.images, 1)
})

t.test('dialogs, popups and rewritten documents do not block the print', async (t) => {
  const html = `<p>one</p><script>
    alert(1); confirm(2); prompt(3); open('about:blank')
    onload = () => { document.open(); document.write('<p>two</p>'); document.close() }
    onbeforeunload = () => 'stay'
  </script>`
  t.match(await readPdf((await printer.printHtml(html)).pdf), [{ text: 'two' }])
})

t.test('a document cannot close its window, by no function of a frame either', async (t) => {
  const html = `<p>open</p><script>
    close()
    const add = (frame) => document.body.append(Object.assign(document.createElement('iframe'), frame))
    add({})
    add({ sandbox: 'allow-same-origin' })
    for (const frame of [...frames]) frame.close.call(window)
    add({ srcdoc: '<script>top.close(); close.call(top)</scr' + 'ipt>' })
  </script>`
  t.match(await readPdf((await printer.printHtml(html)).pdf), [{ text: 'open' }])
})

t.test('more pages or bytes than allowed are RENDER_LIMIT_EXCEEDED', async (t) => {
  const limits = { pages: 3, pdfBytes: 60_000, resources: 1, resourceBytes: 1, resourceTimeoutMs: 500 }
  await using strict = await openTestPrinter({ limits })
  t.equal((await strict.printHtml(sheets(3))).pages, 3)
  await t.rejects(strict.printHtml(sheets(4)), { code: 'RENDER_LIMIT_EXCEEDED', message: /4 pages, at most 3/ })
  const noise = `<canvas id=c width=400 height=400></canvas><script>
    const ink = c.getContext('2d'), image = ink.createImageData(400, 400)
    for (let i = 0; i < 640000; i++) image.data[i] = Math.random() * 256
    ink.putImageData(image, 0, 0)</script>`
  await t.rejects(strict.printHtml(noise), { code: 'RENDER_LIMIT_EXCEEDED', message: /60000 bytes/ })
})

t.test('a document leaves no state for the next one', async (t) => {
  await printer.printHtml(`<script>
    name = 'left'; window.left = 1; try { localStorage.left = 1 } catch {}
    setInterval(() => { document.body.textContent = 'left' }, 1)</script>`)
  const probe = `<p id=p></p><script>p.textContent = name + '|' + typeof window.left + '|' + history.length</script>`
  const [page] = await readPdf((await printer.printHtml(probe)).pdf)
  t.equal(page?.text, '|undefined|1')
})
