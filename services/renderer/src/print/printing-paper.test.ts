import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'

const printer = await openTestPrinter()
t.teardown(() => printer[Symbol.asyncDispose]())

async function paper(html: string, options: PdfOptions = {}): Promise<string> {
  const { pdf } = await printer.printHtml(html, options)
  const boxes = Buffer.from(pdf)
    .toString('latin1')
    .matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)
  const mm = (points = '') => Math.round((Number(points) * 25.4) / 72)
  return [...boxes].map(([, width, height]) => `${mm(width)} x ${mm(height)}`).join(', ')
}
const modes: PdfOptions[] = [{ javascript: 'off' }, { javascript: 'on' }]

t.test('@page chooses the paper in both modes', async (t) => {
  for (const mode of modes) {
    t.equal(await paper('<style>@page { size: A5 landscape }</style>x', mode), '210 x 148')
    t.equal(await paper('<style>@page { size: 105pt 38pt }</style>x', mode), '37 x 13', 'smaller than the margins')
    const mixed = '<style>@page { size: A5 } @page wide { size: A4 landscape } h1 { page: wide }</style><p>a<h1>b</h1>'
    t.equal(await paper(mixed, mode), '148 x 210, 297 x 210')
    const preferred = { ...mode, prefer_css_page_size: false }
    t.equal(await paper('<style>@page { size: A5 }</style>x', preferred), '210 x 297')
    t.equal(await paper('x', { ...mode, width: '100mm', height: '150mm' }), '100 x 150')
  }
})

t.test('single_page prints one page with the height of the document', async (t) => {
  const html = '<body style="margin:0"><div style="height: 2000px">a</div><p style="break-before: page; margin:0">end'
  for (const mode of modes) {
    const [width, height = 0] = (await paper(html, { ...mode, single_page: true })).split(' x ').map(Number)
    t.equal(width, 210)
    t.ok(height > 569 && height < 585, `${height} mm: 2,000 px, a line and the margins`)
  }
  const tall = printer.printHtml('<div style="height: 30000px">', { single_page: true })
  await t.rejects(tall, { code: 'RENDER_FAILED', message: /single_page.*5080 mm/ })
})

t.test('media chooses the style sheets of one document', async (t) => {
  const html = '<style>@media screen { @page { size: A5 } }</style>x'
  for (const mode of modes) {
    t.equal(await paper(html, { ...mode, media: 'screen' }), '148 x 210')
    t.equal(await paper(html, mode), '210 x 297')
  }
})
