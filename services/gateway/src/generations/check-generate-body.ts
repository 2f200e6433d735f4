import type { GenerateBody } from '@platen/shared/contracts/generation.ts'
import type { FieldProblem } from '@platen/shared/contracts/http.ts'
import { parsePageRanges } from '@platen/shared/contracts/page-ranges.ts'
import { paperSizeMm, type ResolvedPdfOptions, resolvePdfOptions } from '@platen/shared/contracts/pdf-options.ts'
import { validationError } from '../http/errors/invalid-field.ts'

const maxHtmlMiB = 5

/** Checks what a JSON schema cannot express and returns the options with defaults. Throws VALIDATION_ERROR. */
export function checkGenerateBody(body: GenerateBody): ResolvedPdfOptions {
  const options = resolvePdfOptions(body.options)
  const problems = [...sourceProblems(body), ...optionProblems(options)]
  if (problems.length > 0) throw validationError(problems, 'the body')
  return options
}

function sourceProblems({ html, template, template_version, async, webhook_url }: GenerateBody): FieldProblem[] {
  const problems: FieldProblem[] = []
  const wrong = (path: string, message: string) => problems.push({ path, message })
  if (html === undefined && template === undefined) wrong('html', 'or template is required')
  if (html !== undefined && template !== undefined) wrong('html', 'and template cannot both be given')
  if (html !== undefined && Buffer.byteLength(html) > maxHtmlMiB * 1024 * 1024) {
    wrong('html', `must be at most ${maxHtmlMiB} MiB`)
  }
  if (template_version !== undefined && template === undefined) wrong('template_version', 'requires template')
  if (webhook_url !== undefined && async !== true) wrong('webhook_url', 'requires async: true')
  return problems
}

function optionProblems(options: ResolvedPdfOptions): FieldProblem[] {
  const problems: FieldProblem[] = []
  const { margin, format, page_ranges } = options
  const { width, height } = paperSizeMm(options)
  if (margin.left + margin.right >= width || margin.top + margin.bottom >= height) {
    const sheet = `${format}${options.landscape ? ' landscape' : ''}, ${width} x ${height} mm`
    problems.push({ path: 'options.margin', message: `leaves no room on the page (${sheet})` })
  }
  const rangesProblem = page_ranges === undefined ? undefined : pageRangesProblem(page_ranges)
  if (rangesProblem !== undefined) problems.push({ path: 'options.page_ranges', message: rangesProblem })
  return [...problems, ...waitForProblems(options)]
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
