import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { PdfToolbox } from '../tools/pdf-toolbox.ts'
import { PageImages } from './page-images.ts'

const printer = await openTestPrinter({ egress: 'none' })
t.teardown(() => printer[Symbol.asyncDispose]())

/** PDFium takes half a minute for it at the largest size. */
const slowHtml = `<svg width=900 height=900>${'<g opacity=.9><rect width=900 height=900 fill=red /><circle r=400 /></g>'.repeat(2_000)}</svg>`
const { pdf: slowPdf } = await printer.printHtml(slowHtml)
const { pdf } = await printer.printHtml('<p>x')

const slow = { pdf: slowPdf, page: 1, width: 4_000 }
const quick = { pdf, page: 1, width: 100 }
const never = new AbortController().signal
const isPng = (bytes: Uint8Array) => Buffer.from(bytes).subarray(1, 4).toString() === 'PNG'

t.test('a page that takes long to draw does not delay others', async (t) => {
  await using images = new PageImages(2)
  const stop = new AbortController()
  const drawing = images.draw(slow, stop.signal).then(
    () => 'drawn',
    () => 'stopped',
  )
  t.ok(isPng(await images.draw(quick, never)))
  stop.abort()
  t.equal(await drawing, 'stopped')
})

t.test('a page that nobody waits for any more is not drawn to its end', async (t) => {
  await using images = new PageImages(1)
  const stop = new AbortController()
  const drawing = t.rejects(images.draw(slow, stop.signal))
  const next = images.draw(quick, never)
  stop.abort()
  await drawing
  t.ok(isPng(await next))
})

t.test('a page of many transparent layers takes no more memory than PDFium may have', async (t) => {
  const layers = 80
  const nested = `<svg width=700 height=900>${'<g opacity=.9><rect width=700 height=900 fill=red />'.repeat(layers)}${'</g>'.repeat(layers)}</svg>`
  const { pdf: layered } = await printer.printHtml(nested)
  await using images = new PageImages(1)
  const before = process.memoryUsage.rss()
  // PDFium leaves out the layers for which it gets no memory, or fails.
  await images.draw({ pdf: layered, page: 1, width: 4_000 }, never).catch(() => {})
  const usedMiB = Math.round((process.memoryUsage.rss() - before) / 2 ** 20)
  t.ok(usedMiB < 1_500, `${usedMiB} MiB`)
  t.ok(isPng(await images.draw(quick, never)))
})

t.test('a PDF that needs a password is not compared, and is named', async (t) => {
  await using images = new PageImages(1)
  await using tools = new PdfToolbox({ timeoutMs: 20_000, memoryMb: 512, maxPages: 100, maxBytes: 1_000_000 })
  const task = {
    sources: [{ bytes: pdf }],
    files: {},
    operation: { operation: 'steps' } as const,
    steps: { protect: { user_password: 'secret' } },
  }
  const run = { signal: never, caller: { owner: 'own_1', key: 'key_1' }, timeoutMs: undefined }
  const [locked] = (await tools.run(task, run)).files
  if (!locked) return t.fail('there is no locked PDF')
  const compared = { images: false, ignored: [] }
  const refusal = (side: string) => ({
    code: 'CONFLICT',
    message: new RegExp(`^The PDF of .${side}. needs a password`),
  })
  await t.rejects(images.compare({ from: locked.bytes, to: pdf, ...compared }, never), refusal('from'))
  await t.rejects(images.compare({ from: pdf, to: locked.bytes, ...compared }, never), refusal('to'))
  t.ok(isPng(await images.draw(quick, never)))
})

t.test('pages that PDFium fails at are an error of the document, and the next ones are drawn', async (t) => {
  await using images = new PageImages(1)
  const broken = Buffer.from('%PDF-1.7 and no more')
  const failure = { code: 'RENDER_LIMIT_EXCEEDED', message: /need more memory than there is/ }
  for (let time = 0; time < 2; time++) {
    await t.rejects(images.draw({ pdf: broken, page: 1, width: 100 }, never), failure)
    await t.rejects(images.compare({ from: pdf, to: broken, images: false, ignored: [] }, never), failure)
    t.ok(isPng(await images.draw(quick, never)))
    const compared = await images.compare({ from: pdf, to: pdf, images: true, ignored: [] }, never)
    t.match(JSON.parse(Buffer.from(compared).toString()), [{ status: 'same' }])
  }
})
