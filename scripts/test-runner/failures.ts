import { Parser, type Result } from 'tap-parser'
import type { FileResult } from './test-worker.ts'

/** The parts of a diagnostic that help to find the cause, in this order. */
const shown = ['tapCaught', 'code', 'message', 'expired', 'diff', 'found', 'wanted', 'compare', 'stack', 'source']
const maxDetailLines = 40
const maxLineLength = 200

/** What went wrong in a file, as lines: each failed assertion with its subtests, and how the process ended. */
export function failureLines({ file, report, problems }: FileResult): string[] {
  const lines: string[] = []
  const parser = new Parser({ omitVersion: true })
  collect(parser, [file], lines)
  parser.end(report)
  const ofFile = Object.entries(problems).flatMap(([name, text]) => detail(name, text))
  return [...lines, ...(ofFile.length > 0 ? ['', `  ${file}`, ...indented(ofFile)] : [])]
}

/** A test that only failed because of a subtest is not a failure of its own. */
function collect(parser: Parser, path: readonly string[], lines: string[]): void {
  let before = lines.length
  parser.on('child', (child: Parser) => {
    before = lines.length
    collect(child, [...path, child.name], lines)
  })
  parser.on('assert', (result: Result) => {
    const inSubtest = lines.length > before
    if (!result.ok && !result.skip && !result.todo && !inSubtest) {
      lines.push('', `  ${[...path, result.name].join(' > ')}`, ...indented(detailsOf(result)))
    }
    before = lines.length
  })
  parser.on('bailout', (reason: string) => lines.push('', `  ${[...path, `bailed out: ${reason}`].join(' > ')}`))
}

function detailsOf({ diag }: Result): string[] {
  const values = new Map<string, unknown>(Object.entries(typeof diag === 'object' && diag !== null ? diag : {}))
  return shown.flatMap((name) => (values.get(name) == null ? [] : detail(name, values.get(name))))
}

function detail(name: string, value: unknown): string[] {
  const text = typeof value === 'string' ? value.trimEnd() : JSON.stringify(value)
  return text.includes('\n') ? [`${name}:`, ...text.split('\n').map((line) => `  ${line}`)] : [`${name}: ${text}`]
}

function indented(lines: readonly string[]): string[] {
  return lines.slice(0, maxDetailLines).map((line) => `      ${line.slice(0, maxLineLength)}`)
}
