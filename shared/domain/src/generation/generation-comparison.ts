import { type Static, Type } from 'typebox'
import { ComparedPage } from './page-comparison.ts'

/** The difference of the PDFs of two generations as pages, in HTTP. */
export const GenerationComparison = Type.Object(
  {
    from: Type.String({ description: 'the generation whose pages are the earlier ones' }),
    to: Type.String({ description: 'the generation that it is compared with' }),
    pages: Type.Array(ComparedPage, { description: 'the pages of both, in their order' }),
  },
  { title: 'GenerationComparison' },
)
export type GenerationComparison = Static<typeof GenerationComparison>
