import { api, type Schemas, unwrap } from '../../api/client.ts'

type Category = Schemas['EventCategory']
let loading: Promise<readonly Category[]> | undefined

/** The kinds of streams, with the types of their events. They change with a version of the server only, and are loaded once. */
export function eventCategories(): Promise<readonly Category[]> {
  loading ??= unwrap(api.GET('/v1/events/categories')).then(({ data }) => data)
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

/** The name of a stream for what one has: the name, or an id of what it is about. `pdf_…` is that of `generation-pdf_…`. */
export function streamOf(text: string, categories: readonly Category[]): string {
  if (categories.some(({ category }) => text.startsWith(`${category}-`))) return text
  const prefix = text.slice(0, text.indexOf('_') + 1)
  const found = categories.find(({ category, stream }) => prefix !== '' && stream.startsWith(`${category}-${prefix}`))
  return found === undefined ? text : `${found.category}-${text}`
}
