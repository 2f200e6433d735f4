import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { PdfToolbox } from '../tools/pdf-toolbox.ts'
import { comparePages, drawPage } from './page-images.ts'

const printer = await openTestPrinter({ egress: 'none' })
t.teardown(() => printer[Symbol.asyncDispose]())

/** PDFium takes half a minute for it at the largest size. */
const slowHtml = `<svg width=900 height=900>${'<g opacity=.9><rect width=900 height=900 fill=red /><circle r=400 /></g>'.repeat(2_000)}</svg>`
const { pdf: slowPdf } = await printer.printHtml(slowHtml)
const { pdf } = await printer.printHtml('<p>x')

const slow = { pdf: slowPdf, page: 1, width: 4_000 }
const quick = { pdf, page: 1, width: 100 }
const never = { caller: { owner: 'own_1', key: 'key_1' }, signal: new AbortController().signal }
const bounds = { timeoutMs: 60_000, memoryMb: 512, maxPages: 100, maxBytes: 1e7 }
const isPng = (bytes: Uint8Array) => Buffer.from(bytes).subarray(1, 4).toString() === 'PNG'

t.test('a page that takes long to draw does not delay others', async (t) => {
  await using tools = new PdfToolbox(bounds, { processes: 2 })
  const stop = new AbortController()
  const drawing = drawPage(tools, slow, { ...never, signal: stop.signal }).then(
    () => 'drawn',
    () => 'stopped',
  )
  t.ok(isPng(await drawPage(tools, quick, never)))
  stop.abort()
  t.equal(await drawing, 'stopped')
})

t.test('a page that nobody waits for any more is not drawn to its end', async (t) => {
  await using tools = new PdfToolbox(bounds)
  const stop = new AbortController()
  const drawing = t.rejects(drawPage(tools, slow, { ...never, signal: stop.signal }))
  const next = drawPage(tools, quick, never)
  stop.abort()
  await drawing
  t.ok(isPng(await next))
})

t.test('a page of more layers than there is memory for is refused, and this process does not grow', async (t) => {
  const layers = 80
  const nested = `<svg width=700 height=900>${'<g opacity=.9><rect width=700 height=900 fill=red />'.repeat(layers)}${'</g>'.repeat(layers)}</svg>`
  const { pdf: layered } = await printer.printHtml(nested)
  await using tools = new PdfToolbox(bounds)
  const before = process.memoryUsage.rss()
  const refused = { code: 'PDF_TOO_COMPLEX', details: { reason: 'out-of-memory' } }
  await t.rejects(drawPage(tools, { pdf: layered, page: 1, width: 4_000 }, never), refused)
  const usedMiB = Math.round((process.memoryUsage.rss() - before) / 2 ** 20)
  t.ok(usedMiB < 200, `${usedMiB} MiB`)
  t.ok(isPng(await drawPage(tools, quick, never)))
})

t.test('a PDF that needs a password is not compared, and is named', async (t) => {
  await using tools = new PdfToolbox(bounds)
  const task = {
    sources: [{ bytes: pdf }],
    files: {},
    operation: { operation: 'steps' } as const,
    steps: { protect: { user_password: 'secret' } },
  }
  const [locked] = (await tools.run(task, { ...never, timeoutMs: undefined })).files
  if (!locked) return t.fail('there is no locked PDF')
  const compared = { images: false, ignored: [] }
  const refusal = (side: string) => ({
    code: 'CONFLICT',
    message: new RegExp(`^The PDF of .${side}. needs a password`),
  })
  await t.rejects(comparePages(tools, { from: locked.bytes, to: pdf, ...compared }, never), refusal('from'))
  await t.rejects(comparePages(tools, { from: pdf, to: locked.bytes, ...compared }, never), refusal('to'))
  t.ok(isPng(await drawPage(tools, quick, never)))
})

t.test('a PDF that cannot be read is an error of the document, and the next ones are drawn', async (t) => {
  await using tools = new PdfToolbox(bounds)
  const broken = Buffer.from('%PDF-1.7 and no more')
  const failure = { code: 'PDF_TOOL_ERROR', details: { reason: 'unreadable' } }
  await t.rejects(drawPage(tools, { pdf: broken, page: 1, width: 100 }, never), failure)
  await t.rejects(comparePages(tools, { from: pdf, to: broken, images: false, ignored: [] }, never), failure)
  t.ok(isPng(await drawPage(tools, quick, never)))
  const compared = await comparePages(tools, { from: pdf, to: pdf, images: true, ignored: [] }, never)
  t.match(JSON.parse(Buffer.from(compared).toString()), [{ status: 'same' }])
})
