import { labelStream } from '@platen/domain/template/label-state.ts'
import type { Template } from '@platen/domain/template/template.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { versionToMatch } from '../http/headers/entity-tags.ts'
import { evolveLabelRecord, type LabelRecord, type LabelView } from '../views/label-view.ts'

/** The labels of templates as they are now: events that the view lacks are read from the log. */
export interface CurrentLabels {
  /** Throws DependencyUnavailable. */
  of(templateId: string): Promise<LabelRecord>
  /** To be shown: while the event store does not answer, the labels of the view. */
  shown(templateId: string): Promise<LabelRecord>
}

export function currentLabels({ view, store }: { view: LabelView; store: StreamReader }): CurrentLabels {
  const of = async (templateId: string) => {
    let record = view.record(templateId)
    for await (const event of store.readStream(labelStream(templateId), { from: record.revision + 1 })) {
      record = evolveLabelRecord(record, event)
    }
    return record
  }
  return {
    of,
    async shown(templateId) {
      try {
        return await of(templateId)
      } catch (err) {
        if (!(err instanceof DependencyUnavailable)) throw err
        return view.record(templateId)
      }
    },
  }
}

/** The template with its labels, if it has any. */
export function withLabels<Shown extends Partial<Template> & { version: number }>(
  { version, created_at, updated_at, ...template }: Shown,
  { labels }: Pick<LabelRecord, 'labels'>,
): Shown {
  const some = Object.keys(labels).length > 0
  return { ...template, ...(some && { labels: { ...labels } }), version, created_at, updated_at } as unknown as Shown
}

/** The entity tag of a template: the version, and what has happened to its labels. */
export function templateTag(version: number, { revision }: Pick<LabelRecord, 'revision'>): string {
  return revision < 0 ? String(version) : `${version}.${revision}`
}

/**
 * The version that `If-Match` requires of the template, see `versionToMatch`. Changes of labels since then do not
 * matter, but the template must have had the tag.
 */
export async function templateVersionToMatch(
  labels: CurrentLabels,
  ifMatch: string | undefined,
  { id, version }: Pick<Template, 'id' | 'version'>,
): Promise<number | undefined> {
  const revision = ifMatch?.includes('.') ? (await labels.shown(id)).revision : -1
  return versionToMatch(ifMatch, version, revision)
}
