import { defined } from '@platen/foundation/json/defined.ts'
import { type Static, Type } from 'typebox'
import type { PartialView } from './partial-view.ts'
import type { TemplateView } from './template-view.ts'

/** Items of a list of uses. The counts are complete. */
const maxListed = 1_000

export const PartialUsage = Type.Object(
  {
    templates: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          slug: Type.String(),
          version: Type.Integer({
            minimum: 1,
            description: 'a version of the template that has a label, or is the newest',
          }),
          newest: Type.Boolean({ description: 'it is the newest version' }),
          labels: Type.Array(Type.String(), { description: 'the labels of the version' }),
          partial_version: Type.Optional(Type.Integer({ minimum: 1, description: 'absent if the template follows' })),
          follows: Type.Boolean({ description: 'uses the newest version of the partial' }),
        },
        { title: 'TemplateWithPartial' },
      ),
      {
        description: `the newest and the labelled versions of templates that use the partial, also through others; at most ${maxListed}`,
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

/**
 * Templates and partials that use a partial. A template that follows uses what its partials call now, not when it was
 * saved.
 */
export function partialUsage(templates: Pick<TemplateView, 'pinnedTo'>, partials: Pick<PartialView, 'callersOf'>) {
  return (ownerId: string, name: string): PartialUsage => {
    const direct = partials.callersOf(ownerId, name)
    const names = [name, ...allCallers(partials, ownerId, name)]
    const using = new Map<string, PartialUsage['templates'][number]>()
    for (const pinned of templates.pinnedTo(ownerId, 'partial', names)) {
      const { id, slug, version, newest, labels, follows } = pinned
      const isDirect = pinned.name === name
      if (!isDirect && !follows) continue
      const key = `${id} ${version}`
      if (using.has(key) && !isDirect) continue
      const partial_version = follows ? undefined : Number(pinned.pin)
      using.set(key, {
        id,
        slug,
        version,
        newest,
        labels,
        follows,
        ...defined({ partial_version }),
      })
    }
    const versions = [...using.values()]
    return {
      templates: versions.slice(0, maxListed),
      partials: direct.slice(0, maxListed).map(({ id, name, version }) => ({ id, name, version })),
      counts: { templates: new Set(versions.map(({ id }) => id)).size, partials: direct.length },
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
