import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { readPdf } from '../../../../test/support/read-pdf.ts'

const printer = await openTestPrinter()
const widePrinter = await openTestPrinter({ slots: 8 })
t.teardown(() => Promise.all([printer[Symbol.asyncDispose](), widePrinter[Symbol.asyncDispose]()]))

const textOf = async (pdf: Uint8Array) => (await readPdf(pdf))[0]?.text
const changedLater = (script: string) => `<p id=p>early</p><script>setTimeout(() => { ${script} }, 400)</script>`

t.test('wait_for.selector waits for an element; an invalid one fails the document', async (t) => {
  const html = changedLater(`p.textContent = 'late'; p.className = 'done'`)
  t.equal(await textOf((await printer.printHtml(html, { wait_for: { selector: 'p.done' } })).pdf), 'late')
  const clobbered = `<img name=querySelector>${html}`
  t.equal(await textOf((await printer.printHtml(clobbered, { wait_for: { selector: 'p.done' } })).pdf), 'late')
  const refused = { code: 'RENDER_FAILED', message: 'options.wait_for.selector is not a valid CSS selector: p[' }
  await t.rejects(printer.printHtml(html, { wait_for: { selector: 'p[' } }), refused)
})

t.test('wait_for.expression waits for a true value; a syntax error fails the document', async (t) => {
  const ways = {
    'a variable defined later': 'ready === true',
    'an object': 'window.ready && {}',
    'a promise': 'new Promise((resolve) => setTimeout(() => resolve(window.ready), 10))',
    'with a comment': 'ready // when it is drawn',
  }
  const html = changedLater(`p.textContent = 'late'; window.ready = true`)
  for (const [way, expression] of Object.entries(ways)) {
    t.equal(await textOf((await printer.printHtml(html, { wait_for: { expression } })).pdf), 'late', way)
  }
  const refused = { code: 'RENDER_FAILED', message: /wait_for\.expression cannot be parsed: SyntaxError/ }
  for (const expression of ['ready ===', '1)); throw 1; ((1', '1]]; throw 1; [[1', 'if (ready) 1', '...[1]']) {
    await t.rejects(printer.printHtml(html, { wait_for: { expression } }), refused, expression)
  }
})

t.test('wait_for.ms waits after the load', async (t) => {
  const html = `<p id=p>early</p><script>onload = () => setTimeout(() => { p.textContent = 'late' }, 400)</script>`
  t.equal(await textOf((await printer.printHtml(html, { wait_for: { ms: 900 } })).pdf), 'late')
})

t.test('an image added while waiting is loaded', async (t) => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const html = changedLater(
    `document.body.append(Object.assign(new Image(), { id: 'i', loading: 'lazy', src: 'data:image/png;base64,${png}' }))`,
  )
  const [page] = await readPdf((await printer.printHtml(html, { wait_for: { selector: '#i' } })).pdf)
  t.equal(page?.images, 1)
})

t.test('a document without scripts is printed in the scripted mode with wait_for', async (t) => {
  t.equal((await printer.printHtml('<p>plain</p>')).engine.mode, 'static')
  t.equal((await printer.printHtml('<p>plain</p>', { wait_for: { ms: 0 } })).engine.mode, 'scripted')
})

t.test('a condition that is not met in time is named in the error', async (t) => {
  const unmet: [wait: { selector?: string; expression?: string; ms?: number }, message: RegExp][] = [
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
    [{ expression: `(() => { throw 'x'.repeat(6e7) })()` }, /^.{300,900}$/],
    [
      { expression: `(() => { throw { toString() { throw 'x'.repeat(6e7) } } })()` },
      /its last error: an error without a message$/,
    ],
    [{ ms: 600_000 }, /options\.wait_for\.ms asks for 600000 ms/],
  ]
  const html = `<p>x</p><script>String.prototype.slice = () => 'x'.repeat(6e7)</script>`
  // Enough to load the document on a busy machine.
  const timeout_ms = 12_000
  const waits = unmet.map(async ([wait_for, message]) => {
    await t.rejects(
      widePrinter.printHtml(html, { wait_for, timeout_ms }),
      { code: 'RENDER_TIMEOUT', message },
      String(message),
    )
  })
  await Promise.all(waits)
  t.equal(await textOf((await widePrinter.printHtml('<script>document.write("after")</script>')).pdf), 'after')
})

t.test('a document that navigates while waiting fails', async (t) => {
  const html = `<script>setTimeout(() => { location = 'http://127.0.0.1:1/' }, 100)</script>`
  const refused = { code: 'RENDER_FAILED', message: /navigates to another page/ }
  await t.rejects(printer.printHtml(html, { wait_for: { selector: '.never' } }), refused)
})
