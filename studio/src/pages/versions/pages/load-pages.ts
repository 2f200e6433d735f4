import { api, type Schemas, unwrap } from '../../../api/client.ts'
import { keptComparison } from '../../../parts/comparison/kept-comparisons.ts'
import { actingOwner } from '../../../router/acting-owner.ts'
import type { ComparedData } from './compared-data.ts'

type Comparison = Schemas['TemplateComparison']

export interface PrintedPages {
  pages: NonNullable<Comparison['pages']>
  printed: NonNullable<Comparison['printed']>
}

export interface PagesQuery {
  idOrSlug: string
  from: number
  to: number
  data: ComparedData
}

export const keyOf = (query: PagesQuery): string => `versions ${JSON.stringify([actingOwner.value, query])}`

/** Prints both versions, and compares their pages. `isFresh`: also if the result is known. */
export function loadPages(query: PagesQuery, { isFresh, signal }: { isFresh: boolean; signal: AbortSignal }) {
  return keptComparison(keyOf(query), (images) => compare(query, images, signal), { isFresh })
}

async function compare(
  { idOrSlug, from, to, data }: PagesQuery,
  images: boolean,
  signal: AbortSignal,
): Promise<PrintedPages> {
  const path = { idOrSlug }
  const versions = { from: String(from), to: String(to), images }
  const { pages = [], printed } =
    data.kind === 'pasted'
      ? await unwrap(
          api.POST('/v1/templates/{idOrSlug}/compare', {
            params: { path, query: versions },
            body: {},
            // As it was pasted: a large number would not survive JSON.parse.
            bodySerializer: () => `{"data":${data.json}}`,
            signal,
          }),
        )
      : await unwrap(
          api.GET('/v1/templates/{idOrSlug}/compare', {
            params: {
              path,
              query: { ...versions, pages: true, ...(data.kind === 'sample' && { sample: data.name }) },
            },
            signal,
          }),
        )
  if (printed === undefined) throw new Error('the comparison has no pages')
  return { pages, printed }
}
