import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '@platen/domain/http/errors.ts'
import t from 'tap'
import { descendantsOf, untilGone } from '../support/processes.ts'
import { openTestPrinter } from '../support/renderer/open-test-printer.ts'
import { until } from '../support/until.ts'
import type { Bomb } from './bombs/bomb.ts'
import { documentBombs } from './bombs/documents.ts'
import { scriptBombs } from './bombs/scripts.ts'
import { attack } from './support/attack.ts'
import { inParallel } from './support/in-parallel.ts'
import { privateMemory } from './support/memory.ts'

t.setTimeout(600_000)
const bombs: readonly Bomb[] = [...documentBombs, ...scriptBombs]
/** The time of a bomb, and that of the documents beside it, which are on a machine that is busy with bombs. */
const bombMs = 1_500
const deadlineMs = 120_000
const concurrency = 2
/** The time between the deadline and the caller's error, on a machine that is busy with bombs. */
const graceMs = 60_000
/** Attempts of a neighbour that times out. Bombs and other tests may use the whole machine. */
const tries = 3
const neighbour = '<h1>Neighbour</h1><p>prints</p>'
const limits = { pages: 100, pdfBytes: 5e6, resources: 100, resourceBytes: 1e6, resourceTimeoutMs: 1_000 }

class NeighbourFailed extends Error {
  readonly late: boolean

  constructor(message: string, late: boolean) {
    super(message)
    this.late = late
  }
}

await t.test('every bomb ends within its deadline, and documents printed beside it are not affected', async (t) => {
  await using printer = await openTestPrinter({ deadlineMs, slots: concurrency, limits })
  // Both browsers run: that of documents with scripts is started when one comes, and ends at rest.
  await printer.printHtml(neighbour)
  await printer.printHtml(`${neighbour}<script>document.title = 'scripted'</script>`)
  const processesBefore = (await descendantsOf(process.pid)).length
  const memoryBefore = await privateMemory()
  const done = new AbortController()
  const largest = watchLargest(done.signal)
  const running = new Set<string>()
  const neighbours = printNeighbours(async () => {
    const beside = [...running]
    await printer.printHtml(neighbour, {}, { owner: 'neighbour' }).catch((err: unknown) => {
      const late = err instanceof DomainError && err.code === 'RENDER_TIMEOUT'
      throw new NeighbourFailed(`beside ${beside.join(', ')}: ${err}`, late)
    })
  }, done.signal)

  await inParallel(bombs, concurrency, async (bomb) => {
    running.add(bomb.name)
    const late = delay(bombMs + graceMs, { late: true }, { ref: false })
    // A page that crashes has ended too.
    const outcome = await Promise.race([attack(printer, bomb, timeLimit()).catch((err: Error) => ({ err })), late])
    if ('late' in outcome) t.fail(`${bomb.name}: no outcome`)
    else if ('err' in outcome && outcome.err.name !== 'BrowserLost') t.fail(bomb.name, outcome)
    running.delete(bomb.name)
  })
  done.abort()

  const { failures, late, ms } = await neighbours
  t.same(failures, [], 'every neighbour is printed')
  t.ok(late.length <= ms.length / 10, `few neighbours timed out: ${late.length} of ${ms.length}`, { late })
  t.ok(ms.length > 10, `${ms.length} neighbours, p95 ${ms[Math.floor(ms.length * 0.95)]} ms`)
  t.ok((await largest) < 1_700, `at most ${Math.round(await largest)} MB in one process`)
  const isFreed = async () => {
    const { sum } = await privateMemory()
    const left = (await descendantsOf(process.pid)).length
    return (sum < memoryBefore.sum + 300 && left <= processesBefore + 2) || undefined
  }
  await until(isFreed, async () => `${(await privateMemory()).sum} MB in use, ${memoryBefore.sum} MB before`)
  t.equal((await printer.printHtml(neighbour)).pages, 1)
})

function timeLimit(): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DomainError('RENDER_TIMEOUT', 'The bomb has had its time')), bombMs).unref()
  return controller.signal
}

await t.test('a printer that is disposed of while it prints bombs leaves no process behind', async () => {
  const printer = await openTestPrinter({ deadlineMs: 60_000, slots: concurrency })
  const some = bombs.filter(({ name }) => ['endless loop', 'deep nesting', 'workers', 'endless dialogs'].includes(name))
  const printing = Promise.allSettled(some.map((bomb) => attack(printer, bomb)))
  await delay(500)
  const started = await descendantsOf(process.pid)
  t.ok(started.length > 5)
  await printer[Symbol.asyncDispose]()
  await printing
  await untilGone(started)
})

async function printNeighbours(print: () => Promise<unknown>, signal: AbortSignal) {
  const failures: string[] = []
  const late: string[] = []
  const ms: number[] = []
  const printOnce = async () => {
    const start = performance.now()
    const failed: NeighbourFailed | undefined = await print().then(
      () => undefined,
      (err) => err,
    )
    ms.push(Math.round(performance.now() - start))
    return failed
  }
  while (!signal.aborted) {
    let failed = await printOnce()
    for (let tried = 1; failed?.late && tried < tries; tried++) {
      late.push(failed.message)
      failed = await printOnce()
    }
    if (failed) failures.push(failed.message)
    await delay(100)
  }
  return { failures, late, ms: ms.sort((a, b) => a - b) }
}

async function watchLargest(signal: AbortSignal): Promise<number> {
  let largest = 0
  while (!signal.aborted) {
    largest = Math.max(largest, (await privateMemory()).largest)
    await delay(250)
  }
  return largest
}
