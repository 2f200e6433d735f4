import type { OutputOptions } from '@platen/domain/document/output-options.ts'
import type { PdfOperation } from '@platen/domain/document/pdf-operation.ts'
import type { PdfSource, ToolBody } from '@platen/domain/generation/tool-requests.ts'
import type { FieldProblem } from '@platen/domain/http/http.ts'
import { validationError } from '../http/errors/field-problems.ts'
import { isBase64, outputProblems, pagesProblem } from '../options/output-problems.ts'

export interface Planned {
  operation: PdfOperation
  /** All steps: that of the operation itself, and those of `output`. */
  output: OutputOptions | undefined
}

/** The sources of a request with their fields. */
export function sourcesOf({ source, sources = [] }: ToolBody): { field: string; source: PdfSource }[] {
  if (source) return [{ field: 'source', source }]
  return sources.map((one, index) => ({ field: `sources.${index}`, source: one }))
}

/** Checks the rules that a JSON schema cannot express. Throws VALIDATION_ERROR. */
export function checkTool(
  body: ToolBody,
  { operation, steps }: { operation: PdfOperation; steps?: OutputOptions },
): Planned {
  const problems: FieldProblem[] = []
  const wrong = (path: string, message: string) => problems.push({ path, message })
  for (const { field, source } of sourcesOf(body)) {
    const { generation, asset, content_base64 } = source
    const given = [generation, asset, content_base64].filter((one) => one !== undefined)
    if (given.length !== 1) wrong(field, 'must have exactly one of generation, asset, content_base64')
    if (content_base64 !== undefined && !isBase64(content_base64)) wrong(`${field}.content_base64`, 'is not Base64')
  }
  const { file_name, async, webhook_url } = body
  if (file_name?.trim() === '') wrong('file_name', 'must not be blank')
  if (webhook_url !== undefined && async !== true) wrong('webhook_url', 'requires async: true')
  problems.push(...operationProblems(operation))
  if (operation.operation === 'steps' && Object.keys(steps ?? {}).length === 0) {
    wrong('conformance', 'must be given, or e_invoice')
  }
  for (const step of Object.keys(steps ?? {})) {
    if (body.output && step in body.output) wrong(`output.${step}`, 'is the operation itself')
  }
  const output = { ...body.output, ...steps }
  problems.push(...outputProblems(output, 'output'))
  if (problems.length > 0) throw validationError(problems, 'the body')
  return { operation, output: Object.keys(output).length > 0 ? output : undefined }
}

function operationProblems(operation: PdfOperation): FieldProblem[] {
  if (operation.operation === 'split') {
    const { ranges, every } = operation
    if (ranges && every !== undefined) return [{ path: 'every', message: 'cannot be given together with ranges' }]
    return (ranges ?? []).flatMap((range, index) => problemOf(`ranges.${index}`, pagesProblem(range)))
  }
  if (operation.operation !== 'rotate') return []
  const { degrees, pages } = operation
  return [
    ...problemOf('degrees', degrees % 90 === 0 ? undefined : 'must be a multiple of 90'),
    ...problemOf('pages', pagesProblem(pages)),
  ]
}

function problemOf(path: string, message: string | undefined): FieldProblem[] {
  return message === undefined ? [] : [{ path, message }]
}
