import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { openMemoryCgroup } from '@platen/test-support/memory-cgroup.ts'
import t from 'tap'

const groupMb = 320
const group = openMemoryCgroup(groupMb)
t.teardown(() => group?.[Symbol.dispose]())
const skip = group ? false : 'no control group can be made'

/** What a process in the group prints. */
function inGroup(script: string): unknown {
  const imports = `
    import { execFileSync } from 'node:child_process'
    import { writeFileSync } from 'node:fs'
    import { groupLimitMb, isMemoryShort } from '${new URL('group-memory.ts', import.meta.url)}'
    import { PdfTools } from '${new URL('../pdf-tools.ts', import.meta.url)}'
    import { samplePdf } from '${new URL('../testing/sample-pdf.ts', import.meta.url)}'
    writeFileSync(${JSON.stringify(group?.processesFile)}, String(process.pid))
    const held = []
    const fill = () => held.push(Buffer.alloc(2 ** 21, 1))
    const bounds = { timeoutMs: 30_000, memoryMb: 1_024, maxPages: 100, maxBytes: 1e8 }
    const task = { sources: [{ bytes: await samplePdf() }], files: {}, operation: { operation: 'steps' } }`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', `${imports}\n${script}`], { encoding: 'utf8' })
  return JSON.parse(run.stdout || JSON.stringify({ failed: run.stderr, signal: run.signal }))
}

t.test(
  'memory is short when little of the limit of the group is left, without what files have in the cache',
  { skip },
  async (t) => {
    const file = JSON.stringify(join(t.testdir({}), 'large'))
    const result = inGroup(`
    const limit = groupLimitMb()
    execFileSync('dd', ['if=/dev/zero', 'of=' + ${file}, 'bs=1M', 'count=${groupMb}'], { stdio: 'ignore' })
    const before = await isMemoryShort()
    let mb = 0
    while (mb < limit && !(await isMemoryShort())) mb += fill() && 2
    console.log(JSON.stringify({ limit, before, isFilled: mb > limit / 3 && mb < limit }))`)
    t.strictSame(result, { limit: groupMb, before: false, isFilled: true })
  },
)

t.test('a task has a part of the memory of the group', { skip }, async (t) => {
  const result = inGroup(`
    await using tools = new PdfTools()
    const steps = { images: { format: 'png', width: 4_000 } }
    const failure = await tools.run({ ...task, steps }, bounds).catch((err) => err)
    console.log(JSON.stringify({ reason: failure.reason, message: failure.message }))`)
  t.match(result, { reason: 'out-of-memory', message: /more than 192 MiB/ })
})

t.test('a process that waits for work ends as soon as memory is short', { skip }, async (t) => {
  const result = inGroup(`
    await using tools = new PdfTools()
    await tools.run({ ...task, operation: { operation: 'rotate', degrees: 90 } }, bounds)
    const before = tools.isRunning
    while (!(await isMemoryShort())) fill()
    const until = Date.now() + 20_000
    while (tools.isRunning && Date.now() < until) await new Promise((done) => setTimeout(done, 20))
    console.log(JSON.stringify({ before, after: tools.isRunning }))`)
  t.strictSame(result, { before: true, after: false })
})
