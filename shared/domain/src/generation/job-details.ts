import { type Static, Type } from 'typebox'

/** References of the caller's own, for example the number of an order. Platen does not interpret them. */
export const Metadata = Type.Unsafe<Record<string, string>>({
  title: 'Metadata',
  type: 'object',
  maxProperties: 16,
  propertyNames: { minLength: 1, maxLength: 64 },
  additionalProperties: { type: 'string', maxLength: 512 },
  description:
    'your own references, such as the number of an order: at most 16 entries, keys of 1 to 64 and values of up to 512 characters. Returned with the generation, its webhook and its events, and a filter of lists',
  examples: [{ order: '2026-0042' }],
})
export type Metadata = Static<typeof Metadata>

/**
 * Characters that no file name may have: control characters, path separators, and characters that reverse the direction
 * of a text and so hide its extension. As a class of regular expressions, without its brackets.
 */
export const notInFileNames = '\\u0000-\\u001f\\u007f-\\u009f/\\\\\\u2028-\\u202e\\u2066-\\u2069'
export const fileNamePattern = `^[^${notInFileNames}]+$`
export const maxFileNameChars = 200

export const FileName = Type.String({
  minLength: 1,
  maxLength: maxFileNameChars,
  pattern: fileNamePattern,
  description:
    'the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing',
  examples: ['Invoice 2026-0042.pdf'],
})

export const pdfType = 'application/pdf'

/** The ending of a file, and the endings of names that have it already. */
const endings: Readonly<Record<string, readonly [ending: string, has: RegExp]>> = {
  [pdfType]: ['pdf', /\.pdf$/i],
  'image/png': ['png', /\.png$/i],
  'image/jpeg': ['jpg', /\.jpe?g$/i],
  'image/webp': ['webp', /\.webp$/i],
  'application/zip': ['zip', /\.zip$/i],
}

/** The media types of results. */
export const resultTypes = Object.keys(endings)

/** The ending of the file of a result, such as `pdf`. */
export function endingOf(mediaType = pdfType): string {
  return endings[mediaType]?.[0] ?? 'bin'
}

/** The name of a file as clients see it. A result that is no PDF has no `.pdf` of the request. */
export function fileNameOf({
  generation_id,
  file_name = generation_id,
  media_type = pdfType,
}: {
  generation_id: string
  file_name?: string
  media_type?: string | undefined
}) {
  if (endings[media_type]?.[1].test(file_name)) return file_name
  const stem = media_type === pdfType ? file_name : file_name.replace(/(?<=.)\.pdf$/i, '')
  return `${stem}.${endingOf(media_type)}`
}
