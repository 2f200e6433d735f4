import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { hugePng, svg } from '../support/asset-files.ts'
import { readPdf } from '../support/read-pdf.ts'
import { openTestPrinter } from '../support/renderer/open-test-printer.ts'
import { testAssets } from '../support/renderer/test-assets.ts'

// What an asset holds is as little trusted as a document.
t.setTimeout(600_000)

const hits: string[] = []
const server = createServer((request, response) => {
  hits.push(request.url ?? '')
  response.setHeader('access-control-allow-origin', '*').end('canary')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
t.teardown(() => {
  server.closeAllConnections()
  server.close()
})
const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

t.test('no script in an SVG runs, whatever shows it and whatever the document may do', async (t) => {
  const printer = await openTestPrinter({ egress: 'any' })
  t.teardown(() => printer[Symbol.asyncDispose]())
  const stain = `try{parent.document.body.append('STAIN')}catch{};fetch('${at}/ran').catch(()=>{})`
  const content = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20" onload="${stain}"><script>${stain}</script>
    <foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:${stain}"/></foreignObject>
    <a href="javascript:${stain}"><text y="15">shown</text></a><set attributeName="href" to="javascript:${stain}" begin="0s"/></svg>`
  const assets = testAssets({ 'bad.svg': ['image/svg+xml', Buffer.from(content)] })
  const shown = [
    '<img src="asset:bad.svg">',
    '<object data="asset:bad.svg"></object>',
    '<object data="asset:bad.svg" type="image/svg+xml"></object>',
    '<embed src="asset:bad.svg">',
    '<iframe src="asset:bad.svg"></iframe>',
    '<svg><use href="asset:bad.svg#x"/><image href="asset:bad.svg"/></svg>',
    '<div style="height:40px;background:url(asset:bad.svg)"></div>',
    '<script src="asset:bad.svg"></script><p>x',
  ]
  for (const html of shown) {
    for (const javascript of ['auto', 'on', 'off'] as const) {
      const { pdf } = await printer.printHtml(html, { javascript, wait_for: { ms: 100 } }, { assets })
      t.notMatch((await readPdf(pdf))[0]?.text, 'STAIN', `${html} ${javascript}`)
    }
  }
  const header = '<img src="asset:bad.svg" width=50>'
  await printer.printHtml('<p>x', { margin: { top: 30 } }, { assets, headerHtml: header, footerHtml: header })
  t.strictSame(hits, [])
})

t.test('a style sheet leads neither to files nor to private addresses', async (t) => {
  const printer = await openTestPrinter({ egress: 'public' })
  t.teardown(() => printer[Symbol.asyncDispose]())
  const css = `@import "file:///etc/passwd"; @import url(${at}/import); @import "//127.0.0.1/x"; @import "../../etc/passwd.css";
    @font-face { font-family: F; src: url(${at}/font) } p { font-family: F; background: url(${at}/bg), url(file:///etc/hostname) }`
  const assets = testAssets({ 'bad.css': ['text/css', Buffer.from(css)] })
  const html = '<link rel=stylesheet href="asset:bad.css"><p>x'
  for (const javascript of ['on', 'off'] as const) {
    const { warnings, pages } = await printer.printHtml(html, { javascript }, { assets })
    t.equal(pages, 1)
    t.ok(warnings.length >= 4, JSON.stringify(warnings))
    t.ok(warnings.every(({ code }) => code === 'RESOURCE_FAILED'))
  }
  const link = '<link rel=stylesheet href="asset:bad.css"><p>head'
  await printer
    .printHtml('<p>x', {}, { assets, headerHtml: link })
    .catch((err) => t.match(err, { code: 'RENDER_FAILED' }))
  t.strictSame(hits, [])
})

t.test('a picture that is huge when it is drawn does not stop other documents', async (t) => {
  const printer = await openTestPrinter({ egress: 'none' })
  t.teardown(() => printer[Symbol.asyncDispose]())
  const bomb = hugePng(30_000)
  t.ok(bomb.length < 500_000)
  const assets = testAssets({ 'bomb.png': ['image/png', bomb], 'logo.svg': ['image/svg+xml', Buffer.from(svg)] })
  const html = '<img src="asset:bomb.png" width=600><img src="asset:logo.svg">'
  const outcome = await printer.printHtml(html, {}, { assets }).then(
    ({ pages }) => pages,
    (err) => err.code,
  )
  t.ok([1, 'RENDER_FAILED', 'RENDER_TIMEOUT', 'RENDER_LIMIT_EXCEEDED'].includes(outcome), String(outcome))
  const { pdf } = await printer.printHtml('<img src="asset:logo.svg">', {}, { assets })
  t.match((await readPdf(pdf))[0]?.fills.join(), '#0000ff')
})
