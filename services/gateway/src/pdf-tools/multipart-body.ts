import { maxSources, type PdfSource, type ToolBody } from '@platen/domain/generation/tool-requests.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import { type FormPart, readForm } from '../http/bodies/read-form.ts'
import type { Arriving } from '../http/bodies/receive.ts'
import { invalidField } from '../http/errors/field-problems.ts'

/** The field with the rest of the request as JSON. */
const requestField = 'request'

export interface ToolForm {
  isMerge: boolean
  /** Reads the JSON of the field `request`. */
  readJson: (bytes: Buffer) => Promise<unknown>
}

/** The parts of a form with PDFs, which has at most so many bytes. Throws what `readForm` throws. */
export const toolParts = (body: Arriving, contentType: string, maxBytes: number): Promise<FormPart[]> =>
  readForm(body, contentType, { maxBytes, maxParts: maxSources + 2, maxText: maxBytes })

/**
 * The body of a form (RFC 7578): its files are the sources, in order, and its field `request` has the other fields as JSON. Throws
 * what `readJson` throws, and VALIDATION_ERROR.
 */
export async function multipartBody(parts: readonly FormPart[], { isMerge, readJson }: ToolForm): Promise<ToolBody> {
  const requests = parts.filter(({ field, fileName }) => fileName === undefined && field === requestField)
  if (requests.length > 1) invalidField(requestField, 'is given more than once')
  const sources: PdfSource[] = []
  let asked: ToolBody = {}
  for (const { field, fileName, bytes } of parts) {
    if (fileName !== undefined) {
      if (sources.length === maxSources) invalidField(field, `is one more file than the ${maxSources} of a request`)
      sources.push({ content_base64: bytes.toString('base64') })
    } else if (field === requestField) asked = requestOf(await readJson(bytes))
    else invalidField(field, `must be a file; other fields are in ${requestField}, as JSON`)
  }
  if ('source' in asked || 'sources' in asked) invalidField(requestField, 'must not have sources: they are the files')
  if (isMerge) return { ...asked, sources }
  const [source] = sources
  if (!source || sources.length > 1) return invalidField('file', `must be one file, not ${sources.length}`)
  return { ...asked, source }
}

function requestOf(value: unknown): ToolBody {
  if (isJsonObject(value)) return value as ToolBody
  return fail('VALIDATION_ERROR', `${requestField} must be a JSON object`, [
    { path: requestField, message: 'must be a JSON object' },
  ])
}
