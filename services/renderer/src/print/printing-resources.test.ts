import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { freePorts } from '@platen/test-support/free-port.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t, { type Test } from 'tap'
import { readPdf } from '../../../../test/support/read-pdf.ts'

// Any font that is not installed under the name in the document.
const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const webFont = await readFile(join(pdfjs, 'standard_fonts/LiberationSans-BoldItalic.ttf'))
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const limits = { pages: 100, pdfBytes: 5e6, resources: 100, resourceBytes: 1e6, resourceTimeoutMs: 1_000 }
/** It waits longer for a resource than any takes on a busy machine. */
const unrestricted = await openTestPrinter({ egress: 'any' })
/** For resources that never load. */
const hasty = await openTestPrinter({ egress: 'any', limits })
const publicOnly = await openTestPrinter({ egress: 'public', limits })
t.teardown(() => Promise.all([unrestricted, hasty, publicOnly].map((printer) => printer[Symbol.asyncDispose]())))

async function origin(t: Test) {
  const hits: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    hits.push(`${request.method} ${path}`)
    response.setHeader('access-control-allow-origin', '*')
    if (path.startsWith('/never')) return
    if (path.startsWith('/deny')) response.setHeader('x-frame-options', 'DENY')
    if (path.startsWith('/ancestors')) response.setHeader('content-security-policy', "frame-ancestors 'none'")
    if (path.startsWith('/empty')) return void response.writeHead(204).end()
    if (path.startsWith('/report')) return void response.setHeader('content-type', 'application/pdf').end('%PDF-1.4')
    if (path.startsWith('/download')) response.setHeader('content-disposition', 'attachment; filename=a.html')
    if (path.startsWith('/slow')) return void setTimeout(() => response.end('slow frame'), 400)
    if (path.startsWith('/font')) setTimeout(() => response.end(webFont), 150)
    else if (path.startsWith('/late-font')) setTimeout(() => response.end(webFont), 700)
    else if (path.startsWith('/image-late')) setTimeout(() => response.end(png), 300)
    else if (path.startsWith('/image')) response.setHeader('content-type', 'image/png').end(png)
    else if (path.startsWith('/style')) response.setHeader('content-type', 'text/css').end('p{color:#00ff00}')
    else response.setHeader('content-type', 'text/html').end('<h1>canary</h1>')
  })
  server.on('connection', () => hits.push('connection'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { hits, port, at: `http://127.0.0.1:${port}` }
}

const bothModes = ['off', 'on'] as const

t.test('a slow frame is waited for, and one that shows nothing is reported', async (t) => {
  const { at } = await origin(t)
  const [closed] = await freePorts(1)
  const denied = 'its server does not let other pages show it'
  const reasons = {
    [`${at}/deny`]: denied,
    [`${at}/ancestors`]: denied,
    [`${at}/empty`]: 'its server answered with 204',
    [`${at}/report`]: 'a file to be saved (application/pdf), which a frame does not show',
    [`${at}/download`]: 'a file to be saved (text/html), which a frame does not show',
    [`https://127.0.0.1:${closed}/`]: 'cannot be reached',
    'http://127.0.0.1:22/': 'refused: browsers do not connect to its port',
    'ftp://127.0.0.1/x': 'not a URL that can be loaded',
    'mailto:a@example.com': 'not a URL that can be loaded',
  }
  const frames = [`${at}/slow`, ...Object.keys(reasons)].map((url) => `<iframe src="${url}"></iframe>`)
  for (const javascript of bothModes) {
    const { pdf, warnings } = await unrestricted.printHtml(`<p>body</p>${frames}`, { javascript })
    t.match((await readPdf(pdf))[0]?.text, 'slow frame')
    const expected = Object.entries(reasons).map(([url, reason]) => `${url}: ${reason}`)
    t.same(warnings.map(({ message }) => message).sort(), expected.sort())
    t.ok(warnings.every(({ element }) => element?.startsWith('<iframe')))
  }
})

t.test('fonts, images (also slow and lazy ones) and style sheets are loaded before the print', async (t) => {
  const { at, hits } = await origin(t)
  const html = `<link rel=stylesheet href=${at}/style>
    <style>@font-face{font-family:Web;src:url(${at}/font)} p{font-family:Web}</style>
    <p>In the web font</p><img src=${at}/image-late><img src=${at}/image1>
    <div style="height:5000px"></div><img loading=lazy src=${at}/image2><img loading=lazy src=${at}/image-late2>`
  for (const javascript of bothModes) {
    const { pdf, warnings, engine } = await unrestricted.printHtml(html, { javascript })
    t.equal(engine.mode, javascript === 'on' ? 'scripted' : 'static')
    const pages = await readPdf(pdf)
    t.same(pages[0]?.fonts, ['LiberationSans-BoldItalic'])
    t.has(pages[0]?.fills, ['#00ff00'])
    t.equal(
      pages.reduce((images, page) => images + page.images, 0),
      4,
      javascript,
    )
    t.same(warnings, [])
  }
  t.ok(hits.every((hit) => !hit.startsWith('POST')))
})

t.test('the slowest resource, a font, is waited for', async (t) => {
  const { at } = await origin(t)
  const html = `<style>@font-face{font-family:Web;src:url(${at}/late-font)} p{font-family:Web}</style><p>In the web font</p>`
  for (const javascript of bothModes) {
    const [page] = await readPdf((await unrestricted.printHtml(html, { javascript })).pdf)
    t.same(page?.fonts, ['LiberationSans-BoldItalic'], javascript)
  }
})

t.test('the text of a font that never loads is printed in another font', async (t) => {
  const { at } = await origin(t)
  const html = `<style>@font-face{font-family:Web;src:url(${at}/never-font)} p{font-family:Web,serif}</style><p>legible</p>`
  for (const javascript of bothModes) {
    const { pdf, warnings } = await hasty.printHtml(html, { javascript })
    const [page] = await readPdf(pdf)
    t.equal(page?.text, 'legible')
    t.notSame(page?.fonts, ['LiberationSans-BoldItalic'])
    t.match(warnings, [{ code: 'RESOURCE_FAILED', message: `${at}/never-font: timed out`, element: '@font-face' }])
  }
})

t.test('headers and footers show images from data URLs', async (t) => {
  const source = `data:image/png;base64,${png.toString('base64')}`
  const circle = `<circle cx='10' cy='10' r='9' fill='#0000ff'/>`
  const svg = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'>${circle}</svg>`)}`
  const job = { headerHtml: `<img src="${source}" width=20 height=20>logo`, footerHtml: `<img src="${svg}">foot` }
  for (const javascript of bothModes) {
    const [page] = await readPdf((await unrestricted.printHtml('<p>body</p>', { javascript }, job)).pdf)
    t.equal(page?.text, 'body logo foot')
    t.equal(page?.images, 1)
    t.ok(page?.fills.includes('#0000ff'), 'the circle')
  }
})

t.test('resources that a script requests after the load are waited for', async (t) => {
  const { at } = await origin(t)
  const html = `<p id=p>In the web font</p><script>onload = () => {
    document.body.append(Object.assign(new Image(), { src: '${at}/image-late' }))
    document.fonts.add(new FontFace('Web', 'url(${at}/font)'))
    p.style.fontFamily = 'Web'
  }</script>`
  const [page] = await readPdf((await unrestricted.printHtml(html)).pdf)
  t.equal(page?.images, 1)
  t.same(page?.fonts, ['LiberationSans-BoldItalic'])
})

t.test('a document is printed without the resources that never load', async (t) => {
  const { at } = await origin(t)
  const many = Array.from({ length: 20 }, (_, i) => `<img src=${at}/never${i}>`).join('')
  const html = `<p>before</p><script src=${at}/never.js></script><link rel=stylesheet href=${at}/never.css>${many}<p>after</p>`
  t.match(await readPdf((await hasty.printHtml(html)).pdf), [{ text: 'before after' }])
})

t.test('with egress "public" a document cannot reach private addresses in any way', async (t) => {
  const { at, port, hits } = await origin(t)
  const html = `<p>body</p>
    <img src=${at}/image><link rel=stylesheet href=${at}/style><link rel=prefetch href=${at}/p><link rel=preconnect href=${at}>
    <link rel=dns-prefetch href=${at}><iframe src=${at}/frame></iframe><object data=${at}/o></object><embed src=${at}/e>
    <img src="http://localhost:${port}/"><img src="http://0x7f.1:${port}/"><img src="http://[::ffff:127.0.0.1]:${port}/">
    <script type=speculationrules>{"prefetch":[{"urls":["${at}/s"]}]}</script><video src=${at}/v></video>
    <script>
      const attempts = [
        () => fetch('${at}/f', { mode: 'no-cors' }), () => fetch('${at}/f', { method: 'POST', mode: 'no-cors' }),
        () => navigator.sendBeacon('${at}/b', 'x'), () => new WebSocket('ws://127.0.0.1:${port}/w'),
        () => new EventSource('${at}/es'), () => open('${at}/popup'), () => { new Image().src = '${at}/i' },
        () => new Worker(URL.createObjectURL(new Blob(["new WebSocket('ws://127.0.0.1:${port}/ww'); fetch('${at}/wf')"]))),
        () => { const pc = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' },
          { urls: 'turn:127.0.0.1:${port}?transport=tcp', username: 'a', credential: 'b' }] })
          pc.createDataChannel('x'); pc.createOffer().then((offer) => pc.setLocalDescription(offer)) },
      ]
      for (const attempt of attempts) try { attempt() } catch {}
    </script>`
  const headerHtml = `<img src=${at}/header><div style="background:url(${at}/header-background)">head</div>`
  const pages = await readPdf((await publicOnly.printHtml(html, {}, { headerHtml })).pdf)
  t.match(pages[0]?.text, /^body/)
  t.notMatch(pages.map(({ text }) => text).join(), /canary/)
  t.same(hits, [])
})

t.test('a document cannot read local files', async (t) => {
  const html = `<p>body</p><iframe src=file:///etc/passwd></iframe><object data=file:///etc/passwd></object>
    <script>fetch('file:///etc/passwd').then((a) => a.text()).then((text) => document.body.append(text))</script>`
  for (const printer of [unrestricted, publicOnly]) {
    const headerHtml = '<iframe src=file:///etc/passwd></iframe>'
    t.match(await readPdf((await printer.printHtml(html, {}, { headerHtml })).pdf), [{ text: 'body' }])
  }
})

t.test('a document that navigates to another page fails', async (t) => {
  const { at } = await origin(t)
  const ways = {
    refresh: `<meta http-equiv=refresh content="0;url=${at}/">x`,
    location: `x<script>location = '${at}/'</script>`,
    'location, later': `x<script>setTimeout(() => { location = '${at}/' })</script>`,
    form: `<form id=f action=${at}/></form><script>f.submit()</script>`,
    post: `<form id=f method=post action=${at}/></form><script>f.submit()</script>`,
    reload: 'x<script>location.reload()</script>',
    'about:blank': `x<script>location = 'about:blank'</script>`,
    click: `<a id=a href=${at}/>x</a><script>a.click()</script>`,
    'open in itself': `x<script>open('${at}/', '_self')</script>`,
    'from a frame': `<iframe srcdoc="<script>top.location = '${at}/'</script>"></iframe>`,
  }
  const refused = { code: 'RENDER_FAILED', message: 'The document navigates to another page' }
  for (const [way, html] of Object.entries(ways)) {
    await t.rejects(unrestricted.printHtml(html), refused, way)
    await t.rejects(publicOnly.printHtml(html), refused, `${way}, public only`)
  }
  const within = `<p id=p>x</p><script>location = '#p'; history.pushState(1, '', '#q')</script>`
  t.match(await readPdf((await unrestricted.printHtml(within)).pdf), [{ text: 'x' }])
})
