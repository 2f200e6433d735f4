import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t, { type Test } from 'tap'
import { descendantsOf } from '../../../../test/support/processes.ts'

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

t.test('an open printer has pages open, and opens others when more are printed at once', async (t) => {
  await using printer = await openTestPrinter({ slots: 2 })
  const pages = async () =>
    (await descendantsOf(process.pid)).filter(({ command }) => command.includes('--type=renderer')).length
  t.equal(await pages(), 2)
  await Promise.all(Array.from({ length: 4 }, () => printer.printHtml('<p>static')))
  t.ok((await pages()) > 2)
  t.match(printer.state(), { static: { up: true }, scripted: { up: true } })
})

t.test('the first static document takes as long as the others', async (t) => {
  // On a busy machine one first document may be slow, but not that of each printer.
  const tried: string[] = []
  while (tried.length < 4) {
    const [first = 0, ...others] = await durations(t)
    const times = first / median(others)
    const summary = `${times.toFixed(1)} times the median: ${[first, ...others].map(Math.round).join(' ')}`
    if (times < 12) return t.pass(summary)
    tried.push(summary)
  }
  t.fail('each first document took long', { tried })
})

async function durations(t: Test): Promise<number[]> {
  await using printer = await openTestPrinter({ slots: 1 })
  const took: number[] = []
  for (let n = 0; n < 10; n++) {
    const start = performance.now()
    const { engine } = await printer.printHtml('<h1>Hello</h1>')
    took.push(performance.now() - start)
    t.equal(engine.mode, 'static')
  }
  return took
}
