import { DomainError } from '../errors/errors.ts'
import type { PartialCalls } from './inspect-template.ts'
import { circleOfPartials, noSuchPartial } from './template-problem.ts'

/** A source that calls partials: of a template, or of a partial. */
export interface CallingSource {
  /** The name used in messages, such as `html`. */
  name: string
  html: string
  partials: PartialCalls
}

/** The partials that exist, by name. */
type Found = ReadonlyMap<string, CallingSource>

interface CallLimits {
  /** The partial that is being saved: the sources are its own. */
  saved?: string | undefined
  /** How deep partials may call each other. */
  maxDepth: number
}

/**
 * Throws TEMPLATE_RENDER_ERROR for a call of a partial that is neither found nor defined, and for those that call each other in
 * a circle, and TEMPLATE_TOO_COMPLEX.
 */
export function checkCalls(sources: readonly CallingSource[], found: Found, limits: CallLimits): void {
  checkKnown(sources, found)
  checkCircles(sources, found, limits)
}

/** A partial may call one that the template defines: `{{#*inline "content"}}`. */
function checkKnown(sources: readonly CallingSource[], found: Found): void {
  const all = [...sources, ...found.values()]
  const defined = new Set(all.flatMap(({ partials }) => partials.defined))
  for (const { name, html, partials } of all) {
    const unknown = partials.calls.find((call) => !call.hasBlock && !defined.has(call.name) && !found.has(call.name))
    if (unknown) throw noSuchPartial(unknown).inSource(html, name)
  }
}

function checkCircles(sources: readonly CallingSource[], found: Found, { saved, maxDepth }: CallLimits): void {
  const done = new Set<string>()
  const visit = ({ name: sourceName, html, partials }: CallingSource, chain: readonly string[]): void => {
    for (const call of partials.calls) {
      const { name } = call
      const chained = [...chain, name]
      if (chain.includes(name)) throw circleOfPartials(call, chain).inSource(html, sourceName)
      if (chained.length > maxDepth) {
        const details = { limit: maxDepth }
        throw new DomainError('TEMPLATE_TOO_COMPLEX', `partials call each other more than ${maxDepth} deep`, {
          details,
        })
      }
      const source = found.get(name)
      if (source && !done.has(name)) visit(source, chained)
    }
    const own = chain.at(-1)
    if (own !== undefined) done.add(own)
  }
  for (const source of sources) visit(source, saved === undefined ? [] : [saved])
}
