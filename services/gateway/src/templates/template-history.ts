import type { LabelState } from '@platen/domain/template/label-state.ts'
import { summarizeVersion } from '@platen/domain/template/summarize-version.ts'
import type { TemplateVersionSummary } from '@platen/domain/template/template-versions.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import type { Page } from '../http/pagination.ts'

export interface HistoryPage {
  /** The page begins with the version before this one. Undefined: with the newest. */
  before: number | undefined
  limit: number
  labels: LabelState
}

/** The versions of a template, newest first. Only one event is in memory at a time. Throws DependencyUnavailable. */
export async function readHistory(
  store: StreamReader,
  templateId: string,
  { before, limit, labels }: HistoryPage,
): Promise<Page<TemplateVersionSummary>> {
  // The version before `before` has the revision `before - 2`.
  const from = before === undefined ? undefined : before - 2
  const items: TemplateVersionSummary[] = []
  if (from !== undefined && from < 0) return { items, hasMore: false }
  const options = { backwards: true as const, limit: limit + 1, ...(from !== undefined && { from }) }
  for await (const event of store.readStream(`template-${templateId}`, options)) {
    if (items.length === limit) return { items, hasMore: true }
    const summary = summarizeVersion(event)
    const named = Object.keys(labels).filter((label) => labels[label] === summary.version)
    items.push({ ...summary, labels: named })
  }
  return { items, hasMore: false }
}
