import { setTimeout as delay } from 'node:timers/promises'
import { untilAborted } from '../browser/until-aborted.ts'
import type { PreparedPage } from '../pages/prepared-page.ts'
import { type DocumentDescription, documentFunctions, emptyDescription } from './describe-document.ts'

/**
 * Waits until what the document refers to is there: scripts and styles (the load event), fonts, and images, lazy ones
 * too. Runs in a world of its own, where the document cannot have replaced what it calls. `document.open` takes
 * listeners away, so the load is polled.
 */
const settled = `(async () => {
  const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  while (document.readyState !== 'complete') await later(4)
  for (const lazy of document.querySelectorAll('[loading=lazy]')) lazy.loading = 'eager'
  // Fonts are asked for when something is laid out in them.
  document.documentElement?.getBoundingClientRect()
  const pending = [...document.images].filter((image) => !image.complete)
  const loaded = (image) => new Promise((resolve) => {
    image.addEventListener('load', resolve)
    image.addEventListener('error', resolve)
    if (image.complete) resolve()
  })
  await Promise.all([document.fonts.ready, ...pending.map(loaded)])
})()`

/** Charts draw themselves in animation frames: the first two belong to the document as its author sees it. */
const drawn = `new Promise((resolve) => {
  setTimeout(resolve, 100)
  requestAnimationFrame(() => requestAnimationFrame(resolve))
})`

export interface SettleOptions {
  /** Then the document's way out is shut, and what has not come is left out. */
  resourcesMs: number
  scripted: boolean
  signal: AbortSignal
}

const description = `(() => { ${documentFunctions({ closely: true })}
 return describe() })()`

/** Answers what the document says of itself by then. */
export async function settle(
  page: PreparedPage,
  { resourcesMs, scripted, signal }: SettleOptions,
): Promise<DocumentDescription> {
  const evaluate = (expression: string) =>
    page.session.send('Runtime.evaluate', {
      ...{ expression, contextId: page.isolatedWorldId, awaitPromise: true, returnByValue: true },
    })

  const done = new AbortController()
  const late = setTimeout(page.door.shut, resourcesMs)
  try {
    const patience = delay(resourcesMs * 2, undefined, { signal: done.signal })
    patience.catch(() => {})
    await untilAborted(Promise.race([evaluate(settled), patience]), signal)
    if (scripted) await untilAborted(evaluate(drawn), signal)
    const { result } = await untilAborted(evaluate(description), signal)
    return result.value ?? emptyDescription
  } finally {
    clearTimeout(late)
    done.abort()
  }
}
