import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { BoundedLabels } from '../../metrics.ts'

t.setTimeout(600_000)

/** Burns processor time: a clock would also go on while the machine does other things. */
const work = 'let x = 0; for (let i = 0; i < 1e8; i++) x = (x * 31 + i) | 0'

/** Processor time by owner, and the number of counted documents. */
const used = new Map<string, { seconds: number; documents: number }>()
const onProcessorTime = (owner: string, seconds: number) => {
  const before = used.get(owner) ?? { seconds: 0, documents: 0 }
  used.set(owner, { seconds: before.seconds + seconds, documents: before.documents + 1 })
}
const printer = await openTestPrinter({ onProcessorTime, deadlineMs: 60_000 })
t.teardown(() => printer[Symbol.asyncDispose]())

const secondsOf = (owner: string, documents = 1) =>
  until(() => {
    const found = used.get(owner)
    return found && found.documents >= documents ? found.seconds : undefined
  }, `${owner} was not counted`)

t.test('a document that computes counts for its owner, and not for another', async (t) => {
  await Promise.all([
    printer.printHtml(`<script>${work}; document.title = x</script>`, {}, { owner: 'busy' }),
    printer.printHtml('<script>document.title = 1</script>', {}, { owner: 'idle' }),
    printer.printHtml('<p>no script', {}, { owner: 'still' }),
  ])
  const [busy, idle, still] = await Promise.all([secondsOf('busy'), secondsOf('idle'), secondsOf('still')])
  t.comment({ busy, idle, still })
  t.ok(busy > 0.2, `busy: ${busy}`)
  t.ok(idle < busy / 2, `idle: ${idle}`)
  t.ok(still < busy / 2, `still: ${still}`)
  t.ok(still > 0)
})

t.test('so does one that computes in a worker', async (t) => {
  const worker = `const blob = new Blob([${JSON.stringify(`${work}; postMessage(x)`)}])
    const worker = new Worker(URL.createObjectURL(blob)); worker.onmessage = () => { document.body.className = 'done' }`
  await printer.printHtml(`<body><script>${worker}</script>`, { wait_for: { selector: '.done' } }, { owner: 'worker' })
  const seconds = await secondsOf('worker')
  t.ok(seconds > 0.2, `${seconds}`)
})

t.test('so does one that ends only at its deadline', async (t) => {
  await using short = await openTestPrinter({ onProcessorTime, deadlineMs: 5_000 })
  await t.rejects(short.printHtml('<script>for (;;);</script>', {}, { owner: 'endless' }), { code: 'RENDER_TIMEOUT' })
  const seconds = await secondsOf('endless')
  t.ok(seconds > 0.05, `${seconds}`)
})

t.test('the documents of reused pages are counted for their owners', async (t) => {
  const rows = '<tr><td>cell</td></tr>'.repeat(2_000)
  for (const owner of ['first', 'second', 'first']) {
    await printer.printHtml(owner === 'first' ? `<table>${rows}</table>` : '<p>short', {}, { owner })
  }
  const [first, second] = await Promise.all([secondsOf('first'), secondsOf('second')])
  t.ok(second < first / 4, `${first} ${second}`)
})

t.test('owners above the limit share a label', async (t) => {
  const labels = new BoundedLabels(2)
  t.same(
    ['a', 'b', 'c', 'a', 'd'].map((owner) => labels.of(owner)),
    ['a', 'b', 'other', 'a', 'other'],
  )
})
