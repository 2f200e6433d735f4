import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import { openTestPrinter, type TestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { killNow } from '../../../../test/support/kill-now.ts'
import { readPdf } from '../../../../test/support/read-pdf.ts'
import { BrowserUnavailable } from '../chromium/browser/browser-errors.ts'

t.setTimeout(600_000)

interface Process {
  pid: number
  parent: number
  state: string
  command: string
}

function processes(): Process[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [pid, parent, state = '', ...command] = line.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), state, command: command.join(' ') }
  })
}

/** All descendants of this process. */
function descendants(of = process.pid, all = processes()): Process[] {
  const children = all.filter(({ parent }) => parent === of)
  return children.flatMap((child) => [child, ...descendants(child.pid, all)])
}

const isBrowser = ({ command }: Process) => /chrom/.test(command) && !/--type=|^\/bin\/sh/.test(command)
const killBrowser = () => {
  for (const { pid } of descendants().filter(isBrowser)) killNow(pid)
}
const pagePids = () =>
  descendants()
    .filter(({ command }) => command.includes('--type=renderer'))
    .map(({ pid }) => pid)
const browserPids = (printer: TestPrinter) => Object.values(printer.state()).flatMap(({ pid }) => pid ?? [])

/** Polls for some minutes, and then rejects with what `seen` returns. */
const until = async (reached: () => boolean, seen: () => unknown = descendants) => {
  for (let polls = 0; !reached(); polls++) {
    if (polls === 3_000) throw new Error(`not reached: ${JSON.stringify(seen())}`)
    await delay(100)
  }
}
const endless = '<p>x</p><script>for (;;);</script>'
/** A printer of which both browsers run. */
async function openRunningPrinter(options: Parameters<typeof openTestPrinter>[0] = {}): Promise<TestPrinter> {
  const printer = await openTestPrinter(options)
  await printer.printHtml('<script>document.title = "x"</script>')
  return printer
}

const slow = '<p>slow but sure</p><script>const end = Date.now() + 700; while (Date.now() < end);</script>'

t.test('documents of a killed browser are printed by the next one', async (t) => {
  await using printer = await openRunningPrinter()
  const printing = Promise.all([printer.printHtml(slow), printer.printHtml(slow)])
  setTimeout(killBrowser, 300)
  for (const { pdf } of await printing) t.match(await readPdf(pdf), [{ text: 'slow but sure' }])
  await printer.check()
})

t.test('a document whose page is killed six times is still printed', async (t) => {
  await using printer = await openRunningPrinter({ slots: 1 })
  const printing = printer.printHtml(slow.replace('700', '1500'))
  for (let kills = 0; kills < 6; kills++) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    for (const pid of pagePids()) killNow(pid)
  }
  t.match(await readPdf((await printing).pdf), [{ text: 'slow but sure' }])
})

t.test('a browser whose zygotes are killed is replaced', async (t) => {
  await using printer = await openRunningPrinter({ slots: 1, deadlineMs: 60_000 })
  const zygotes = descendants().filter(({ command }) => command.includes('--type=zygote'))
  for (const { pid } of zygotes) killNow(pid)
  for (let i = 0; i < 4; i++) t.match(await readPdf((await printer.printHtml(slow)).pdf), [{ text: 'slow but sure' }])
  const left = () => processes().some(({ pid }) => zygotes.some((zygote) => zygote.pid === pid))
  await until(() => !left())
})

/** A browser that is just being started may lose the process, too. */
async function untilPrinted(printer: TestPrinter, html: string): Promise<{ pages: number }> {
  return printer.printHtml(html).catch(async (err) => {
    if (!(err instanceof BrowserUnavailable)) throw err
    await delay(100)
    return untilPrinted(printer, html)
  })
}

t.test('a killed network process does not block the reset of pages', async (t) => {
  await using printer = await openTestPrinter({ slots: 1 })
  for (let kills = 0; kills < 10; kills++) {
    // Its page is reset after each of these documents.
    const printing = untilPrinted(printer, '<meta name="color-scheme" content="dark">x')
    await delay(kills * 10)
    for (const { pid, command } of descendants()) if (command.includes('--type=utility')) killNow(pid)
    t.equal((await printing).pages, 1)
  }
  t.equal((await printer.printHtml('after')).pages, 1)
})

t.test('a browser above the memory limit is replaced while documents are printed', async (t) => {
  const folder = t.testdir({})
  const [executablePath, held] = [join(folder, 'chromium-headless-shell'), join(folder, 'held')]
  const chromium = findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? '')
  // Starts are held up as long as there is this file.
  const script = `#!/bin/sh\nwhile [ -e '${held}' ]; do sleep 0.1; done\nexec ${chromium} "$@"\n`
  await writeFile(executablePath, script, { mode: 0o755 })
  await using printer = await openTestPrinter({ executablePath, recycle: { aboveBytes: 1, afterDocuments: 1e6 } })
  await writeFile(held, '')
  const isStarting = () => descendants().some(({ command }) => command.includes(executablePath))
  while (!isStarting()) await printer.printHtml('fine')
  const [first] = browserPids(printer)
  t.equal((await printer.printHtml('meanwhile')).pages, 1)
  t.equal(browserPids(printer)[0], first)
  await rm(held)
  await until(() => ![first, undefined].includes(browserPids(printer)[0]))
  t.ok(printer.state().static.replaced.memory > 0)
  t.match(printer.state(), { static: { replaced: { documents: 0, age: 0, crash: 0 } } })
})

