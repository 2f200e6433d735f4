import { maxSources, type PdfSource, type ToolBody } from '@platen/domain/generation/tool-requests.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import { parseBody } from '../http/bodies/parse-body.ts'
import { invalidField } from '../http/errors/field-problems.ts'

export const multipartType = 'multipart/form-data'

/** The field with the rest of the request as JSON. */
const requestField = 'request'

/**
 * The body of a form (RFC 7578): its files are the sources, in order, and its field `request` has the other fields as JSON. Throws
 * INVALID_REQUEST, INVALID_JSON and VALIDATION_ERROR.
 */
export async function multipartBody(
  contentType: string,
  bytes: Buffer,
  { isMerge }: { isMerge: boolean },
): Promise<ToolBody> {
  const form = await readForm(contentType, bytes)
  const sources: PdfSource[] = []
  let body: ToolBody = {}
  for (const [name, value] of form) {
    if (typeof value !== 'string') {
      if (sources.length === maxSources) invalidField(name, `is one more file than the ${maxSources} of a request`)
      sources.push({ content_base64: Buffer.from(await value.arrayBuffer()).toString('base64') })
    } else if (name === requestField) body = requestOf(value)
    else invalidField(name, `must be a file; other fields are in ${requestField}, as JSON`)
  }
  if ('source' in body || 'sources' in body) invalidField(requestField, 'must not have sources: they are the files')
  if (isMerge) return { ...body, sources }
  const [source] = sources
  if (!source || sources.length > 1) return invalidField('file', `must be one file, not ${sources.length}`)
  return { ...body, source }
}

async function readForm(contentType: string, bytes: Buffer): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
  } catch (cause) {
    throw new DomainError('INVALID_REQUEST', 'The multipart/form-data body cannot be read', { cause })
  }
}

function requestOf(text: string): ToolBody {
  const value = parseBody(Buffer.from(text))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ToolBody
  return fail('VALIDATION_ERROR', `${requestField} must be a JSON object`, [
    { path: requestField, message: 'must be a JSON object' },
  ])
}
