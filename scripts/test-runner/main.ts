import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Parser } from 'tap-parser'
import { chooseFiles } from './choose-files.ts'
import { tapOf, totalsLine, totalsOf } from './report.ts'
import { type FileResult, runFile } from './run-file.ts'
import { summarize, summaryLines, unstableLines } from './summary.ts'

const usage = `usage: npm test                                   the checks and all tests
       npm test -- [options] <files or folders>   tests, without the checks

  --jobs <n>         files at the same time (3: most wait much, and that many keep two cores busy)
  --timeout <s>      for a file that does not set its own (600)
  --again <n>        run up to so many failed files a second time, alone (3 without files, else 0)
`

process.exitCode = await main(process.argv.slice(2))

/** Resolves with the exit code: 0 all passed, 1 a test failed, 2 usage. */
async function main(args: string[]): Promise<number> {
  const plan = readArguments(args)
  if (typeof plan === 'string') {
    process.stderr.write(plan)
    return 2
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  const parser = new Parser()
  const summary = summarize(parser)
  const results: FileResult[] = []
  // A log gets all output, with the failures and the slowest files at its end. A terminal gets a line for each file.
  const isLog = !process.stdout.isTTY
  const write = (tap: string) => {
    parser.write(tap)
    if (isLog) process.stdout.write(tap)
  }
  const startedAt = performance.now()
  write(`TAP version 14\n1..${plan.files.length}\n`)
  const waiting = plan.files.values()
  const run = (file: string) => runFile(file, { env: process.env, timeoutMs: plan.timeoutMs, signal: stop.signal })
  const report = (result: FileResult) => {
    results.push(result)
    write(tapOf(result, results.length))
    if (!isLog) process.stdout.write(lineOf(result))
  }
  const failed: FileResult[] = []
  const work = async () => {
    for (const file of waiting) {
      if (stop.signal.aborted) return
      const result = await run(file)
      if (result.ok || plan.again === 0) report(result)
      else {
        failed.push(result)
        write(`# ${file} failed\n`)
      }
    }
  }
  await Promise.all(Array.from({ length: plan.jobs }, work))
  // Alone, a file that failed for want of the processor passes. Many files do not fail by chance.
  const unstable: FileResult[] = []
  for (const first of failed) {
    const second = failed.length <= plan.again && !stop.signal.aborted ? await run(first.file) : first
    report(second)
    if (second.ok) unstable.push(first)
  }
  const totals = totalsOf(results)
  write(`${totalsLine(totals)}\n# time=${Math.round(performance.now() - startedAt)}ms\n`)
  parser.end()
  process.stdout.write(`${[...summaryLines(summary), ...unstableLines(unstable)].join('\n')}\n`)
  if (!isLog) process.stdout.write(`${totalsLine(totals)}\n`)
  return totals.fail > 0 || stop.signal.aborted || results.some(({ ok }) => !ok) ? 1 : 0
}

function readArguments(args: string[]) {
  try {
    const options = {
      jobs: { type: 'string', default: '3' },
      timeout: { type: 'string', default: '600' },
      again: { type: 'string' },
    } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const again = Number(values.again ?? (positionals.length === 0 ? 3 : 0))
    if (!Number.isInteger(again) || again < 0) throw new Error(`${values.again} is not a number of files`)
    const files = chooseFiles(fileURLToPath(new URL('../..', import.meta.url)), positionals)
    return { files, again, jobs: positive(values.jobs), timeoutMs: positive(values.timeout) * 1000 }
  } catch (err) {
    return `npm test: ${(err as Error).message}\n\n${usage}`
  }
}

function positive(text: string): number {
  const number = Number(text)
  if (!(number > 0)) throw new Error(`${text} is not a positive number`)
  return number
}

function lineOf({ file, ok, ms }: FileResult): string {
  return `${ok ? 'ok    ' : 'FAILED'} ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}\n`
}
