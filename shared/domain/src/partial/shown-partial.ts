import { type WithTimes, withTimes } from '../events/with-times.ts'
import { partialDecider } from './decide-partial.ts'
import type { Partial } from './partial.ts'
import type { PartialState } from './partial-state.ts'

export const shownPartialDecider = withTimes(partialDecider)

/** The partial as the API returns it; undefined if it does not exist, or is deleted. */
export function shownPartial(
  id: string,
  { state, created_at, updated_at }: WithTimes<PartialState>,
): Partial | undefined {
  if (state.status !== 'active') return undefined
  const { name, html, version } = state
  return { id, name, html, version, created_at, updated_at }
}
