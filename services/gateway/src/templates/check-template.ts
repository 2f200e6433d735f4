import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { FieldProblem } from '@platen/domain/http/http.ts'
import { type TemplateChanges, type TemplateOptions, templateLimits } from '@platen/domain/template/template-content.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { invalidField, validationError } from '../http/errors/field-problems.ts'
import { optionProblems } from '../options/option-problems.ts'

/** Checks what a JSON schema cannot express: limits in bytes, and rules between options. Throws VALIDATION_ERROR. */
export function checkTemplate(template: TemplateChanges): void {
  const { htmlBytes, marginHtmlBytes, sampleDataBytes, optionsBytes, dataSchemaBytes, samplesBytes } = templateLimits
  checkText('html', template.html, htmlBytes)
  checkText('header_html', template.header_html, marginHtmlBytes)
  checkText('footer_html', template.footer_html, marginHtmlBytes)
  checkJson('sample_data', template.sample_data, sampleDataBytes)
  checkJson('options', template.options, optionsBytes)
  checkJson('data_schema', template.data_schema, dataSchemaBytes)
  checkJson('samples', template.samples, samplesBytes)
  if (template.options) checkOptions(template.options)
}

function checkText(field: string, text: string | null | undefined, limit: number): void {
  if (typeof text === 'string' && Buffer.byteLength(text) > limit) tooLarge(field, limit, '')
}

function checkJson(field: string, value: unknown, limit: number): void {
  if (value && Buffer.byteLength(stringifyExact(value)) > limit) tooLarge(field, limit, ' as JSON')
}

function tooLarge(field: string, limit: number, form: string): never {
  return invalidField(field, `must be at most ${limit / 1024} KiB${form}`)
}

function checkOptions(options: TemplateOptions): void {
  const problems: FieldProblem[] = optionProblems(resolvePdfOptions(options))
  if (problems.length > 0) throw validationError(problems, 'the body')
}
