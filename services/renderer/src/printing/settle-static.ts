import { setTimeout as delay } from 'node:timers/promises'
import { untilAborted } from '../browser/until-aborted.ts'
import type { PreparedPage } from '../pages/prepared-page.ts'
import { type DocumentDescription, documentFunctions, emptyDescription } from './describe-document.ts'

/** Asked rather than told, and at once: where script is off neither timers nor listeners of ours run. */
const settled = (closely: boolean) => `(() => {
  ${documentFunctions({ closely })}
  if (own('readyState') !== 'complete') return
  const images = [...own('images')]
  const lazy = images.filter((image) => image.loading === 'lazy')
  for (const image of lazy) image.loading = 'eager'
  const fonts = own('fonts')
  // Fonts are asked for when something is laid out in them.
  if (fonts.size > 0) own('documentElement')?.getBoundingClientRect()
  if (fonts.status !== 'loaded' || lazy.length > 0 || !images.every((image) => image.complete)) return
  return describe()
})()`
const expressions = { plain: settled(false), closely: settled(true) }

const firstMs = 2
const longestMs = 30

/** What a document says of itself, once all that it refers to is there; undefined before. */
export async function lookStatic(
  { session, isolatedWorldId: contextId }: PreparedPage,
  /** Looks at its characters too. */
  closely: boolean,
): Promise<DocumentDescription | undefined> {
  const expression = closely ? expressions.closely : expressions.plain
  const { result } = await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true })
  return result.value
}

export interface SettleStaticOptions {
  resourcesMs: number
  closely: boolean
  signal: AbortSignal
}

/** Waits until what the document refers to is there. Past `resourcesMs` its way out is shut: the rest is left out. */
export async function settleStatic(
  page: PreparedPage,
  { resourcesMs, closely, signal }: SettleStaticOptions,
): Promise<DocumentDescription> {
  const startedAt = performance.now()
  for (let pauseMs = firstMs; ; pauseMs = Math.min(pauseMs * 2, longestMs)) {
    const description = await untilAborted(lookStatic(page, closely), signal)
    if (description) return description
    const waitedMs = performance.now() - startedAt
    if (waitedMs > resourcesMs) page.door.shut()
    if (waitedMs > resourcesMs * 2) return emptyDescription
    await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
