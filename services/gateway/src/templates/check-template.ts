import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { FieldProblem } from '@platen/domain/http/http.ts'
import { type TemplateChanges, type TemplateOptions, templateLimits } from '@platen/domain/template/template-content.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { isLocale } from '@platen/foundation/language.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { invalidField, validationError } from '../http/errors/field-problems.ts'
import { optionProblems } from '../options/option-problems.ts'
import { storedOutputProblems } from '../options/output-problems.ts'

/**
 * Checks what a JSON schema cannot express: limits in bytes, and rules between options. `jsons` are the fields that are JSON already.
 * Throws VALIDATION_ERROR.
 */
export function checkTemplate(template: TemplateChanges, jsons: Readonly<Record<string, string>> = {}): void {
  const {
    htmlBytes,
    marginHtmlBytes,
    sampleDataBytes,
    optionsBytes,
    dataSchemaBytes,
    samplesBytes,
    translationsBytes,
    helpersBytes,
  } = templateLimits
  checkText('html', template.html, htmlBytes)
  checkText('header_html', template.header_html, marginHtmlBytes)
  checkText('footer_html', template.footer_html, marginHtmlBytes)
  checkText('helpers', template.helpers, helpersBytes)
  for (const [field, limit] of [
    ['sample_data', sampleDataBytes],
    ['options', optionsBytes],
    ['data_schema', dataSchemaBytes],
    ['samples', samplesBytes],
    ['translations', translationsBytes],
  ] as const) {
    checkJson(field, jsons[field] ?? jsonOf(template[field]), limit)
  }
  if (template.options) checkOptions(template.options)
  for (const language of Object.keys(template.translations ?? {})) {
    if (!isLocale(language))
      invalidField(`translations.${readable(language)}`, 'must be a language tag such as de or pt-BR')
  }
}

function checkText(field: string, text: string | null | undefined, limit: number): void {
  if (typeof text === 'string' && Buffer.byteLength(text) > limit) tooLarge(field, limit, '')
}

const jsonOf = (value: object | null | undefined) => (value ? stringifyExact(value) : '')

function checkJson(field: string, json: string, limit: number): void {
  if (Buffer.byteLength(json) > limit) tooLarge(field, limit, ' as JSON')
}

function tooLarge(field: string, limit: number, form: string): never {
  return invalidField(field, `must be at most ${limit / 1024} KiB${form}`)
}

function checkOptions(options: TemplateOptions): void {
  const problems: FieldProblem[] = [
    ...optionProblems(resolvePdfOptions(options)),
    ...storedOutputProblems(options.output, 'options.output'),
  ]
  if (problems.length > 0) throw validationError(problems, 'the body')
}
