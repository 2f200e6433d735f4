import type { DatabaseSync } from 'node:sqlite'
import type { AssetDeleted, AssetEvent, AssetsListed } from '@platen/domain/asset/asset-events.ts'
import { type AssetContent, contentOf } from '@platen/domain/asset/asset-library.ts'
import type { Unreadable } from '@platen/event-store/decider.ts'
import { eventTime } from '@platen/event-store/event-time.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import type { Page, View } from './view.ts'

/** A content that a name has or had. */
export type StoredVersion = Pick<AssetContent, 'version' | 'sha256' | 'object' | 'type' | 'bytes' | 'updatedAt'>

/** All contents that assets have had, also those of deleted ones. */
export interface AssetView extends View {
  version(ownerId: string, name: string, version: number): StoredVersion | undefined
  /** Undefined if the name never had a content. */
  newest(ownerId: string, name: string): StoredVersion | undefined
  /** The last version of the name with these bytes. */
  versionOf(ownerId: string, name: string, sha256: string): number | undefined
  /** Newest first. `before` is the version that ended the previous page. */
  page(ownerId: string, name: string, range: { before: number; limit: number }): Page<StoredVersion>
}

export const assetTables = `
  CREATE TABLE asset_versions(
    owner_id TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, sha256 TEXT NOT NULL, object TEXT NOT NULL,
    type TEXT NOT NULL, bytes INTEGER NOT NULL, updated_at TEXT NOT NULL,
    PRIMARY KEY(owner_id, name, version)) STRICT, WITHOUT ROWID;
  CREATE INDEX asset_versions_content ON asset_versions(owner_id, name, sha256, version);`

export function assetView(db: DatabaseSync): AssetView {
  const columns = 'version, sha256, object, type, bytes, updated_at AS updatedAt'
  const ofName = `SELECT ${columns} FROM asset_versions WHERE owner_id = ? AND name = ?`
  const one = db.prepare(`${ofName} AND version = ?`)
  const newestFirst = db.prepare(`${ofName} AND version < ? ORDER BY version DESC LIMIT ?`)
  const ofContent = db.prepare(
    'SELECT max(version) AS version FROM asset_versions WHERE owner_id = ? AND name = ? AND sha256 = ?',
  )
  const save = db.prepare('INSERT OR REPLACE INTO asset_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM asset_versions WHERE owner_id = ?')
  const versions = (ownerId: string, name: string, before: number, limit: number) =>
    newestFirst.all(ownerId, name, before, limit) as unknown as StoredVersion[]
  return {
    version: (ownerId, name, version) => one.get(ownerId, name, version) as unknown as StoredVersion | undefined,
    newest: (ownerId, name) => versions(ownerId, name, Number.MAX_SAFE_INTEGER, 1)[0],
    versionOf: (ownerId, name, sha256) =>
      (ofContent.get(ownerId, name, sha256)?.version ?? undefined) as number | undefined,
    page(ownerId, name, { before, limit }) {
      const found = versions(ownerId, name, before, limit + 1)
      return { items: found.slice(0, limit), hasMore: found.length > limit }
    },
    remove: (ownerId) => void remove.run(ownerId),
    apply(event) {
      const change = domainEvent<AssetEvent>(event)
      if (change.type === 'AssetStored') {
        const { version, sha256, object, type, bytes, updatedAt } = contentOf(change.data, eventTime(event))
        save.run(aggregateIdOf(event.stream), change.data.name, version, sha256, object, type, bytes, updatedAt)
      } else {
        // A deleted name keeps its versions, and a listing has no content that was not stored before.
        change satisfies AssetDeleted | AssetsListed | Unreadable
      }
    },
  }
}
