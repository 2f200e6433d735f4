import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Metadata } from '@platen/domain/generation/job-details.ts'

export interface MetadataFilter {
  ownerId: string
  status: string | undefined
  templateId: string | undefined
  /** The filter, with at least one entry. */
  metadata: Metadata
  from: string
  before: string
  limit: number
}

/**
 * How many generations with the first entry are compared before other requests are served. It takes some ten
 * milliseconds.
 */
const stepSize = 500

export const metadataTables = `
  CREATE TABLE generation_metadata(
    owner_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, id TEXT NOT NULL,
    PRIMARY KEY(owner_id, key, value, id)) STRICT, WITHOUT ROWID;`

/** Finds the generations of an owner by an entry of their metadata. */
export function openMetadataTable(db: DatabaseSync) {
  const add = db.prepare('INSERT OR IGNORE INTO generation_metadata(owner_id, key, value, id) VALUES (?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM generation_metadata WHERE owner_id = ? AND key = ? AND value = ? AND id = ?')
  const endOfStep = db.prepare(
    `SELECT id FROM generation_metadata
     WHERE owner_id = :ownerId AND key = :key AND value = :value AND id >= :from AND id < :before
     ORDER BY id DESC LIMIT 1 OFFSET ${stepSize - 1}`,
  )
  // The first entry is looked up in the order of the index; `CROSS JOIN` keeps SQLite from scanning the other table first.
  const list = db.prepare(
    `SELECT g.id, g.state FROM generation_metadata m CROSS JOIN generations g ON g.id = m.id
     WHERE m.owner_id = :ownerId AND m.key = :key AND m.value = :value AND m.id >= :from AND m.id < :before
       AND (:status IS NULL OR g.status = :status) AND (:templateId IS NULL OR g.template_id = :templateId)
       AND NOT EXISTS (
         SELECT 1 FROM json_each(:others) o WHERE NOT EXISTS (
           SELECT 1 FROM generation_metadata n
           WHERE n.owner_id = :ownerId AND n.key = o.value ->> 0 AND n.value = o.value ->> 1 AND n.id = m.id))
     ORDER BY m.id DESC LIMIT :limit`,
  )
  return {
    add(ownerId: string, id: string, metadata: Metadata = {}) {
      for (const [key, value] of Object.entries(metadata)) add.run(ownerId, key, value, id)
    },
    remove(ownerId: string, id: string, metadata: Metadata = {}) {
      for (const [key, value] of Object.entries(metadata)) remove.run(ownerId, key, value, id)
    },
    /** Newest first. */
    async list({ metadata, status, templateId, ownerId, from, before, limit }: MetadataFilter) {
      const [[key, value] = ['', ''], ...others] = Object.entries(metadata)
      const given = { status: status ?? null, templateId: templateId ?? null, others: JSON.stringify(others) }
      const found: Record<string, SQLOutputValue>[] = []
      for (let end = before; ; await setImmediate()) {
        const next = endOfStep.get({ ownerId, key, value, from, before: end })
        const start = next === undefined ? from : String(next.id)
        const left = limit - found.length
        found.push(...list.all({ ownerId, key, value, from: start, before: end, limit: left, ...given }))
        if (next === undefined || found.length >= limit) return found
        end = start
      }
    },
  }
}
