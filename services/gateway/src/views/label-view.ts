import type { DatabaseSync } from 'node:sqlite'
import type { LabelEvent } from '@platen/domain/template/label-events.ts'
import { evolveLabels, type LabelState, noLabels } from '@platen/domain/template/label-state.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import type { View } from './view.ts'

/** The labels of a template, and the revision of their stream, -1 if it does not exist. */
export interface LabelRecord {
  labels: LabelState
  revision: number
}

export interface LabelView extends View {
  record(templateId: string): LabelRecord
}

const noRecord: LabelRecord = { labels: noLabels, revision: -1 }

export function evolveLabelRecord({ labels }: LabelRecord, event: StoredEvent): LabelRecord {
  return { labels: evolveLabels(labels, domainEvent<LabelEvent>(event)), revision: event.revision }
}

export const labelTables = `
  CREATE TABLE template_labels(
    id TEXT PRIMARY KEY, revision INTEGER NOT NULL, labels TEXT NOT NULL) STRICT, WITHOUT ROWID;`

export function labelView(db: DatabaseSync): LabelView {
  const byId = db.prepare('SELECT revision, labels FROM template_labels WHERE id = ?')
  const save = db.prepare(
    `INSERT INTO template_labels(id, revision, labels) VALUES (?, ?, ?)
     ON CONFLICT(id) DO UPDATE SET revision = excluded.revision, labels = excluded.labels`,
  )
  const remove = db.prepare('DELETE FROM template_labels WHERE id = ?')
  const record = (templateId: string): LabelRecord => {
    const row = byId.get(templateId)
    return row === undefined ? noRecord : { labels: JSON.parse(String(row.labels)), revision: Number(row.revision) }
  }
  return {
    record,
    remove: (templateId) => void remove.run(templateId),
    apply(event) {
      const templateId = aggregateIdOf(event.stream)
      const { labels, revision } = evolveLabelRecord(record(templateId), event)
      save.run(templateId, revision, JSON.stringify(labels))
    },
  }
}
