import { type Static, Type } from 'typebox'
import { OpenEnum } from '../json/json.ts'

export const warningCodes = [
  'RESOURCE_FAILED',
  'CONSOLE_ERROR',
  'MISSING_GLYPHS',
  'MARGIN_OVERFLOW',
  'PAGE_NUMBERS',
  'MISSING_VALUE',
  'OBJECT_PRINTED',
  'MISSING_TRANSLATION',
  'PDF_STEP',
] as const
export const WarningCode = OpenEnum(warningCodes, { title: 'WarningCode' })
export type WarningCode = Static<typeof WarningCode>

/** A problem of a document that was printed anyway. Codes are stable; messages may change. */
export const Warning = Type.Object(
  {
    code: WarningCode,
    message: Type.String({ examples: ['https://example.com/logo.png: not found (404)'] }),
    element: Type.Optional(
      Type.String({ description: 'RESOURCE_FAILED: what refers to the resource', examples: ['<img>', '@font-face'] }),
    ),
    path: Type.Optional(
      Type.String({
        description: 'MISSING_VALUE and OBJECT_PRINTED: the place in the data; MISSING_TRANSLATION: the key',
        examples: ['items[2].price'],
      }),
    ),
    source: Type.Optional(
      Type.String({
        description: 'of a warning with a `path`: the source that prints it, in which `line` and `column` are',
        examples: ['html', 'partial "letterhead"'],
      }),
    ),
    line: Type.Optional(Type.Integer({ minimum: 1, description: 'counts from 1' })),
    column: Type.Optional(Type.Integer({ minimum: 1, description: 'counts from 1' })),
    page: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'in a preview, if it is known: the first page of the PDF that it is about',
      }),
    ),
  },
  { title: 'Warning' },
)
export type Warning = Static<typeof Warning>
