import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Template } from '@platen/domain/template/template.ts'
import { contentFields } from '@platen/domain/template/template-content.ts'
import type { TemplateComparison, TemplateDifference } from '@platen/domain/template/template-versions.ts'
import { compareJson } from '@platen/foundation/json/compare-json.ts'
import { unifiedDiff } from './unified-diff.ts'

const maxDifferences = 500
const sources: readonly string[] = ['html', 'header_html', 'footer_html']

/** What differs between two versions: sources as a unified diff, other fields by the paths in them. */
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
