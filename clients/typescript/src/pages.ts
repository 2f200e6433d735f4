import type { components, paths } from './api-types.ts'
import { PlatenError } from './platen-error.ts'
import type { Generation } from './types.ts'

type Schemas = components['schemas']
type QueryOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? Omit<NonNullable<Query>, 'cursor'>
  : never

/** `metadata`: each of these entries. `limit` is the size of a page, not of the list. */
export type GenerationFilter = QueryOf<'/v1/generations'> & { metadata?: Readonly<Record<string, string>> }
export type TemplateFilter = QueryOf<'/v1/templates'>
export type PartialFilter = QueryOf<'/v1/partials'>
export type BatchFilter = QueryOf<'/v1/batches'>
export type AssetFilter = QueryOf<'/v1/assets'>

/** A list of the API. */
export interface List<Item, Filter> {
  /** The items, newest first where they have a time. A page is requested when the loop has used up the one before. */
  list(filter?: Filter): AsyncGenerator<Item, void, undefined>
}

interface Page<Item> {
  data: Item[]
  next_cursor?: string
}

export type GetPage<Item> = (query: Record<string, unknown>) => Promise<Page<Item>>

export type Lists = {
  generations: List<Generation, GenerationFilter>
  templates: List<Schemas['ListedTemplate'], TemplateFilter>
  partials: List<Schemas['ListedPartial'], PartialFilter>
  assets: List<Schemas['Asset'], AssetFilter>
  batches: List<Schemas['Batch'], BatchFilter>
}

/** The items of a page after the other. */
export async function* allItems<Item>(getPage: GetPage<Item>, filter: object): AsyncGenerator<Item, void, undefined> {
  const query = queryOf(filter)
  for (let cursor: string | undefined; ; ) {
    const page = await getPage(cursor === undefined ? query : { ...query, cursor })
    yield* page.data
    if (page.next_cursor === undefined) return
    if (page.next_cursor === cursor) throw repeatedPage()
    cursor = page.next_cursor
  }
}

function queryOf({ metadata = {}, ...filter }: { metadata?: Readonly<Record<string, string>> }) {
  const entries = Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, value])
  return { ...filter, ...Object.fromEntries(entries) }
}

// A cache that ignores the query would make the loop endless.
function repeatedPage(): PlatenError {
  const message = 'The response is not one of Platen: it is the same page of the list again'
  return new PlatenError({ code: 'UNEXPECTED_RESPONSE', message, status: 200 })
}
