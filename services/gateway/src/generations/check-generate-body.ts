import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { GenerateBody } from '@platen/domain/generation/generation.ts'
import type { FieldProblem } from '@platen/domain/http/http.ts'
import { validationError } from '../http/errors/field-problems.ts'
import { optionProblems } from '../options/option-problems.ts'

const maxHtmlMiB = 5

/**
 * Checks the rules that a JSON schema cannot express. Options are checked later, together with those of the template.
 * Throws VALIDATION_ERROR.
 */
export function checkGenerateBody(body: GenerateBody): void {
  const problems = sourceProblems(body)
  if (body.template === undefined) problems.push(...optionProblems(resolvePdfOptions(body.options)))
  if (problems.length > 0) throw validationError(problems, 'the body')
}

function sourceProblems({
  html,
  template,
  template_version,
  template_label,
  file_name,
  async,
  webhook_url,
}: GenerateBody): FieldProblem[] {
  const problems: FieldProblem[] = []
  const wrong = (path: string, message: string) => problems.push({ path, message })
  if (html === undefined && template === undefined) wrong('html', 'is required, unless template is given')
  if (html !== undefined && template !== undefined) wrong('html', 'cannot be given together with template')
  if (html !== undefined && Buffer.byteLength(html) > maxHtmlMiB * 1024 * 1024) {
    wrong('html', `must be at most ${maxHtmlMiB} MiB`)
  }
  if (template_version !== undefined && template === undefined) wrong('template_version', 'requires template')
  if (template_label !== undefined && template === undefined) wrong('template_label', 'requires template')
  if (template_label !== undefined && template_version !== undefined) {
    wrong('template_label', 'cannot be given together with template_version')
  }
  if (file_name?.trim() === '') wrong('file_name', 'must not be blank')
  if (webhook_url !== undefined && async !== true) wrong('webhook_url', 'requires async: true')
  return problems
}
