import { readdirSync, readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { deflateSync } from 'node:zlib'
import { PDFDocument } from '@cantoo/pdf-lib'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import t, { type Test } from 'tap'
import { PdfTools } from './pdf-tools.ts'
import type { PdfToolFailed } from './task/pdf-tool-failed.ts'
import type { PdfBounds, PdfTask } from './task/task.ts'
import { nestedForms, repeatedPicture, spaces } from './testing/bombs.ts'
import { samplePdf } from './testing/sample-pdf.ts'

const bounds: PdfBounds = { timeoutMs: 30_000, memoryMb: 512, maxPages: 1_000, maxBytes: 50 * 2 ** 20 }
const merge = { operation: 'merge' } as const
const taskOf = (...sources: Uint8Array[]): PdfTask => ({
  sources: sources.map((bytes) => ({ bytes })),
  files: {},
  operation: merge,
})

/** That it is rejected with a PdfToolFailed. */
async function fails(t: Test, running: Promise<unknown>, wanted: object): Promise<void> {
  const failure = await running.then(
    () => 'no failure',
    (err) => err,
  )
  t.match(failure, { name: 'PdfToolFailed', ...wanted })
}

t.test('a task runs in a process, which the next one uses too', async (t) => {
  await using tools = new PdfTools()
  const task = taskOf(await samplePdf(), await samplePdf())
  const [first, second] = await Promise.all([tools.run(task, bounds), tools.run(task, bounds)])
  t.equal(first.files[0]?.pages, 6)
  t.match(first.steps, [{ step: 'merge', bytes: first.files[0]?.bytes.byteLength, sha256: /^[0-9a-f]{64}$/ }])
  t.strictSame(first.files, second.files)
})

t.test('what is no PDF fails with the reason, and the process goes on', async (t) => {
  await using tools = new PdfTools()
  const truncated = (await samplePdf()).subarray(0, 700)
  const cases: [Uint8Array, Partial<PdfToolFailed>][] = [
    [Buffer.from('<html>'), { reason: 'unreadable', step: 'merge', message: 'is no PDF' }],
    [truncated, { reason: 'unreadable', message: 'source 1.*is cut off' }],
    [new Uint8Array(), { reason: 'unreadable' }],
  ]
  for (const [bytes, { reason, message = '' }] of cases) {
    await fails(t, tools.run(taskOf(bytes), bounds), { reason, message: new RegExp(message) })
  }
  t.equal((await tools.run(taskOf(await samplePdf()), bounds)).files.length, 1)
})

t.test('pages and bytes are bounded', async (t) => {
  await using tools = new PdfTools()
  const task = taskOf(await samplePdf(), await samplePdf())
  await fails(t, tools.run(task, { ...bounds, maxPages: 5 }), { reason: 'too-many-pages', message: /5 pages/ })
  await fails(t, tools.run(task, { ...bounds, maxBytes: 1_000 }), { reason: 'too-large' })
})

t.test('a task that takes too long is ended, and the next one gets a new process', async (t) => {
  await using tools = new PdfTools()
  const started = tools.run(taskOf(await manyPages(20_000)), { ...bounds, maxPages: 100_000, timeoutMs: 300 })
  await fails(t, started, { reason: 'out-of-time', message: /0\.3 s/ })
  t.equal((await tools.run(taskOf(await samplePdf()), bounds)).files.length, 1)
})

t.test('a page that takes a processor for too long ends the process long before the time of the task', async (t) => {
  await using tools = new PdfTools()
  const pictures = { images: { format: 'png' } } as const
  const steps = { ...taskOf(repeatedPicture()), operation: { operation: 'steps' }, steps: pictures } as const
  const compare = {
    ...taskOf(await samplePdf(), repeatedPicture()),
    operation: { operation: 'compare', images: false, ignored: [] },
  } as const
  for (const task of [steps, compare]) {
    await fails(t, tools.run(task, bounds), { reason: 'out-of-time', message: /^A page or a step of the PDF takes/ })
  }
  // Several pages may take longer together than one may.
  const large = { ...steps, sources: [{ bytes: await manyPages(16, [595, 842]) }] }
  const { files } = await tools.run({ ...large, steps: { images: { format: 'png', dpi: 300 } } }, bounds)
  t.equal(files.length, 16)
})

t.test('an object stream that explodes ends the process, and nothing else', async (t) => {
  await using tools = new PdfTools()
  await fails(t, tools.run(taskOf(bomb()), { ...bounds, memoryMb: 200 }), { reason: 'out-of-memory' })
  t.equal((await tools.run(taskOf(await samplePdf()), bounds)).files.length, 1)
})

t.test('tasks at once have a process each, and the next one has the process that was used last', async (t) => {
  await using tools = new PdfTools({ processes: 2 })
  const task = taskOf(await samplePdf())
  await Promise.all([tools.run(task, bounds), tools.run(task, bounds), tools.run(task, bounds)])
  const started = children()
  t.equal(started.length, 2)
  for (let run = 0; run < 5; run++) await tools.run(task, bounds)
  t.strictSame(children(), started)
})

t.test('the kernel ends the process before all others if memory is short', async (t) => {
  await using tools = new PdfTools()
  await tools.run(taskOf(await samplePdf()), bounds)
  for (const pid of children()) t.equal(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim(), '1000')
})

t.test('pages that take memory without end are refused, and the memory is free before the next task', async (t) => {
  await using tools = new PdfTools()
  const little = { ...bounds, memoryMb: 256 }
  const bombs = [spaces(900), nestedForms()]
  const before = process.memoryUsage.rss()
  const compare = { operation: 'compare', images: false, ignored: [] } as const
  const draw = { operation: { operation: 'steps' }, steps: { images: { format: 'png' } } } as const
  for (const bytes of bombs) {
    t.ok(bytes.byteLength < 2 ** 20)
    const sources = [{ bytes }, { bytes: await samplePdf() }]
    const refused = { reason: 'out-of-memory', message: /more than 256 MiB/ }
    await fails(t, tools.run({ sources, files: {}, operation: compare }, little), { step: 'compare', ...refused })
    t.strictSame(children(), [], 'the process is gone')
    await fails(t, tools.run({ sources: [{ bytes }], files: {}, ...draw }, little), { step: 'images', ...refused })
    t.strictSame(children(), [])
    const next = await tools.run({ sources: [{ bytes: await samplePdf() }], files: {}, ...draw }, little)
    t.equal(next.files.length, 3)
  }
  t.ok(process.memoryUsage.rss() - before < 100 * 2 ** 20, 'this process has not grown')
})

t.test('an aborted task is ended at once, also while it waits', async (t) => {
  await using tools = new PdfTools()
  const task = taskOf(await manyPages(20_000))
  const long = { ...bounds, maxPages: 100_000 }
  const [running, waiting] = [new AbortController(), new AbortController()]
  const results = [
    t.rejects(tools.run(task, long, { signal: running.signal }), /first/),
    t.rejects(tools.run(task, long, { signal: waiting.signal }), /second/),
  ]
  waiting.abort(new Error('second'))
  setTimeout(() => running.abort(new Error('first')), 100)
  await Promise.all(results)
  while (children().length > 0) await sleep(5)
})

t.test('a process without work ends', async (t) => {
  await using tools = new PdfTools({ idleMs: 1 })
  await tools.run(taskOf(await samplePdf()), bounds)
  t.equal(tools.isRunning, true)
  while (tools.isRunning) await sleep(5)
  t.equal((await tools.run(taskOf(await samplePdf()), bounds)).files.length, 1)
})

t.test('a process ends after its last task', async (t) => {
  await using tools = new PdfTools({ maxTasks: 2 })
  for (const isRunning of [true, false, true]) {
    await tools.run(taskOf(await samplePdf()), bounds)
    t.equal(tools.isRunning, isRunning)
  }
})

t.test('a process that exits is a failure of its first task, and a later one is repeated in another', async (t) => {
  await using tools = new PdfTools()
  const long = () => tools.run(taskOf(pages), { ...bounds, maxPages: 100_000 })
  const pages = await manyPages(20_000)
  const first = long()
  while (children().length === 0) await sleep(5)
  kill('SIGKILL')
  await fails(t, first, { reason: 'crashed' })
  await tools.run(taskOf(await samplePdf()), bounds)
  const later = long()
  await sleep(100)
  kill('SIGKILL')
  t.equal((await later).files[0]?.pages, 20_000)
})

t.test('the signals of a terminal do not end the process', async (t) => {
  await using tools = new PdfTools()
  const task = taskOf(await samplePdf())
  await tools.run(task, bounds)
  const before = children()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) kill(signal)
  await tools.run(task, bounds)
  t.strictSame(children(), before)
})

