import { type WithTimes, withTimes } from '../events/with-times.ts'
import { templateDecider } from './decide-template.ts'
import type { Template } from './template.ts'
import { contentOf } from './template-content.ts'
import type { TemplateState } from './template-state.ts'

export const shownTemplateDecider = withTimes(templateDecider)

/** The template as the API returns it; undefined if it does not exist, or is deleted. */
export function shownTemplate(
  id: string,
  { state, created_at, updated_at }: WithTimes<TemplateState>,
): Template | undefined {
  if (state.status !== 'active') return undefined
  const { slug, version } = state
  const { name, ...content } = contentOf(state)
  return { id, name, slug, ...content, version, created_at, updated_at }
}
