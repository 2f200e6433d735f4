import { refuse } from '../answers/refused.ts'
import { Form, type FormFile } from './form.ts'

const maxParts = 1_000

/** Reads a body of `multipart/form-data` (RFC 7578). Answers 415 for another type, and 400 for a malformed body. */
export async function readForm(body: Buffer, contentType: string | undefined): Promise<Form> {
  const type = contentType ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) {
    refuse(415, "Invalid 'Content-Type' header value: want 'multipart/form-data'")
  }
  if (!/\bboundary=/i.test(type)) refuse(415, "Invalid 'Content-Type' header value: no boundary")
  const data = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
    return refuse(400, "Malformed body: it does not match the 'Content-Type' header boundaries")
  })
  const fields = new Map<string, string[]>()
  const files: FormFile[] = []
  let parts = 0
  for (const [field, value] of data) {
    parts += 1
    if (parts > maxParts) refuse(413, `The form has more than ${maxParts} parts`)
    const known = fields.get(field)
    if (typeof value === 'string' && known) known.push(value)
    else if (typeof value === 'string') fields.set(field, [value])
    else files.push({ field, name: fileName(value.name), bytes: Buffer.from(await value.arrayBuffer()) })
  }
  return new Form(fields, files)
}

/** The last part of a path, also of Windows, without control characters. */
export function fileName(text: string): string {
  const last = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)
  return last.replace(/\p{Cc}/gu, '').normalize('NFC')
}