t.test('a task is not held when it has ended', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  await using tools = new PdfTools()
  const run = async () => {
    const task = taskOf(await samplePdf())
    await tools.run(task, bounds)
    return new WeakRef(task)
  }
  const task = await run()
  for (let turn = 0; turn < 50 && task.deref(); turn++) {
    await sleep(10)
    collect()
  }
  t.equal(tools.isRunning, true)
  t.equal(task.deref(), undefined)
})

/** The processes that this one has started. */
function children(): number[] {
  const all = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  return all.map(Number).filter((pid) => parentOf(pid) === process.pid)
}

function parentOf(pid: number): number | undefined {
  try {
    // After the name, which may have spaces: the state, and the process id of the parent (proc(5)).
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return undefined
  }
}

function kill(signal: NodeJS.Signals): void {
  for (const pid of children()) process.kill(pid, signal)
}

async function manyPages(count: number, size: [number, number] = [100, 100]): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  for (let page = 0; page < count; page++) document.addPage(size)
  return document.save({ objectsPerTick: Number.POSITIVE_INFINITY })
}

/** 5 object streams of 300 MiB each, in 2 MB. */
function bomb(): Uint8Array {
  const data = deflateSync(Buffer.alloc(300 * 2 ** 20, '0 '))
  const head = (number: number) =>
    `${number} 0 obj\n<</Type /ObjStm /N 1 /First 10 /Filter /FlateDecode /Length ${data.byteLength}>>\nstream\n`
  const objects = Array.from({ length: 5 }, (_, at) =>
    Buffer.concat([Buffer.from(head(at + 10)), data, Buffer.from('\nendstream\nendobj\n')]),
  )
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects,
    Buffer.from('trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF'),
  ])
}
