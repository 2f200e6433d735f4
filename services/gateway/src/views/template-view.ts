import type { DatabaseSync } from 'node:sqlite'
import { type ListedTemplate, largeFields } from '@platen/domain/template/template.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { pageOfRows, recordOfRow } from './aggregate-record.ts'
import { type TemplatePins, templatePins } from './template-pins.ts'
import { deletedTemplateOf, type TemplateRecord, templateFold, templateOf } from './template-record.ts'
import type { Page, View } from './view.ts'

/** `created` and `updated`: newest first. `name`: from A to Z, in lower case. */
type TemplateSort = 'created' | 'updated' | 'name'

interface TemplatePage {
  ownerId: string
  /** The id that ended the previous page. */
  before: string | undefined
  limit: number
  summary: boolean
  /** Those that are deleted, instead of those that are not. Default false. */
  deleted?: boolean
  /** A part of the name or slug, in any case. Deleted templates are not searched. */
  q?: string | undefined
  /** Default `created`. */
  sort?: TemplateSort | undefined
}

/** The text that a search reads. It begins with the name, so that a list can be sorted by it. */
const searchText = (name: string, slug: string) => `${name}\n${slug}`.toLowerCase()

const order = {
  created: { columns: 'id', isAfter: '<', direction: 'DESC' },
  updated: { columns: 'updated_at, id', isAfter: '<', direction: 'DESC' },
  name: { columns: 'search, id', isAfter: '>', direction: 'ASC' },
} as const

/** A template that changes between two pages may be on both, and none is left out that does not change. */
function templatePages(db: DatabaseSync): (options: TemplatePage) => Page<ListedTemplate> {
  const fields = (state: string) => `id, ${state} AS state, revision, created_at, updated_at`
  const statement = (state: string, sort: TemplateSort) => {
    const { columns, isAfter, direction } = order[sort]
    const sorted = columns.replace(/\w+/g, `$& ${direction}`)
    const pageWhere = (condition: string) =>
      db.prepare(
        `SELECT ${fields(state)} FROM templates WHERE owner_id = :ownerId AND active = 1 ${condition}
         AND (:q = '' OR instr(search, :q) > 0) ORDER BY ${sorted} LIMIT :limit`,
      )
    const after =
      sort === 'created'
        ? 'AND id < :before'
        : `AND (${columns}) ${isAfter} (SELECT ${columns} FROM templates WHERE id = :before)`
    // Two statements: with an optional condition, SQLite would scan the templates from the first on.
    return { first: pageWhere(''), later: pageWhere(after) }
  }
  const statements = (state: string) => ({
    created: statement(state, 'created'),
    updated: statement(state, 'updated'),
    name: statement(state, 'name'),
  })
  const complete = statements('state')
  const summaries = statements(`json_remove(state, ${largeFields.map((field) => `'$.${field}'`).join(', ')})`)
  const ofDeleted = db.prepare(
    `SELECT ${fields('state')} FROM templates WHERE owner_id = ? AND active = 0 AND id < ? ORDER BY id DESC LIMIT ?`,
  )
  return ({ ownerId, before, limit, summary, deleted = false, q = '', sort = 'created' }) => {
    if (deleted) return pageOfRows(ofDeleted.iterate(ownerId, before ?? '~', limit + 1), limit, deletedTemplateOf)
    const { first, later } = (summary ? summaries : complete)[sort]
    const range = { ownerId, q: q.toLowerCase(), limit: limit + 1 }
    const rows = before === undefined ? first.iterate(range) : later.iterate({ ...range, before })
    return pageOfRows(rows, limit, templateOf)
  }
}

export interface TemplateView extends View {
  pinnedTo: TemplatePins['pinnedTo']
  /** Whether a published event was applied. */
  shows(event: CloudEvent): boolean
  /** Also finds a deleted template. */
  record(id: string): TemplateRecord | undefined
  /** The id of the template that has the slug; undefined if none of the owner has it. */
  idOf(slug: string, ownerId: string): string | undefined
  /** The id of the deleted template that had the slug last. */
  deletedIdOf(slug: string, ownerId: string): string | undefined
  /**
   * The templates of an owner, by default newest first. Summaries have no `largeFields`, and deleted templates no content.
   */
  page(options: TemplatePage): Page<ListedTemplate>
}

export const templateTables = `
  CREATE TABLE templates(
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, slug TEXT, active INTEGER NOT NULL, revision INTEGER NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, search TEXT NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX templates_slug ON templates(owner_id, slug) WHERE active = 1;
  CREATE INDEX templates_owner ON templates(owner_id, id) WHERE active = 1;
  CREATE INDEX templates_updated ON templates(owner_id, updated_at, id) WHERE active = 1;
  CREATE INDEX templates_name ON templates(owner_id, search, id) WHERE active = 1;
  CREATE INDEX templates_deleted ON templates(owner_id, id) WHERE active = 0;
  CREATE INDEX templates_deleted_slug ON templates(owner_id, slug) WHERE active = 0;`

export function templateView(db: DatabaseSync): TemplateView {
  const byId = db.prepare('SELECT * FROM templates WHERE id = ?')
  const revisionOf = db.prepare('SELECT revision FROM templates WHERE id = ?')
  const bySlug = db.prepare('SELECT id FROM templates WHERE slug = ? AND owner_id = ? AND active = 1')
  const byDeletedSlug = db.prepare(
    'SELECT id FROM templates WHERE slug = ? AND owner_id = ? AND active = 0 ORDER BY updated_at DESC LIMIT 1',
  )
  const save = db.prepare(
    `INSERT INTO templates(id, owner_id, slug, active, revision, created_at, updated_at, search, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT(id) DO UPDATE SET slug = excluded.slug, active = excluded.active, revision = excluded.revision,
       updated_at = excluded.updated_at, search = excluded.search, state = excluded.state`,
  )
  const record = (id: string) => recordFrom(byId.get(id))
  const pins = templatePins(db)

  const remove = db.prepare('DELETE FROM templates WHERE id = ?')

  return {
    pinnedTo: pins.pinnedTo,
    remove(id) {
      pins.remove(id)
      remove.run(id)
    },
    record,
    shows: ({ subject, revision }) => Number(revisionOf.get(subject)?.revision ?? -1) >= revision,
    apply(event) {
      // A version may be large. It is parsed only if something of it remains.
      const before = templateFold.isWhole(event) ? undefined : record(aggregateIdOf(event.stream))
      const { id, state, revision, created_at, updated_at } = templateFold.evolve(before, event)
      if (state.status === 'absent') return
      const { ownerId, name, slug } = state
      const active = state.status === 'active' ? 1 : 0
      const search = searchText(name, slug)
      save.run(id, ownerId, slug, active, revision, created_at, updated_at, search, stringifyExact(state))
      pins.save(id, state)
    },
    idOf(slug, ownerId) {
      const row = bySlug.get(slug, ownerId)
      return row && String(row.id)
    },
    deletedIdOf(slug, ownerId) {
      const row = byDeletedSlug.get(slug, ownerId)
      return row && String(row.id)
    },
    page: templatePages(db),
  }
}

function recordFrom(row: unknown): TemplateRecord | undefined {
  return row === undefined ? undefined : recordOfRow(row)
}
