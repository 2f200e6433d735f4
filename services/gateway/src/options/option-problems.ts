import { parsePageRanges } from '@platen/domain/document/page-ranges.ts'
import { paperSizeMm, type ResolvedPdfOptions } from '@platen/domain/document/pdf-options.ts'
import { excludedByForms } from '@platen/domain/document/step-conflicts.ts'
import type { FieldProblem } from '@platen/domain/http/http.ts'
import { isLocale, isTimezone, pathOf } from '@platen/foundation/language.ts'
import { outputProblems } from './output-problems.ts'

const minSheetMm = 5
/** The longest side of a PDF page (ISO 32000-1, annex C). */
const maxSheetMm = 5_080

/** Problems of options that match their JSON schema. */
export function optionProblems(options: ResolvedPdfOptions): FieldProblem[] {
  const problems: FieldProblem[] = []
  const { margin, format, page_ranges } = options
  const { width, height } = paperSizeMm(options)
  for (const [side, mm] of Object.entries({ width, height })) {
    if (mm < minSheetMm || mm > maxSheetMm) {
      problems.push({ path: `options.${side}`, message: `must be ${minSheetMm} to ${maxSheetMm} mm` })
    }
  }
  if (margin.left + margin.right >= width || margin.top + margin.bottom >= height) {
    const named = options.width === undefined && options.height === undefined
    const size = `${round(width)} x ${round(height)} mm`
    const sheet = named ? `${format}${options.landscape ? ' landscape' : ''}, ${size}` : size
    problems.push({ path: 'options.margin', message: `leaves no room on the page (${sheet})` })
  }
  const rangesProblem = page_ranges === undefined ? undefined : pageRangesProblem(page_ranges)
  if (rangesProblem !== undefined) problems.push({ path: 'options.page_ranges', message: rangesProblem })
  return [
    ...problems,
    ...waitForProblems(options),
    ...baseUrlProblems(options),
    ...failOnProblems(options),
    ...languageProblems(options),
    ...formProblems(options),
    ...(options.output ? outputProblems(options.output, 'options.output') : []),
  ]
}

const round = (mm: number) => Math.round(mm * 10) / 10

function baseUrlProblems({ base_url }: ResolvedPdfOptions): FieldProblem[] {
  if (base_url === undefined) return []
  const url = URL.parse(base_url)
  const path = 'options.base_url'
  if (!url || !/^https?:$/.test(url.protocol)) return [{ path, message: 'must be an absolute http or https URL' }]
  return url.username || url.password ? [{ path, message: 'must not contain credentials' }] : []
}

function formProblems({ form_fields, output }: ResolvedPdfOptions): FieldProblem[] {
  if (form_fields !== true || !output) return []
  return excludedByForms.flatMap(([step, reason]) =>
    output[step] === undefined
      ? []
      : [{ path: 'options.form_fields', message: `cannot be given together with options.output.${step}: ${reason}` }],
  )
}

function failOnProblems({ fail_on = [] }: ResolvedPdfOptions): FieldProblem[] {
  if (new Set(fail_on).size === fail_on.length) return []
  return [{ path: 'options.fail_on', message: 'must not contain duplicates' }]
}

function languageProblems({ locale, timezone }: ResolvedPdfOptions): FieldProblem[] {
  const problems: FieldProblem[] = []
  const path = ', or {{path}} for one that the data have'
  if (locale !== undefined && pathOf(locale) === undefined && !isLocale(locale)) {
    problems.push({ path: 'options.locale', message: `must be a language tag such as de-DE${path}` })
  }
  if (timezone !== undefined && pathOf(timezone) === undefined && !isTimezone(timezone)) {
    problems.push({ path: 'options.timezone', message: `must be a time zone such as Europe/Berlin${path}` })
  }
  return problems
}

function waitForProblems({ wait_for, javascript }: ResolvedPdfOptions): FieldProblem[] {
  if (wait_for === undefined) return []
  const path = 'options.wait_for'
  const problems: FieldProblem[] = []
  if (Object.keys(wait_for).length !== 1) {
    problems.push({ path, message: 'must have exactly one of selector, expression, ms' })
  }
  if (javascript === 'off') problems.push({ path, message: 'needs scripts; remove options.javascript: off' })
  return problems
}

function pageRangesProblem(text: string): string | undefined {
  try {
    parsePageRanges(text)
    return undefined
  } catch (err) {
    return `is not valid: ${(err as RangeError).message}`
  }
}
