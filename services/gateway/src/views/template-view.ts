import type { DatabaseSync } from 'node:sqlite'
import { type ListedTemplate, largeFields } from '@platen/domain/template/template.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { pageOfRows, recordOfRow } from './aggregate-record.ts'
import { type TemplateAssets, templateAssets } from './template-assets.ts'
import { type TemplateRecord, templateFold, templateOf } from './template-record.ts'
import type { Page, View } from './view.ts'

export interface TemplatePage {
  ownerId: string
  before: string | undefined
  limit: number
  summary: boolean
}

export interface TemplateView extends View {
  /** The templates whose newest version is pinned to a content of this asset. */
  pinnedTo: TemplateAssets['pinnedTo']
  /** Whether a published event was applied. */
  shows(event: CloudEvent): boolean
  /** Also for a deleted template. */
  record(id: string): TemplateRecord | undefined
  /** The id of the template that has the slug; undefined if none of the owner has it. */
  idOf(slug: string, ownerId: string): string | undefined
  /**
   * The templates of an owner, newest first. `before` is the id that ended the previous page. Summaries have no
   * `largeFields`.
   */
  page(options: TemplatePage): Page<ListedTemplate>
}

export const templateTables = `
  CREATE TABLE templates(
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, slug TEXT, active INTEGER NOT NULL, revision INTEGER NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX templates_slug ON templates(owner_id, slug) WHERE active = 1;
  CREATE INDEX templates_owner ON templates(owner_id, id) WHERE active = 1;
  CREATE TABLE template_partials(
    template_id TEXT NOT NULL, owner_id TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL,
    follows INTEGER NOT NULL, PRIMARY KEY(template_id, name)) STRICT, WITHOUT ROWID;
  CREATE INDEX template_partials_name ON template_partials(owner_id, name);`

export function templateView(db: DatabaseSync): TemplateView {
  const byId = db.prepare('SELECT * FROM templates WHERE id = ?')
  const revisionOf = db.prepare('SELECT revision FROM templates WHERE id = ?')
  const bySlug = db.prepare('SELECT id FROM templates WHERE slug = ? AND owner_id = ? AND active = 1')
  const newest = (state: string) =>
    db.prepare(
      `SELECT id, ${state} AS state, revision, created_at, updated_at FROM templates
       WHERE owner_id = ? AND active = 1 AND id < ? ORDER BY id DESC LIMIT ?`,
    )
  const newestComplete = newest('state')
  const newestSummaries = newest(`json_remove(state, ${largeFields.map((field) => `'$.${field}'`).join(', ')})`)
  const save = db.prepare(
    `INSERT INTO templates(id, owner_id, slug, active, revision, created_at, updated_at, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT(id) DO UPDATE SET slug = excluded.slug, active = excluded.active, revision = excluded.revision,
       updated_at = excluded.updated_at, state = excluded.state`,
  )
  const record = (id: string) => recordFrom(byId.get(id))
  const assets = templateAssets(db)

  const remove = db.prepare('DELETE FROM templates WHERE id = ?')
  const unpin = db.prepare('DELETE FROM template_partials WHERE template_id = ?')
  const pin = db.prepare(
    'INSERT INTO template_partials(template_id, owner_id, name, version, follows) VALUES (?, ?, ?, ?, ?)',
  )
  /** Saves the locked versions of the newest version. */
  const savePins = (id: string, state: TemplateRecord['state']) => {
    unpin.run(id)
    if (state.status !== 'active' || !state.partials) return
    const follows = state.follow_partials ? 1 : 0
    for (const [name, { version }] of Object.entries(state.partials)) pin.run(id, state.ownerId, name, version, follows)
  }

  return {
    pinnedTo: assets.pinnedTo,
    remove(id) {
      unpin.run(id)
      assets.remove(id)
      remove.run(id)
    },
    record,
    shows: ({ subject, revision }) => Number(revisionOf.get(subject)?.revision ?? -1) >= revision,
    apply(event) {
      // A version may be large. It is parsed only if something of it remains.
      const before = templateFold.isWhole(event) ? undefined : record(aggregateIdOf(event.stream))
      const { id, state, revision, created_at, updated_at } = templateFold.evolve(before, event)
      if (state.status === 'absent') return
      const { ownerId, slug } = state
      const active = state.status === 'active' ? 1 : 0
      save.run(id, ownerId, slug, active, revision, created_at, updated_at, stringifyExact(state))
      savePins(id, state)
      assets.save(id, state)
    },
    idOf(slug, ownerId) {
      const row = bySlug.get(slug, ownerId)
      return row && String(row.id)
    },
    page({ ownerId, before = '~', limit, summary }) {
      const rows = summary ? newestSummaries : newestComplete
      return pageOfRows(rows.iterate(ownerId, before, limit + 1), limit, templateOf)
    },
  }
}

function recordFrom(row: unknown): TemplateRecord | undefined {
  return row === undefined ? undefined : recordOfRow(row)
}
