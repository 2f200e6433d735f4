import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { readPdf } from '../../../../test/support/read-pdf.ts'

const printer = await openTestPrinter()
const hasty = await openTestPrinter({ deadlineMs: 3_000, slots: 8 })
t.teardown(() => Promise.all([printer[Symbol.asyncDispose](), hasty[Symbol.asyncDispose]()]))

const textOf = async (pdf: Uint8Array) => (await readPdf(pdf))[0]?.text
const late = (act: string) => `<p id=p>early</p><script>setTimeout(() => { ${act} }, 400)</script>`

t.test('a selector', async (t) => {
  const html = late(`p.textContent = 'late'; p.className = 'done'`)
  t.equal(await textOf((await printer.printHtml(html, { wait_for: { selector: 'p.done' } })).pdf), 'late')
  const clobbered = `<img name=querySelector>${html}`
  t.equal(await textOf((await printer.printHtml(clobbered, { wait_for: { selector: 'p.done' } })).pdf), 'late')
  const refused = { code: 'RENDER_FAILED', message: 'options.wait_for.selector is no CSS selector: p[' }
  await t.rejects(printer.printHtml(html, { wait_for: { selector: 'p[' } }), refused)
})

t.test('an expression, of the world of the document', async (t) => {
  const ways = {
    'a variable that comes late': 'ready === true',
    'an object': 'window.ready && {}',
    'a promise': 'new Promise((resolve) => setTimeout(() => resolve(window.ready), 10))',
    'with a comment': 'ready // when it is drawn',
  }
  const html = late(`p.textContent = 'late'; window.ready = true`)
  for (const [way, expression] of Object.entries(ways)) {
    t.equal(await textOf((await printer.printHtml(html, { wait_for: { expression } })).pdf), 'late', way)
  }
  const refused = { code: 'RENDER_FAILED', message: /wait_for\.expression cannot be parsed: SyntaxError/ }
  await t.rejects(printer.printHtml(html, { wait_for: { expression: 'ready ===' } }), refused)
})

t.test('milliseconds after the load', async (t) => {
  const html = `<p id=p>early</p><script>onload = () => setTimeout(() => { p.textContent = 'late' }, 400)</script>`
  t.equal(await textOf((await printer.printHtml(html, { wait_for: { ms: 900 } })).pdf), 'late')
})

t.test('what comes late is loaded as well', async (t) => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const html = late(
    `document.body.append(Object.assign(new Image(), { id: 'i', loading: 'lazy', src: 'data:image/png;base64,${png}' }))`,
  )
  const [page] = await readPdf((await printer.printHtml(html, { wait_for: { selector: '#i' } })).pdf)
  t.equal(page?.images, 1)
})

t.test('it chooses the mode of scripts, even for a document that has none', async (t) => {
  t.equal((await printer.printHtml('<p>plain</p>')).engine.mode, 'static')
  t.equal((await printer.printHtml('<p>plain</p>', { wait_for: { ms: 0 } })).engine.mode, 'scripted')
})

t.test('what does not come in time is named', async (t) => {
  const late: [wait: { selector?: string; expression?: string; ms?: number }, message: RegExp][] = [
    [
      { selector: '.never' },
      /^The document was not ready in time: no element matched options\.wait_for\.selector \.never$/,
    ],
    [
      { expression: 'never.there' },
      /wait_for\.expression.* never\.there; its last error: ReferenceError: never is not/,
    ],
    [{ expression: 'document.never' }, /wait_for\.expression did not become true: document\.never$/],
    [{ expression: 'new Promise(() => {})' }, /wait_for\.expression did not become true/],
    [{ expression: '(() => { for (;;); })()' }, /wait_for\.expression did not become true/],
    [{ expression: `(() => { throw 'x'.repeat(1e6) })()` }, /^.{300,900}$/],
    [{ ms: 30_000 }, /options\.wait_for\.ms asks for 30000 ms/],
  ]
  const waits = late.map(async ([wait_for, message]) => {
    await t.rejects(hasty.printHtml('<p>x</p>', { wait_for }), { code: 'RENDER_TIMEOUT', message }, String(message))
  })
  await Promise.all(waits)
  t.equal(await textOf((await hasty.printHtml('<script>document.write("after")</script>')).pdf), 'after')
})

t.test('a document that leaves while it is waited for is told so', async (t) => {
  const html = `<script>setTimeout(() => { location = 'http://127.0.0.1:1/' }, 100)</script>`
  const refused = { code: 'RENDER_FAILED', message: /navigates away/ }
  await t.rejects(printer.printHtml(html, { wait_for: { selector: '.never' } }), refused)
})
