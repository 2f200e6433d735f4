import { fail } from '@platen/domain/http/errors.ts'
import { isPartialName, partialLimits } from '@platen/domain/partial/partial.ts'
import type { PartialPins } from '@platen/domain/template/template-content.ts'
import { partialNames } from '@platen/templating/handlebars/scan.ts'
import type { PartialView } from '../views/partial-view.ts'

export interface NewestPinsOptions {
  view: Pick<PartialView, 'newest'>
  /** Resolves when the view shows every change that was acknowledged before the call. */
  untilCaughtUp: () => Promise<void>
}

/**
 * The newest versions of the partials that the sources call, of the partials named in `called`, and of the partials
 * that these call. All are from one moment, which is not before the call: the view applies events in order, and is read
 * in one step. Names without a partial are left out; the renderer reports where they are called. Throws
 * TEMPLATE_TOO_COMPLEX and DependencyUnavailable.
 */
export type NewestPins = (
  ownerId: string,
  sources: readonly string[],
  called?: readonly string[],
) => Promise<PartialPins>

export function newestPins({ view, untilCaughtUp }: NewestPinsOptions): NewestPins {
  return async (ownerId, sources, called = []) => {
    const names = [...called, ...sources.flatMap(partialNames)]
    if (names.length === 0) return {}
    await untilCaughtUp()
    return collect(view, ownerId, names)
  }
}

function collect(view: NewestPinsOptions['view'], ownerId: string, names: readonly string[]): PartialPins {
  const pins: PartialPins = {}
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (Object.hasOwn(pins, name) || !isPartialName(name)) continue
    const partial = view.newest(ownerId, name)
    if (!partial) continue
    pins[name] = { id: partial.id, version: partial.version }
    waiting.push(...partial.calls)
    if (Object.keys(pins).length > partialLimits.used) {
      fail('TEMPLATE_TOO_COMPLEX', `the document uses more than ${partialLimits.used} partials`, {
        limit: partialLimits.used,
      })
    }
  }
  return pins
}
