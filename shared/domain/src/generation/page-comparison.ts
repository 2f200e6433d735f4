import { Warning } from '@platen/foundation/errors/warning.ts'
import { OpenEnum } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { Engine } from './generation.ts'

// The difference of two versions of a template as pages, in HTTP and between gateway and renderer.

export const comparisonLimits = {
  /** The most pages of each version. */
  pages: 200,
  /** Pixels of a picture. Of a larger page it has fewer pixels to the millimetre. */
  pixels: 4_000_000,
  /** Boxes of a page. Beyond it, those that are near each other are one. */
  boxes: 50,
  /** All pictures of an answer, in Base64. */
  imagesBytes: 32 * 2 ** 20,
  ignored: 50,
} as const

const Millimetres = (description: string, minimum = 0) => Type.Number({ minimum, maximum: 10_000, description })

const area = {
  x: Millimetres('from the left edge of the page, in mm'),
  y: Millimetres('from the top edge of the page, in mm'),
  width: Millimetres('in mm'),
  height: Millimetres('in mm'),
}

export const PageArea = Type.Object(area, { title: 'PageArea' })
export type PageArea = Static<typeof PageArea>

export const IgnoredArea = Type.Object(
  {
    ...area,
    page: Type.Optional(Type.Integer({ minimum: 1, description: 'a page of the newer version. Default: all pages' })),
  },
  {
    title: 'IgnoredArea',
    additionalProperties: false,
    description: 'what differs in it does not count',
    examples: [{ x: 150, y: 10, width: 50, height: 10 }],
  },
)
export type IgnoredArea = Static<typeof IgnoredArea>

const PageSide = Type.Object(
  {
    page: Type.Integer({ minimum: 1, description: 'the number of the page in its document' }),
    width: Type.Number({ description: 'in mm' }),
    height: Type.Number({ description: 'in mm' }),
    image: Type.Optional(
      Type.String({
        description: 'with `images`, unless the page is the same: a PNG in Base64, one pixel for a CSS pixel',
      }),
    ),
  },
  { title: 'ComparedPageSide' },
)

export const ComparedPage = Type.Object(
  {
    status: OpenEnum(['same', 'changed', 'added', 'removed'], { title: 'PageChange' }),
    share: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'pixels that differ, as a share of the page: 0 for `same`, 1 for `added` and `removed`',
    }),
    boxes: Type.Array(PageArea, { description: 'around what differs on a `changed` page, at most 50' }),
    from: Type.Optional(PageSide),
    to: Type.Optional(PageSide),
  },
  { title: 'ComparedPage' },
)
export type ComparedPage = Static<typeof ComparedPage>

const ComparedDocument = Type.Object(
  { pages: Type.Integer(), warnings: Type.Array(Warning) },
  { title: 'ComparedDocument' },
)

export const ComparedDocuments = Type.Object(
  {
    from: ComparedDocument,
    to: ComparedDocument,
    engine: Engine,
    duration_ms: Type.Integer({ description: 'how long printing and comparing took, with waiting for a renderer' }),
  },
  { title: 'ComparedDocuments' },
)
export type ComparedDocuments = Static<typeof ComparedDocuments>