t.test('a document that crashes its page three times fails', async (t) => {
  await using printer = await openTestPrinter({ deadlineMs: 120_000 })
  const crash = printer.printHtml('x<script>const hoard = []; for (;;) hoard.push(new Array(1e6).fill(1.5))</script>')
  await t.rejects(crash, { code: 'RENDER_FAILED', message: /^The document crashed its page repeatedly/ })
  t.equal((await printer.printHtml('fine')).pages, 1)
})

t.test('an endless script fails at its deadline, and other documents are printed', async (t) => {
  await using printer = await openTestPrinter()
  const timeout_ms = 1_500
  const onload = 'x<script>onload = () => { for (;;); }</script>'
  const bombs = [endless, onload].map((html) => printer.printHtml(html, { timeout_ms }))
  const late = { code: 'RENDER_TIMEOUT', message: 'The document was not printed within 1.5 s' }
  const settled = Promise.all(bombs.map((bomb) => t.rejects(bomb, late)))
  t.match(await readPdf((await printer.printHtml('<p>neighbour</p>')).pdf), [{ text: 'neighbour' }])
  await settled
  t.equal((await printer.printHtml('after')).pages, 1)
})

t.test('a cancelled document rejects at once with the reason and frees its slot', async (t) => {
  await using printer = await openTestPrinter({ slots: 1 })
  const cancel = new AbortController()
  const job = { signal: cancel.signal }
  const printing = printer.printHtml(endless, {}, job)
  const queued = printer.printHtml(endless, {}, job)
  const next = printer.printHtml('next')
  setTimeout(() => cancel.abort(new Error('cancelled by its owner')), 200)
  await t.rejects(printing, { message: 'cancelled by its owner' })
  await t.rejects(queued, { message: 'cancelled by its owner' })
  t.equal((await next).pages, 1)
  await t.rejects(printer.printHtml('x', {}, { signal: AbortSignal.abort(new Error('already')) }), {
    message: 'already',
  })
})

t.test('twelve documents at once are printed, each with its own content', async (t) => {
  await using printer = await openTestPrinter()
  const printed = await Promise.all(Array.from({ length: 12 }, (_, i) => printer.printHtml(`<p>document ${i}</p>`, {})))
  const texts = await Promise.all(printed.map(async ({ pdf }) => (await readPdf(pdf))[0]?.text))
  t.same(
    texts,
    texts.map((_, i) => `document ${i}`),
  )
})

t.test('a browser is replaced after its number of documents, without losing one or leaving a process', async (t) => {
  await using printer = await openTestPrinter({ recycle: { afterDocuments: 4, afterMs: 3_600_000 } })
  // Its first start may have failed.
  await until(() => browserPids(printer).length > 0)
  const [first] = browserPids(printer)
  for (let i = 0; i < 6; i++) await Promise.all([printer.printHtml('a'), printer.printHtml('b')])
  await until(
    () => ![first, undefined].includes(browserPids(printer)[0]),
    () => printer.state(),
  )
  await until(() => !processes().some(({ pid }) => pid === first))
  t.match(printer.state(), { static: { up: true, replaced: { documents: Number, age: 0, memory: 0, crash: 0 } } })
})

t.test('without a browser, prints reject with BrowserUnavailable until one can be started', async (t) => {
  const folder = t.testdir({})
  const executablePath = `${folder}/browser`
  await using printer = await openTestPrinter({ executablePath })
  await t.rejects(printer.printHtml('x'), BrowserUnavailable)
  await t.rejects(printer.check(), BrowserUnavailable)
  execFileSync('ln', [
    '-s',
    execFileSync('which', ['chromium-headless-shell'], { encoding: 'utf8' }).trim(),
    executablePath,
  ])
  for (let ready = false; !ready; ) {
    ready = await printer.check().then(
      () => true,
      () => false,
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  t.match(await printer.printHtml('x'), { pages: 1, engine: { name: 'chromium', version: /^\d+\.\d+/ } })
})

t.test('disposing of a printer that is printing leaves no process, running or defunct', async (t) => {
  const printer = await openTestPrinter()
  const printing = [printer.printHtml(endless), printer.printHtml(slow)]
  const settled = Promise.all(printing.map((print) => t.rejects(print)))
  await new Promise((resolve) => setTimeout(resolve, 200))
  const started = descendants().map(({ pid }) => pid)
  t.ok(started.length > 3)
  await printer[Symbol.asyncDispose]()
  await settled
  await t.rejects(printer.printHtml('x'), BrowserUnavailable)
  // Helper processes exit a moment after their browser.
  await until(() => !processes().some(({ pid }) => started.includes(pid)))
})
