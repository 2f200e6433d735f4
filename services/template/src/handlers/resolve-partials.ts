import { fail } from '@platen/domain/http/errors.ts'
import { isPartialName, partialLimits } from '@platen/domain/partial/partial.ts'
import { partialId, readPartial } from '@platen/domain/partial/read-partial.ts'
import type { PartialPins } from '@platen/domain/template/template-content.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { type CallingSource, checkCalls } from '@platen/templating/handlebars/check-calls.ts'
import type { TemplateEngine } from '@platen/templating/handlebars/engine.ts'
import type { PartialCalls } from '@platen/templating/handlebars/inspect-template.ts'
import { partialSource } from '@platen/templating/handlebars/template-problem.ts'

export interface Resolution {
  ownerId: string
  /** Who shares the template workers with others. */
  caller: Claim
  sources: readonly CallingSource[]
  /** The partial that is being saved: its only source counts instead of the stored one. */
  saved?: string
}

/**
 * Finds the partials that sources call, those that these call, and so on. Returns their versions as they were at one moment
 * of the log. Throws TEMPLATE_RENDER_ERROR for unknown partials and for those that call each other in a circle, and
 * TEMPLATE_TOO_COMPLEX.
 */
export type ResolvePartials = (resolution: Resolution) => Promise<PartialPins>

/** The partial of a name; `version` is undefined if there is none. */
interface Found {
  id: string
  version: number | undefined
  source: CallingSource | undefined
}

const maxCached = 2_000
/** A partial may have tens of thousands of calls. */
const maxCachedChars = 32 * 2 ** 20
/** The characters of a call or a definition, beside its name. */
const charsOfCall = 100
/** Concurrent changes of the same partials more often than this are an overload. */
const maxAttempts = 10

export function openPartialResolver(
  store: Pick<EventStore, 'readStream'>,
  engine: Pick<TemplateEngine, 'check'>,
): ResolvePartials {
  // A version never changes.
  const checked = new LruCache<PartialCalls>({
    maxCount: maxCached,
    maxWeight: maxCachedChars,
    weightOf: (_key, { calls, defined }) => sizeOf(calls.map(({ name }) => name)) + sizeOf(defined),
  })

  const find = async (name: string, { ownerId, caller }: Resolution): Promise<Found> => {
    const id = partialId(ownerId, name)
    const partial = isPartialName(name) ? await readPartial(store, id) : undefined
    if (!partial) return { id, version: undefined, source: undefined }
    const { html, version } = partial
    const key = `${id}@${version}`
    const source = partialSource(name)
    const known = checked.get(key)
    const partials = known ?? (await engine.check(html, { caller, name: source }))
    if (!known) checked.set(key, partials)
    return { id, version, source: { name: source, html, partials } }
  }

  const collect = async (resolution: Resolution): Promise<Map<string, Found>> => {
    const { sources, saved, ownerId } = resolution
    const found = new Map<string, Found>()
    const [source] = sources
    if (saved !== undefined) found.set(saved, { id: partialId(ownerId, saved), version: undefined, source })
    for (let next = unknownOf(sources, found); next.length > 0; ) {
      const added = await Promise.all(next.map(async (name) => [name, await find(name, resolution)] as const))
      for (const [name, partial] of added) found.set(name, partial)
      checkLimits(found)
      next = unknownOf(
        added.flatMap(([, { source }]) => source ?? []),
        found,
      )
    }
    return found
  }

  /** Versions that are equal before and after a moment were so at that moment. */
  const isUnchanged = async (found: Map<string, Found>, saved: string | undefined): Promise<boolean> => {
    const checks = [...found].map(async ([name, { id, version }]) => {
      return name === saved || !isPartialName(name) || (await readPartial(store, id))?.version === version
    })
    return (await Promise.all(checks)).every((same) => same)
  }

  return async (resolution) => {
    const { sources, saved } = resolution
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const found = await collect(resolution)
      if (found.size > 0 && !(await isUnchanged(found, saved))) continue
      const all = new Map([...found].flatMap(([name, { source }]) => (source ? [[name, source] as const] : [])))
      checkCalls(sources, all, { saved, maxDepth: partialLimits.depth })
      return pinsOf(found)
    }
    throw new DependencyUnavailable('the partials of the template are being changed too often')
  }
}

const sizeOf = (names: readonly string[]) => names.reduce((sum, { length }) => sum + charsOfCall + length, 0)

function unknownOf(sources: readonly CallingSource[], found: ReadonlyMap<string, Found>): string[] {
  const names = sources.flatMap(({ partials }) => partials.calls.map(({ name }) => name))
  return [...new Set(names)].filter((name) => !found.has(name))
}

function checkLimits(found: ReadonlyMap<string, Found>): void {
  const { used, usedBytes } = partialLimits
  const sources = [...found.values()].flatMap(({ source }) => source ?? [])
  if (sources.length > used) {
    fail('TEMPLATE_TOO_COMPLEX', `the template uses more than ${used} partials`, { limit: used })
  }
  const bytes = sources.reduce((sum, { html }) => sum + Buffer.byteLength(html), 0)
  if (bytes > usedBytes) {
    fail('TEMPLATE_TOO_COMPLEX', `the partials of the template have more than ${usedBytes / 1024 / 1024} MiB`, {
      limit: usedBytes,
    })
  }
}

function pinsOf(found: ReadonlyMap<string, Found>): PartialPins {
  const pins = [...found].flatMap(([name, { id, version }]) =>
    version === undefined ? [] : [[name, { id, version }] as const],
  )
  return Object.fromEntries(pins.sort(([a], [b]) => (a < b ? -1 : 1)))
}
