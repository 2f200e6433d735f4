import { Parser, type Result } from 'tap-parser'
import { tapOf } from './report.ts'
import type { FileResult } from './run-file.ts'

export interface Summary {
  /** Every assertion that failed, in the order of the report. */
  failures: readonly Failure[]
  /** Every test file that ended. */
  files: readonly { file: string; ms: number }[]
  /** The processes that files have left, which passed. */
  left: readonly { file: string; processes: readonly string[] }[]
}

export interface Failure {
  /** The test file, its subtests and the assertion. */
  path: readonly string[]
  /** The place of the assertion, the difference, and how a process ended, as lines. */
  details: readonly string[]
}

/** The parts of a diagnostic that help to find the cause, in this order. */
const told = [
  'expired',
  'left running',
  'ended',
  'stderr',
  'tapCaught',
  'code',
  'message',
  'diff',
  'found',
  'wanted',
  'compare',
  'stack',
  'source',
]
const maxDetailLines = 40
const maxLineLength = 200

/** Fills the summary while the parser reads the TAP report of a whole run. */
export function summarize(parser: Parser): Summary {
  const failures: Failure[] = []
  const files: { file: string; ms: number }[] = []
  const left: { file: string; processes: readonly string[] }[] = []
  collect(parser, [], failures)
  parser.on('assert', (result: Result) => {
    if (result.time) files.push({ file: result.name, ms: result.time })
    const { 'left running': processes } = diagnosticOf(result) as { 'left running'?: string }
    if (result.ok && processes) left.push({ file: result.name, processes: processes.trimEnd().split('\n') })
  })
  return { failures, files, left }
}

/** A test that only failed because of a subtest is not a failure of its own. */
function collect(parser: Parser, path: readonly string[], failures: Failure[]): void {
  let before = failures.length
  parser.on('child', (child: Parser) => {
    before = failures.length
    collect(child, [...path, child.name], failures)
  })
  parser.on('assert', (result: Result) => {
    const inSubtest = failures.length > before
    const failed = !result.ok && !result.skip && !result.todo
    // What a file has left running when its time was over explains the test that did not end.
    const explains = path.length === 0 && 'expired' in diagnosticOf(result)
    if (failed && (!inSubtest || explains))
      failures.push({ path: [...path, result.name], details: detailsOf(diagnosticOf(result)) })
    before = failures.length
  })
  parser.on('bailout', (reason: string) => failures.push({ path: [...path, `bailed out: ${reason}`], details: [] }))
}

function diagnosticOf({ diag }: Result): object {
  return typeof diag === 'object' && diag !== null ? diag : {}
}

function detailsOf(diagnostic: object): string[] {
  const values = new Map(Object.entries(diagnostic))
  return told
    .filter((key) => values.has(key) && values.get(key) !== null)
    .flatMap((key) => asLines(key, values.get(key)))
    .slice(0, maxDetailLines)
    .map((line) => line.slice(0, maxLineLength))
}

function asLines(key: string, value: unknown): string[] {
  if (typeof value === 'string' && value.includes('\n'))
    return [
      `${key}:`,
      ...value
        .trimEnd()
        .split('\n')
        .map((line) => `  ${line}`),
    ]
  return [`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`]
}

export function summaryLines({ failures, files, left }: Summary): string[] {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, 10)
  const times = [
    'The slowest test files:',
    ...slowest.map(({ file, ms }) => `${inSeconds(ms).padStart(8)} s  ${file}`),
    '',
  ]
  return [
    '',
    ...(files.length > 1 ? times : []),
    ...left.flatMap(({ file, processes }) => [
      `${file} has left processes running, which were killed:`,
      ...processes,
      '',
    ]),
    failures.length === 0 ? 'No test failed.' : `Failed: ${failures.length}`,
    ...failureLines(failures),
    '',
  ]
}

function failureLines(failures: Summary['failures']): string[] {
  return failures.flatMap(({ path, details }) => [
    '',
    `  ${path.join(' > ')}`,
    ...details.map((line) => `      ${line}`),
  ])
}

/** The failures of files that passed when they were run again. Each may be a rare defect. */
export function unstableLines(firstRuns: readonly FileResult[]): string[] {
  return firstRuns.flatMap((first) => {
    const parser = new Parser()
    const { failures } = summarize(parser)
    parser.end(`TAP version 14\n1..1\n${tapOf(first, 1)}`)
    return [`${first.file} failed, and passed when it was run again alone. At first:`, ...failureLines(failures), '']
  })
}

const inSeconds = (ms: number) => (ms / 1000).toFixed(1)
