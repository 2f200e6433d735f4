import type { DatabaseSync } from 'node:sqlite'
import { type ListedTemplate, largeFields } from '@platen/domain/template/template.ts'
import { pageOfRows } from './aggregate-record.ts'
import { deletedTemplateOf, templateOf } from './template-record.ts'
import type { Page } from './view.ts'

/** `created` and `updated`: newest first. `name`: from A to Z, in lower case. */
export type TemplateSort = 'created' | 'updated' | 'name'

export interface TemplatePage {
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
export const searchText = (name: string, slug: string) => `${name}\n${slug}`.toLowerCase()

const order = {
  created: { columns: 'id', isAfter: '<', direction: 'DESC' },
  updated: { columns: 'updated_at, id', isAfter: '<', direction: 'DESC' },
  name: { columns: 'search, id', isAfter: '>', direction: 'ASC' },
} as const

/** A template that changes between two pages may be on both, and none is left out that does not change. */
export function templatePages(db: DatabaseSync): (options: TemplatePage) => Page<ListedTemplate> {
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
