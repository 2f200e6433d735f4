import { readPdf } from '@platen/test-support/read-pdf.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'

const printer = await openTestPrinter()
t.teardown(() => printer[Symbol.asyncDispose]())

/** `times`: how much longer than a few seconds each takes. */
const documents = (times = 1): [what: string, html: string, text: string][] => [
  [
    'animation frames of two seconds',
    `<p id=p></p><script>const start = performance.now()
      const step = () => { const part = (performance.now() - start) / ${2_000 * times}
        p.textContent = part < 1 ? 'half' : 'done'; if (part < 1) requestAnimationFrame(step) }
      requestAnimationFrame(step)</script>`,
    'done',
  ],
  [
    'an animation that counts 55 frames',
    `<p id=p></p><script>let n = 0
      const step = () => { p.textContent = n < ${55 * times} ? 'half' : 'done'; if (n++ < ${55 * times}) requestAnimationFrame(step) }
      requestAnimationFrame(step)</script>`,
    'done',
  ],
  [
    'a timer of three seconds',
    `<p id=p>half</p><script>setTimeout(() => { p.textContent = "done" }, ${3_000 * times})</script>`,
    'done',
  ],
  [
    'timers that start one another',
    `<p id=p>0</p><script>let n = 0; const next = () => { p.textContent = ++n; if (n < 20) setTimeout(next, ${100 * times}) }; next()</script>`,
    '20',
  ],
  [
    'a CSS animation whose end starts a script',
    `<style>@keyframes k { to { opacity: .5 } } p { animation: k ${times}s }</style><p id=p>half</p>
      <script>p.onanimationend = () => { p.textContent = 'done' }</script>`,
    'done',
  ],
  [
    'an animation of the Web Animations API',
    `<p id=p>half</p><script>p.animate([{ opacity: 0 }, { opacity: 1 }], ${1_500 * times}).finished
      .then(() => { p.textContent = 'done' })</script>`,
    'done',
  ],
]

t.test('animations that end within five seconds are printed in their final state', async (t) => {
  for (const [what, html, text] of documents()) {
    for (let i = 0; i < 3; i++) t.equal((await readPdf((await printer.printHtml(html)).pdf))[0]?.text, text, what)
  }
})

t.test('finish_animations: false prints the first frames', async (t) => {
  // So long that a busy machine does not print the last ones.
  for (const [what, html, text] of documents(100)) {
    const { pdf } = await printer.printHtml(html, { finish_animations: false })
    t.not((await readPdf(pdf))[0]?.text, text, what)
  }
})

t.test('a document with endless animations is printed', async (t) => {
  const endless = [
    '<style>@keyframes k { to { rotate: 1turn } } i { animation: k 1s infinite }</style><p id=p>x</p><i></i>',
    '<p id=p>x</p><script>const step = () => requestAnimationFrame(step); step()</script>',
    '<p id=p>x</p><script>setInterval(() => { p.textContent = "x" }, 10)</script>',
    '<p id=p>x</p><svg><rect><animate attributeName=x dur=1s repeatCount=indefinite to=9 /></rect></svg>',
  ]
  for (const html of endless) t.equal((await readPdf((await printer.printHtml(html)).pdf))[0]?.text, 'x', html)
})

t.test('images in page margins are printed after virtual time', async (t) => {
  const circle = encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"><text y="20">margin</text></svg>')
  const html = `<style>@page { @top-left { content: url("data:image/svg+xml,${circle}") } }</style><p>x</p>
    <script>setTimeout(() => document.body.append('late'), 500)</script>`
  const text = (await readPdf((await printer.printHtml(html)).pdf))[0]?.text
  t.match(text, 'late')
  t.match(text, 'margin')
})
