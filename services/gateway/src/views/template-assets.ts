import type { DatabaseSync } from 'node:sqlite'
import type { TemplateState } from '@platen/domain/template/template-state.ts'

/** The newest version of a template that is pinned to a content of an asset. */
export interface PinnedTemplate {
  id: string
  slug: string
  version: number
  sha256: string
}

/** The pins of the newest versions of templates, by the name of the asset. */
export interface TemplateAssets {
  save(id: string, state: TemplateState): void
  remove(id: string): void
  /** Newest template first. */
  pinnedTo(ownerId: string, name: string): PinnedTemplate[]
}

export const templateAssetsTables = `
  CREATE TABLE template_assets(
    template_id TEXT NOT NULL, owner_id TEXT NOT NULL, name TEXT NOT NULL, sha256 TEXT NOT NULL,
    PRIMARY KEY(template_id, name)) STRICT, WITHOUT ROWID;
  CREATE INDEX template_assets_name ON template_assets(owner_id, name);`

export function templateAssets(db: DatabaseSync): TemplateAssets {
  const unpin = db.prepare('DELETE FROM template_assets WHERE template_id = ?')
  const pin = db.prepare('INSERT INTO template_assets(template_id, owner_id, name, sha256) VALUES (?, ?, ?, ?)')
  const pinned = db.prepare(
    `SELECT t.id, t.slug, t.revision + 1 AS version, a.sha256 FROM template_assets a JOIN templates t ON t.id = a.template_id
     WHERE a.owner_id = ? AND a.name = ? ORDER BY t.id DESC`,
  )
  return {
    save(id, state) {
      unpin.run(id)
      if (state.status !== 'active') return
      for (const [name, sha256] of Object.entries(state.assets ?? {})) pin.run(id, state.ownerId, name, sha256)
    },
    remove: (id) => void unpin.run(id),
    pinnedTo: (ownerId, name) => pinned.all(ownerId, name) as unknown as PinnedTemplate[],
  }
}
