import { ApiError } from '../../../api/api-error.ts'
import { api, type Schemas, unwrap } from '../../../api/client.ts'
import { whenSignedOut } from '../../../api/session-state.ts'
import { keepNewest } from '../../../parts/keep-newest.ts'
import { actingOwner } from '../../../router/acting-owner.ts'
import type { ComparedData } from './compared-data.ts'

type Comparison = Schemas['TemplateComparison']

export interface ComparedPages {
  pages: NonNullable<Comparison['pages']>
  printed: NonNullable<Comparison['printed']>
}

export interface PagesQuery {
  idOrSlug: string
  from: number
  to: number
  data: ComparedData
}

/** Back and forward show the last comparisons at once. Each may have 32 MiB of pictures. */
const kept = new Map<string, ComparedPages>()
const maxKept = 3
whenSignedOut(() => kept.clear())

export const keyOf = (query: PagesQuery): string => JSON.stringify([actingOwner.value, query])

/** Prints both versions, and compares their pages. `isFresh`: also if the result is known. */
export async function loadPages(
  query: PagesQuery,
  { isFresh = false, signal }: { isFresh?: boolean; signal: AbortSignal },
) {
  const key = keyOf(query)
  const known = kept.get(key)
  if (known !== undefined && !isFresh) return known
  const compared = await compare(query, true, signal).catch((err: unknown) => {
    // All pictures together may be too large to be sent. Each is then drawn when it is shown.
    if (err instanceof ApiError && err.code === 'RENDER_LIMIT_EXCEEDED') return compare(query, false, signal)
    throw err
  })
  keepNewest(kept, { key, value: compared, most: maxKept })
  return compared
}

async function compare(
  { idOrSlug, from, to, data }: PagesQuery,
  images: boolean,
  signal: AbortSignal,
): Promise<ComparedPages> {
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
