import { setTimeout as delay } from 'node:timers/promises'
import type { PreparedPage } from './prepared-page.ts'
import { untilAborted } from './until-aborted.ts'

/**
 * Asked rather than told, and at once: where script is off neither timers nor listeners of ours run. What belongs to
 * the document is read past the names that its own elements may take (`<img name=fonts>`).
 */
const isSettled = `(() => {
  const own = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document)
  if (own('readyState') !== 'complete') return false
  const images = [...own('images')]
  const lazy = images.filter((image) => image.loading === 'lazy')
  for (const image of lazy) image.loading = 'eager'
  const fonts = own('fonts')
  // Fonts are asked for when something is laid out in them.
  if (fonts.size > 0) own('documentElement')?.getBoundingClientRect()
  return fonts.status === 'loaded' && lazy.length === 0 && images.every((image) => image.complete)
})()`

const firstMs = 2
const longestMs = 30

/** Waits until what the document refers to is there. Past `resourcesMs` its way out is shut: the rest is left out. */
export async function settleStatic(
  { session, isolatedWorldId: contextId, door }: PreparedPage,
  { resourcesMs, signal }: { resourcesMs: number; signal: AbortSignal },
): Promise<void> {
  const startedAt = performance.now()
  for (let pauseMs = firstMs; ; pauseMs = Math.min(pauseMs * 2, longestMs)) {
    const evaluated = session.send('Runtime.evaluate', { expression: isSettled, contextId, returnByValue: true })
    const { result } = await untilAborted(evaluated, signal)
    if (result.value === true) return
    const waitedMs = performance.now() - startedAt
    if (waitedMs > resourcesMs) door.shut()
    if (waitedMs > resourcesMs * 2) return
    await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
