import type { DatabaseSync } from 'node:sqlite'
import { type Static, Type } from 'typebox'
import type { PartialView } from './partial-view.ts'

/** Items of a list of uses. The counts are complete. */
const maxListed = 1_000

export const PartialUsage = Type.Object(
  {
    templates: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          slug: Type.String(),
          version: Type.Integer({ minimum: 1, description: 'the newest version of the template' }),
          partial_version: Type.Optional(Type.Integer({ minimum: 1, description: 'absent if the template follows' })),
          follows: Type.Boolean({ description: 'uses the newest version of the partial' }),
        },
        { title: 'TemplateWithPartial' },
      ),
      {
        description: `the newest versions of templates that use the partial, also through others; at most ${maxListed}`,
      },
    ),
    partials: Type.Array(
      Type.Object(
        { id: Type.String(), name: Type.String(), version: Type.Integer({ minimum: 1 }) },
        { title: 'PartialWithPartial' },
      ),
      {
        description: `partials that call it; at most ${maxListed}`,
      },
    ),
    counts: Type.Object({ templates: Type.Integer(), partials: Type.Integer() }, { title: 'PartialUsageCounts' }),
  },
  { title: 'PartialUsage' },
)
export type PartialUsage = Static<typeof PartialUsage>

interface Row {
  id: string
  slug: string
  version: number
  partial_version: number | null
  follows: number
}

/** Who uses a partial. A template that follows uses what its partials call now, not when it was saved. */
export function partialUsage(db: DatabaseSync, partials: Pick<PartialView, 'callersOf'>) {
  const rows = db.prepare(
    `SELECT t.id, t.slug, t.revision + 1 AS version, max(CASE WHEN u.name = ?2 THEN u.version END) AS partial_version, u.follows
     FROM template_partials u JOIN templates t ON t.id = u.template_id
     WHERE u.owner_id = ?1 AND (u.name = ?2 OR (u.follows = 1 AND u.name IN (SELECT value FROM json_each(?3))))
     GROUP BY t.id ORDER BY t.id DESC`,
  )
  return (ownerId: string, name: string): PartialUsage => {
    const direct = partials.callersOf(ownerId, name)
    const found = rows.all(ownerId, name, JSON.stringify(allCallers(partials, ownerId, name))) as unknown as Row[]
    return {
      templates: found.slice(0, maxListed).map(({ id, slug, version, partial_version, follows }) => ({
        ...{ id, slug, version, follows: follows === 1 },
        ...(follows !== 1 && partial_version !== null && { partial_version }),
      })),
      partials: direct.slice(0, maxListed).map(({ id, name, version }) => ({ id, name, version })),
      counts: { templates: found.length, partials: direct.length },
    }
  }
}

/** The names of the partials that call it, directly or through others. */
function allCallers(partials: Pick<PartialView, 'callersOf'>, ownerId: string, name: string): string[] {
  const names = new Set<string>()
  const waiting = [name]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const caller of partials.callersOf(ownerId, next)) {
      if (names.has(caller.name)) continue
      names.add(caller.name)
      waiting.push(caller.name)
    }
  }
  return [...names]
}
