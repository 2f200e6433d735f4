import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import { readPdf } from '@platen/test-support/read-pdf.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'

const printer = await openTestPrinter({ egress: 'any' })
const resources: Record<string, [type: string, body: string]> = {
  '/letters/style.css': ['text/css', 'p::after { content: " styled" }'],
  '/letters/script.js': ['text/javascript', 'document.querySelector("p").append(" scripted")'],
  '/letters/frame.html': ['text/html', '<b>framed</b>'],
  '/icons.svg': [
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg"><g id="a"><text y="20">icon</text></g></svg>',
  ],
  '/letters/broken.js': ['text/javascript', '\n\nnowhere.x()'],
}
const server = createServer((request, response) => {
  const [type, body] = resources[request.url ?? ''] ?? []
  response.writeHead(type ? 200 : 404, type ? { 'content-type': type } : {}).end(body)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
t.teardown(async () => {
  server.closeAllConnections()
  server.close()
  await printer[Symbol.asyncDispose]()
})
const textOf = async (html: string, options: PdfOptions = {}) =>
  (await readPdf((await printer.printHtml(html, options)).pdf)).map(({ text }) => text).join('\n')

t.test('storage, cookies, URLs and secure contexts work, and the next document finds them empty', async (t) => {
  const html = `<p id=p></p><script>
    const before = [localStorage.length, sessionStorage.length, document.cookie].join('|')
    localStorage.a = sessionStorage.a = 1
    document.cookie = 'a=1'
    const image = document.createElement('canvas').toDataURL().slice(0, 14)
    const path = new URL('b.html', location.href).pathname
    p.textContent = [before, localStorage.a, document.cookie, path, image, isSecureContext].join(' ')</script>`
  for (let i = 0; i < 2; i++) t.equal(await textOf(html), '0|0| 1 a=1 /b.html data:image/png true')
})

t.test('no two documents have the same origin', async (t) => {
  const html = '<p id=p></p><script>p.textContent = location.origin</script>'
  const origins = [await textOf(html), await textOf(html)]
  for (const origin of origins) t.match(origin.replace(/\s/g, ''), /^http:\/\/[0-9a-f]{48}-platen\.localhost$/)
  t.not(...(origins as [string, string]))
})

t.test('relative URLs without a base URL are reported with their element', async (t) => {
  const html = `<link rel=stylesheet href=a.css><style>@import "b.css"; p { background: url(c.png) }
    @font-face { font-family: F; src: url(d.woff2) } p { font-family: F }</style><p>x</p><img src=e.png>
    <iframe src=f.html></iframe><object data=g.svg></object><svg><image href=h.png /><use href="i.svg#x" /></svg>
    <input type=image src=j.png>`
  const expected = [
    ['a.css', '<link>'],
    ['b.css', '@import'],
    ['c.png', 'url()'],
    ['d.woff2', '@font-face'],
    ['e.png', '<img>'],
    ['f.html', '<iframe>'],
    ['g.svg', '<object>'],
    ['h.png', '<image>'],
    ['i.svg', '<use>'],
    ['j.png', '<input>'],
  ]
  for (const javascript of ['off', 'on'] as const) {
    const { warnings } = await printer.printHtml(html, { javascript })
    const reported = warnings.map(({ message, element }) => [message.split(': ')[0], element])
    t.strictSame(reported.sort(), expected, javascript)
    t.match(warnings[0]?.message, /: a relative URL: set options\.base_url or <base href>$/)
    const failing = printer.printHtml(html, { javascript, fail_on: ['RESOURCE_FAILED'] })
    await t.rejects(failing, { code: 'RENDER_FAILED' })
  }
})

t.test('relative URLs are resolved against base_url', async (t) => {
  const html = `<link rel=stylesheet href=style.css><p>text</p><svg><use href="/icons.svg#a" /></svg>
    <iframe src=frame.html></iframe><script src=script.js></script>`
  const base_url = `${at}/letters/today.html`
  const { pdf, warnings } = await printer.printHtml(html, { base_url })
  t.strictSame(warnings, [])
  t.equal((await readPdf(pdf))[0]?.text, 'text scripted styled icon framed')
  const plain = '<link rel=stylesheet href=style.css><p>text</p>'
  t.equal(await textOf(plain, { base_url, javascript: 'off' }), 'text styled')
  t.equal(await textOf(plain, { base_url: `${at}/elsewhere/` }), 'text')
})

t.test('script errors are reported with URL and line; those of other origins with a hint', async (t) => {
  const base_url = `${at}/letters/`
  const own = await printer.printHtml('<p>x</p><script src=broken.js></script>', { base_url })
  const message = `Uncaught ReferenceError: nowhere is not defined (${at}/letters/broken.js, line 3)`
  t.strictSame(own.warnings, [{ code: 'CONSOLE_ERROR', message }])
  const other = await printer.printHtml(`<p>x</p><script src=${at}/letters/broken.js></script>`)
  t.match(other.warnings, [{ code: 'CONSOLE_ERROR', message: /another origin.*crossorigin/ }])
})

t.test('javascript: off switches script off in the document and in its frames', async (t) => {
  const script = '<script>document.body.append(" ran")</script>'
  const html = `<p>x ${script}<iframe srcdoc='<p>y ${script}'></iframe><object type="text/html"
    data="data:text/html,<p>z ${script}"></object><img src=x onerror="document.body.append(1)">`
  t.notMatch(await textOf(html, { javascript: 'off' }), 'ran')
  const headed = await printer.printHtml(html, { javascript: 'off' }, { headerHtml: '<b onclick="x()">head</b>' })
  t.notMatch((await readPdf(headed.pdf))[0]?.text, 'ran')
})
