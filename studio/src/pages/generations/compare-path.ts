import type { Generation } from './generation-columns.tsx'

/** Whether the document has a PDF, which can be compared with that of another one. */
export function isComparable({ status, erased_at, media_type }: Generation): boolean {
  return status === 'completed' && erased_at === undefined && media_type === undefined
}

/** The page that compares two documents. Ids are in the order of time: the earlier one is the first. */
export function comparePath(one: string, other: string): string {
  const [from, to] = one < other ? [one, other] : [other, one]
  return `/generations/${from}/compare?to=${to}`
}
