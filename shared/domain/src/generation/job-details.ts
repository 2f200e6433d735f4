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
  description: 'the name under which clients save the PDF; `.pdf` is added if it is missing',
  examples: ['Invoice 2026-0042.pdf'],
})

/** The name of a file as clients see it. */
export function fileNameOf({
  generation_id,
  file_name = generation_id,
}: {
  generation_id: string
  file_name?: string
}) {
  return /\.pdf$/i.test(file_name) ? file_name : `${file_name}.pdf`
}
