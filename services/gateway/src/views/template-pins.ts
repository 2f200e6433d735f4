import type { DatabaseSync } from 'node:sqlite'
import type { TemplateState } from '@platen/domain/template/template-state.ts'

type Kind = 'asset' | 'partial'

/** A version of a template that has a label, or is the newest one, and its pin to a name. */
export interface PinnedVersion {
  id: string
  slug: string
  version: number
  newest: boolean
  /** Labels in the order of their creation. */
  labels: string[]
  name: string
  /** The SHA-256 of an asset, or the version of a partial. */
  pin: string
  /** The version uses the newest version of its partials instead. */
  follows: boolean
}

/** The pins of all versions of templates to partials and assets. A pin that versions in a row have is one row. */
export interface TemplatePins {
  /** Saves the pins of the newest version. */
  save(id: string, state: TemplateState): void
  remove(id: string): void
  /** The pinned versions of all templates that are not deleted, newest templates and versions first. */
  pinnedTo(ownerId: string, kind: Kind, names: readonly string[]): PinnedVersion[]
}

export const templatePinsTables = `
  CREATE TABLE template_pins(
    template_id TEXT NOT NULL, owner_id TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, pin TEXT NOT NULL,
    follows INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER,
    PRIMARY KEY(template_id, kind, name, since)) STRICT, WITHOUT ROWID;
  CREATE INDEX template_pins_name ON template_pins(owner_id, kind, name);`

interface Row {
  id: string
  slug: string
  newest: number
  labels: string | null
  name: string
  pin: string
  follows: number
  since: number
  until: number | null
}

export function templatePins(db: DatabaseSync): TemplatePins {
  const open = db.prepare('SELECT kind, name, pin, follows FROM template_pins WHERE template_id = ? AND until IS NULL')
  const end = db.prepare(
    'UPDATE template_pins SET until = ? WHERE template_id = ? AND kind = ? AND name = ? AND until IS NULL',
  )
  const begin = db.prepare(
    `INSERT OR REPLACE INTO template_pins(template_id, owner_id, kind, name, pin, follows, since, until)
     VALUES (?, ?, ?, ?, ?, ?, ?, NULL)`,
  )
  const remove = db.prepare('DELETE FROM template_pins WHERE template_id = ?')
  const pinned = db.prepare(
    `SELECT t.id, t.slug, t.revision + 1 AS newest, l.labels, p.name, p.pin, p.follows, p.since, p.until
     FROM template_pins p JOIN templates t ON t.id = p.template_id AND t.active = 1
     LEFT JOIN template_labels l ON l.id = t.id
     WHERE p.owner_id = ? AND p.kind = ? AND p.name IN (SELECT value FROM json_each(?))`,
  )
  return {
    save(id, state) {
      if (state.status === 'absent') return
      const { version } = state
      const pins = pinsOf(state)
      for (const { kind, name, pin, follows } of open.all(id) as unknown as Pin[]) {
        const kept = pins.findIndex((one) => isDeepEqual(one, { kind, name, pin, follows }))
        if (kept >= 0) pins.splice(kept, 1)
        else end.run(version - 1, id, kind, name)
      }
      for (const { kind, name, pin, follows } of pins) begin.run(id, state.ownerId, kind, name, pin, follows, version)
    },
    remove: (id) => void remove.run(id),
    pinnedTo(ownerId, kind, names) {
      const rows = pinned.all(ownerId, kind, JSON.stringify(names)) as unknown as Row[]
      return rows.flatMap(shownVersions).sort(newestFirst)
    },
  }
}

type Pin = Pick<Row, 'name' | 'pin' | 'follows'> & { kind: Kind }

const isDeepEqual = (one: Pin, other: Pin) =>
  one.kind === other.kind && one.name === other.name && one.pin === other.pin && one.follows === other.follows

/** A deleted template has none. */
function pinsOf(state: Exclude<TemplateState, { status: 'absent' }>): Pin[] {
  if (state.status === 'deleted') return []
  const { assets = {}, partials = {}, follow_partials } = state
  const follows = follow_partials ? 1 : 0
  return [
    ...Object.entries(assets).map(([name, pin]): Pin => ({ kind: 'asset', name, pin, follows: 0 })),
    ...Object.entries(partials).map(
      ([name, { version }]): Pin => ({ kind: 'partial', name, pin: String(version), follows }),
    ),
  ]
}

function shownVersions({ id, slug, newest, labels, name, pin, follows, since, until }: Row): PinnedVersion[] {
  const labelled: Record<string, number> = labels === null ? {} : JSON.parse(labels)
  const shown = new Set([newest, ...Object.values(labelled)])
  return [...shown]
    .filter((version) => since <= version && (until === null || version <= until))
    .map((version) => ({
      id,
      slug,
      version,
      newest: version === newest,
      labels: Object.keys(labelled).filter((label) => labelled[label] === version),
      name,
      pin,
      follows: follows === 1,
    }))
}

function newestFirst(one: PinnedVersion, other: PinnedVersion): number {
  if (one.id !== other.id) return one.id < other.id ? 1 : -1
  return other.version - one.version
}
