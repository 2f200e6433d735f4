import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import { Warning } from '@platen/foundation/errors/warning.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { Compile } from 'typebox/compile'
import { readPdf } from '../../../../test/support/read-pdf.ts'

// Very many dialogs are counted one by one.
t.setTimeout(1_800_000)

const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const webFont = await readFile(join(pdfjs, 'standard_fonts/LiberationSans-BoldItalic.ttf'), 'base64')
const fontFace = `@font-face{font-family:Web;src:url(data:font/ttf;base64,${webFont})}`
const limits = { pages: 100, pdfBytes: 5e6, resources: 20, resourceBytes: 1e5, resourceTimeoutMs: 4_000 }
const unrestricted = await openTestPrinter({ egress: 'any', limits })
const publicOnly = await openTestPrinter({ egress: 'public', limits })
const offline = await openTestPrinter({ egress: 'none', limits })

let requests = 0
const server = createServer((request, response) => {
  const path = request.url ?? ''
  if (path === '/once-large') return requests++ === 0 ? response.end(Buffer.alloc(2e5)) : response.writeHead(404).end()
  if (path.startsWith('/never')) return
  if (path === '/large') return response.end(Buffer.alloc(2e5))
  if (path === '/page') return response.setHeader('content-type', 'text/html').end('<p>no image')
  response.statusCode = Number(path.slice(1)) || 404
  response.end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const at = `http://127.0.0.1:${port}`
t.teardown(async () => {
  server.closeAllConnections()
  server.close()
  await Promise.all([unrestricted, publicOnly, offline].map((printer) => printer[Symbol.asyncDispose]()))
})

const warningSchema = Compile(Warning)
const warningsOf = async (printer: typeof unrestricted, html: string, options?: PdfOptions) => {
  const { warnings } = await printer.printHtml(html, options)
  t.ok(warnings.every((warning) => warningSchema.Check(warning)))
  return warnings.map(({ code, message }) => `${code} ${message}`).sort()
}
const failed = (...messages: string[]) => messages.map((message) => `RESOURCE_FAILED ${message}`).sort()
const bothModes: PdfOptions[] = [{ javascript: 'off' }, { javascript: 'on' }]

t.test('a document without errors has no warnings', async (t) => {
  const html = `<style>${fontFace} p{font-family:Web}</style><p>Größe & <b>€</b></p><img src=data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E>`
  for (const options of bothModes) t.strictSame(await warningsOf(unrestricted, html, options), [])
})

t.test('a resource that does not load is reported with the reason', async (t) => {
  const html = `<link rel=stylesheet href=${at}/style><style>@font-face{font-family:F;src:url(${at}/font)} p{font-family:F}
    h1{background:url(${at}/background)}</style><p>x</p><h1>y</h1>
    <img src=${at}/500><img src=${at}/never#there><img src=${at}/large><img src=${at}/page><img src=${at}/500>
    <img src=data:image/png;base64,${'A'.repeat(3_000)}><img src="http://a b/"><img src=/relative><img src=file:///etc/passwd>
    <img src=http://me:secret@nowhere.invalid/private><img src=http://nowhere.invalid/><img src=https://127.0.0.1:${port}/>`
  for (const options of bothModes) {
    const warnings = await warningsOf(unrestricted, html, options)
    t.match(
      warnings.find((warning) => warning.includes('data:')),
      /^RESOURCE_FAILED data:image\/png;base64,A{20,30}…: /,
    )
    t.strictSame(
      warnings.filter((warning) => !warning.includes('data:')),
      failed(
        `${at}/style: not found (404)`,
        `${at}/font: its server does not let documents use it (CORS)`,
        `${at}/background: not found (404)`,
        `${at}/500: its server answered with 500`,
        `${at}/never#there: timed out`,
        `${at}/large: refused by the egress policy: more than 100000 bytes`,
        `${at}/page: not an image that can be read`,
        'http://a%20b/: not a URL that can be loaded',
        'relative: a relative URL: set options.base_url or <base href>',
        'file:///etc/passwd: refused: documents cannot read local files',
        'http://nowhere.invalid/private: refused by the egress policy: credentials in an address',
        'http://nowhere.invalid/: its host cannot be found',
        `https://127.0.0.1:${port}/: its server has no valid certificate`,
      ),
      JSON.stringify(options),
    )
  }
})

t.test('an image whose URL is a space is reported, one whose URL is empty is not', async (t) => {
  for (const options of bothModes) {
    t.strictSame(
      await warningsOf(unrestricted, '<p>x</p><img src=" ">', options),
      failed(': not a URL that can be loaded'),
    )
    t.strictSame(await warningsOf(unrestricted, '<p>x</p><img src="">', options), [])
  }
})

t.test('a frame with a URL of the browser itself, or of a blob that is not there, says so', async (t) => {
  const frame = (url: string) => `<iframe src="${url}"></iframe>`
  const html = `${['file:///etc/passwd', 'chrome://version', 'blob:http://x/1'].map(frame).join('')}<p>x</p>
    <script>const url = URL.createObjectURL(new Blob(['x'])); URL.revokeObjectURL(url)
    document.body.append(Object.assign(document.createElement('iframe'), { src: url }))</script>`
  const blob = 'refused: a blob: URL that the document did not make, or has revoked'
  const warnings = (await warningsOf(unrestricted, html)).map((warning) => warning.replace(/[0-9a-f-]{36}/, '<id>'))
  t.strictSame(
    warnings,
    failed(
      'file:///etc/passwd: refused: documents cannot read local files',
      'chrome://version/: refused: documents cannot load chrome: URLs',
      `blob:http://x/1: ${blob}`,
      `blob:/<id>: ${blob}`,
    ),
    'without the host of the document',
  )
})

t.test('a refusal does not reveal whether a name is private or unknown', async (t) => {
  const addresses = [`${at}/image`, 'https://10.0.0.1/', 'https://[::1]/']
  const names = ['http://nowhere.invalid/', `http://localhost:${port}/image`, 'https://localhost/']
  const html = `${[...addresses, ...names].map((url) => `<img src=${url}>`).join('')}<img src=https://example.com:4443/>`
  for (const options of bothModes) {
    t.strictSame(
      await warningsOf(publicOnly, html, options),
      failed(
        ...addresses.map((url) => `${url}: refused by the egress policy: its host has no public address`),
        ...names.map((url) => `${url}: its host cannot be found or has no public address`),
        'https://example.com:4443/: refused by the egress policy: no tunnel to port 4443',
      ),
    )
    const nothing = 'refused by the egress policy: documents may fetch nothing'
    const all = [...addresses, ...names, 'https://example.com:4443/']
    t.strictSame(await warningsOf(offline, html, options), failed(...all.map((url) => `${url}: ${nothing}`)))
  }
})

t.test('a resource blocked by the Content-Security-Policy of the document is reported', async (t) => {
  const html = `<meta http-equiv=Content-Security-Policy content="img-src 'none'"><img src=${at}/image>`
  const blocked = "blocked by the document's own Content-Security-Policy"
  for (const options of bothModes) {
    t.match(await warningsOf(unrestricted, html, options), failed(`${at}/image: ${blocked}`))
  }
})

t.test('a reused page reports nothing of the previous document', async (t) => {
  t.equal((await warningsOf(offline, `<img src=${at}/first>`)).length, 1)
  t.strictSame(await warningsOf(offline, '<p>whole</p>'), [])
  const many = Array.from({ length: 600 }, (_, i) => `<img src=${at}/${i}>`).join('')
  t.equal((await warningsOf(offline, many)).length, 25, 'no more than the maximum of its code')
  for (let i = 0; i < 4; i++) {
    t.strictSame(await warningsOf(offline, '<p>whole</p>'), [])
    t.equal((await warningsOf(offline, `<img src=${at}/after>`)).length, 1, 'reports of the next document are received')
  }
})

t.test('requests that outlast a document are not reported for the next one', async (t) => {
  for (let round = 0; round < 5; round++) {
    for (const html of [`<video src=${at}/never></video>`, `<link rel=preload as=image href=${at}/never>`]) {
      await unrestricted.printHtml(html)
      for (let next = 0; next < 3; next++) t.strictSame(await warningsOf(unrestricted, '<p>plain'), [])
    }
  }
})

t.test('the reason is that of this document, not of the previous one', async (t) => {
  const html = `<img src=${at}/once-large>`
  t.strictSame(
    await warningsOf(unrestricted, html),
    failed(`${at}/once-large: refused by the egress policy: more than 100000 bytes`),
  )
  t.strictSame(await warningsOf(unrestricted, html), failed(`${at}/once-large: not found (404)`))
})

t.test('console errors and uncaught errors are reported', async (t) => {
  const html = `<p>x<script>
    console.log('not this'); console.warn('nor this')
    console.error('chart:', 5, { a: 1 }, [1, 2], null, undefined, new TypeError('wrong'))
    console.error('twice'); console.error('twice'); console.error('a\\n\\u001bb')
    setTimeout(() => { throw new Error('later') }); Promise.reject(new Error('rejected')); nowhere.to.be.found
  </script><script>document.addEventListener('DOMContentLoaded', () => { throw 'a string' })</script>`
  t.strictSame(
    await warningsOf(unrestricted, html),
    [
      'chart: 5 {"a":1} [1,2] null undefined TypeError: wrong',
      'twice',
      'a b',
      'Uncaught ReferenceError: nowhere is not defined (line 5)',
      'Uncaught Error: later (line 5)',
      'Uncaught (in promise) Error: rejected',
      'Uncaught a string (line 6)',
    ]
      .map((message) => `CONSOLE_ERROR ${message}`)
      .sort(),
  )
  const rewritten = `<script>onload = () => { document.open(); document.write('<script>setTimeout(() => lost.here)</scr' + 'ipt>'); document.close() }</script>`
  t.strictSame(await warningsOf(unrestricted, rewritten), [
    'CONSOLE_ERROR Uncaught ReferenceError: lost is not defined (line 1)',
  ])
})

t.test('a document cannot change the length, the number or the texts of its warnings', async (t) => {
  const html = `<p>x<script>
    String.prototype.slice = () => 'replaced'; Array.prototype.push = () => { throw 1 }; JSON.stringify = () => 'replaced'
    for (let i = 0; i < 1000; i++) console.error(i + 'x'.repeat(1e5), { toString() { throw 1 } })
    console.error({ toJSON() { throw 1 } })
  </script>`
  const { warnings } = await unrestricted.printHtml(html)
  t.equal(warnings.length, 20)
  t.ok(warnings.every(({ message }) => message.length <= 500 && !message.includes('replaced')))
})

t.test('a document with endless errors is stopped, and other documents are printed', async (t) => {
  const floods = [
    'for (;;) console.error("x".repeat(1e6))',
    'for (let i = 0; ; i++) try { const x = new XMLHttpRequest(); x.open("GET", "file:///" + i, false); x.send() } catch {}',
  ]
  await using printer = await openTestPrinter({ egress: 'any', limits, deadlineMs: 60_000 })
  await printer.printHtml('<p>warm</p>')
  const before = process.memoryUsage().rss
  for (const flood of floods) {
    const job = { signal: AbortSignal.timeout(4_000) }
    const bounded = t.rejects(printer.printHtml(`<p>x<script>${flood}</script>`, {}, job))
    for (const options of bothModes) t.equal((await printer.printHtml('<p>beside</p>', options)).pages, 1)
    await bounded
  }
  const grown = Math.round((process.memoryUsage().rss - before) / 2 ** 20)
  t.ok(grown < 200, `${grown} MiB more`)
})

t.test('a document with endless dialogs is stopped before its deadline', async (t) => {
  await using printer = await openTestPrinter({ deadlineMs: 3_600_000 })
  const stopped = { code: 'RENDER_FAILED', message: /dialogs, frames, pages or requests without end/ }
  await t.rejects(printer.printHtml('<p>x<script>for (;;) alert(1)</script>'), stopped)
  t.equal((await printer.printHtml('<p>x<script>for (let i = 0; i < 99; i++) alert(i)</script>')).pages, 1)
})

t.test('characters without a glyph are reported, at most five by name', async (t) => {
  const missing = ['MISSING_GLYPHS no installed font has U+0378 (\u0378), U+10FFFE (\u{10fffe})']
  const html = '<p>Ελληνικά \u0378 漢字 مرحبا שלום 🎉 👩‍👩‍👧 e\u0301 ﬁ \u200d\u2066\ufe0f\u00ad &#x10FFFE; \u0378</p>'
  const unseen = '<title>\u0379</title><style>/*\u0379*/</style><p hidden>\u0379</p><!--\u0379-->'
  for (const options of bothModes) {
    t.strictSame(await warningsOf(unrestricted, unseen + html, options), missing)
    t.strictSame(await warningsOf(unrestricted, `${unseen}<p>&Alpha; &rarr; &hearts;</p>`, options), [])
    const all = Array.from({ length: 8 }, (_, i) => `&#${0x10fff0 + i};`).join('')
    t.match(await warningsOf(unrestricted, `<p>${all}`, options), [/U\+10FFF0.*U\+10FFF4 \(\S+\) and 3 more$/])
    const own = `<style>${fontFace} p{font-family:Web,serif}</style><p>\ue000</p>`
    t.strictSame(await warningsOf(unrestricted, own, options), [], 'a font of its own may have it')
    t.match(await warningsOf(unrestricted, `${own}<h1>\ue000</h1>`, options), [/U\+E000/])
  }
})

t.test('a warning of a code in fail_on fails the document', async (t) => {
  const html = `<p>\u0378<img src=${at}/image><img src=${at}/other><script>console.error('broken')</script>`
  const fail_on: PdfOptions['fail_on'] = ['CONSOLE_ERROR', 'RESOURCE_FAILED']
  await t.rejects(unrestricted.printHtml(html, { fail_on: ['CONSOLE_ERROR'] }), {
    code: 'RENDER_FAILED',
    message: 'options.fail_on: CONSOLE_ERROR: broken',
    details: {
      warnings: [
        { code: 'RESOURCE_FAILED' },
        { code: 'RESOURCE_FAILED' },
        { code: 'CONSOLE_ERROR', message: 'broken' },
        { code: 'MISSING_GLYPHS' },
      ],
    },
  })
  const both = {
    code: 'RENDER_FAILED',
    message: /^options\.fail_on: RESOURCE_FAILED: .*: not found \(404\) \(and 2 more\)$/,
  }
  await t.rejects(unrestricted.printHtml(html, { fail_on }), both)
  t.match(await readPdf((await unrestricted.printHtml('<p>whole', { fail_on })).pdf), [{ text: 'whole' }])
})

t.test('what a header cannot load is reported once, as its measurement requests nothing', async (t) => {
  // Only some requests of the measurement would end before the print does.
  for (let i = 0; i < 60; i++) {
    const headerHtml = `<img src="${at}/${i}"><p style="background: url(${at}/${i})">x</p>`
    const { warnings } = await offline.printHtml('<p>x', { javascript: i % 2 ? 'on' : 'off' }, { headerHtml })
    t.strictSame(
      warnings.map(({ element }) => element),
      ['header_html'],
    )
  }
})

t.test('a header or footer that exceeds the sheet or its margin is reported', async (t) => {
  const page = '<span class=pageNumber></span>'
  const fine = [
    `<div style="text-align: right">${page}</div>`,
    `<div style="box-sizing: border-box; width: 100%; padding: 0 15mm; text-align: right">${page}</div>`,
    `<div style="padding: 0 15mm 5mm">${page}</div>`,
    '<div style="width: 300mm; margin-left: 15mm">left</div>',
    `<p style="display: none; margin: 0; width: 300mm; text-align: right">${page}</p>`,
  ]
  const wide = `<div style="width: 100%; padding: 0 15mm; text-align: right">${page}</div>`
  const tall = '<svg height="30mm"></svg>'
  for (const javascript of ['off', 'on'] as const) {
    const overflowOf = async (headerHtml: string, footerHtml: string, margin = 20) => {
      const options = { javascript, margin: { top: margin, bottom: margin } }
      // A style sheet of the document does not apply to its header.
      const html = '<style>div, span { font-size: 90mm !important } * { color: red }</style><p>x'
      const { warnings } = await offline.printHtml(html, options, { headerHtml, footerHtml })
      return warnings.map(({ code, message }) => `${code} ${message}`)
    }
    for (const html of fine) t.same(await overflowOf(html, html), [], html)
    const beyond = 'its content ends 15 mm beyond the right edge of the sheet; box-sizing: border-box keeps'
    const [above, below, ...more] = await overflowOf(wide, wide)
    t.match(above, `MARGIN_OVERFLOW header_html: ${beyond}`)
    t.match(below, `MARGIN_OVERFLOW footer_html: ${beyond}`)
    t.same(more, [])
    t.same(await overflowOf(tall, tall), [
      'MARGIN_OVERFLOW header_html: it overlaps the document; it needs options.margin.top of 36 mm',
      'MARGIN_OVERFLOW footer_html: it overlaps the document; it needs options.margin.bottom of 36 mm',
    ])
    t.same(await overflowOf(tall, tall, 36), [])
  }
})
