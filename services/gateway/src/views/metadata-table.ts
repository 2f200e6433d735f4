import type { DatabaseSync } from 'node:sqlite'
import type { Metadata } from '@platen/domain/generation/job-details.ts'

export const metadataTables = `
  CREATE TABLE generation_metadata(
    owner_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, id TEXT NOT NULL,
    PRIMARY KEY(owner_id, key, value, id)) STRICT, WITHOUT ROWID;`

/** The entries of the metadata of generations, by which they are found: see `generationSearch`. */
export function openMetadataTable(db: DatabaseSync) {
  const add = db.prepare('INSERT OR IGNORE INTO generation_metadata(owner_id, key, value, id) VALUES (?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM generation_metadata WHERE owner_id = ? AND key = ? AND value = ? AND id = ?')
  return {
    add(ownerId: string, id: string, metadata: Metadata = {}) {
      for (const [key, value] of Object.entries(metadata)) add.run(ownerId, key, value, id)
    },
    remove(ownerId: string, id: string, metadata: Metadata = {}) {
      for (const [key, value] of Object.entries(metadata)) remove.run(ownerId, key, value, id)
    },
  }
}
