import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { TemplateComparison, TemplateDifference } from '@platen/domain/generation/template-comparison.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { contentFields } from '@platen/domain/template/template-content.ts'
import { compareJson } from '@platen/foundation/json/compare-json.ts'
import { createTwoFilesPatch, formatPatch } from 'diff'

const maxDifferences = 500
const sources: readonly string[] = ['html', 'header_html', 'footer_html', 'helpers']

/** The differences of two versions: sources as a unified diff, other fields by the paths in them. */
export async function compareVersions(from: Template, to: Template): Promise<TemplateComparison> {
  const changed = contentFields.filter((field) => !isDeepStrictEqual(from[field], to[field]))
  const differences: TemplateDifference[] = []
  for (const field of changed) {
    await setImmediate()
    if (!sources.includes(field)) {
      differences.push(...compareJson(field, from[field], to[field], maxDifferences + 1 - differences.length))
      continue
    }
    const texts = { before: String(from[field] ?? ''), after: String(to[field] ?? '') }
    const names = { older: `${field} (version ${from.version})`, newer: `${field} (version ${to.version})` }
    differences.push({ path: field, diff: unifiedDiff({ ...texts, ...names }) })
  }
  const truncated = differences.length > maxDifferences
  return {
    from: from.version,
    to: to.version,
    changed,
    differences: differences.slice(0, maxDifferences),
    ...(truncated && { truncated }),
  }
}

/** Meanwhile no other request is served. */
const maxMs = 25

export interface ComparedTexts {
  before: string
  after: string
  /** The names of the texts in the diff. */
  older: string
  newer: string
}

/** A unified diff by lines. Of texts that differ too much, all that is between their first and last difference. */
export function unifiedDiff({ before, after, older, newer }: ComparedTexts): string {
  return (
    createTwoFilesPatch(older, newer, before, after, undefined, undefined, { context: 3, timeout: maxMs }) ??
    wholeDiff({ before, after, older, newer })
  )
}

function wholeDiff({ before, after, older, newer }: ComparedTexts): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  const shortest = Math.min(old.length, now.length)
  let start = 0
  while (start < shortest && old[start] === now[start]) start++
  let end = 0
  while (end < shortest - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const [removed, added] = [old.slice(start, old.length - end), now.slice(start, now.length - end)]
  const lines = [...marked('-', removed), ...marked('+', added)]
  const at = (count: number) => (count === 0 ? start : start + 1)
  return formatPatch({
    oldFileName: older,
    newFileName: newer,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [
      {
        oldStart: at(removed.length),
        oldLines: removed.length,
        newStart: at(added.length),
        newLines: added.length,
        lines,
      },
    ],
  })
}

/** The lines with their ends. */
const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const noEnd = '\\ No newline at end of file'

function marked(sign: '-' | '+', lines: readonly string[]): string[] {
  return lines.flatMap((line) => (line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, noEnd]))
}
