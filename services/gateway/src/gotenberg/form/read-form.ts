import { DomainError } from '@platen/domain/http/errors.ts'
import { type FormPart, MalformedForm, readForm as readParts } from '../../http/bodies/read-form.ts'
import type { Arriving } from '../../http/bodies/receive.ts'
import { refuse } from '../answers/refused.ts'
import { Form, type FormFile } from './form.ts'

/** The most bytes of the form, and of the files that it names by their URLs. */
export const maxFormBytes = 32 * 2 ** 20
/** JSON of a text is parsed at once: 256 KiB of the worst take 40 ms. */
const limits = { maxBytes: maxFormBytes, maxParts: 1_000, maxText: 256 * 1024 }

/** Reads a form while it arrives, and refuses it in the words of Gotenberg: 415 for another type, and 400 for a malformed body. */
export async function readForm(body: Arriving, contentType = ''): Promise<Form> {
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    refuse(415, "Invalid 'Content-Type' header value: want 'multipart/form-data'")
  }
  const fields = new Map<string, string[]>()
  const files: FormFile[] = []
  for (const { field, fileName: name, bytes } of await partsOf(body, contentType)) {
    if (name !== undefined) files.push({ field, name: fileName(name), bytes })
    else fields.set(field, [...(fields.get(field) ?? []), bytes.toString()])
  }
  return new Form(fields, files)
}

async function partsOf(body: Arriving, contentType: string): Promise<FormPart[]> {
  try {
    return await readParts(body, contentType, limits)
  } catch (err) {
    if (err instanceof MalformedForm) {
      refuse(400, `Malformed body: ${err.why ?? "it does not match the 'Content-Type' header boundaries"}`)
    }
    if (!(err instanceof DomainError)) throw err
    if (err.code === 'UNSUPPORTED_MEDIA_TYPE') refuse(415, "Invalid 'Content-Type' header value: no boundary")
    if (err.code === 'PAYLOAD_TOO_LARGE') refuse(413, err.message)
    throw err
  }
}

/** As file systems have it, in bytes. A name is in the first line of the stored input. */
const maxNameBytes = 255

/** The last part of a path, also of Windows, without control characters. */
export function lastPart(text: string): string {
  const last = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)
  return last.replace(/\p{Cc}/gu, '').normalize('NFC')
}

/** The name of a file that is sent by this path. Answers 400 for a longer one than files have. */
export function fileName(path: string): string {
  const name = lastPart(path)
  if (Buffer.byteLength(name) > maxNameBytes)
    refuse(400, `Invalid form data: the name of a file has more than ${maxNameBytes} bytes`)
  return name
}
