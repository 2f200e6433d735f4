import { setTimeout as delay } from 'node:timers/promises'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import type { DescriptionParts, DescriptionTime, DocumentDescription } from '../page/contract.ts'
import { runInPage, runInWorld } from '../page/run-in-page.ts'
import { emptyDescription } from './describe-document.ts'
import type { TrackedRequests } from './track-requests.ts'

/** The description of the document, or undefined while it is not complete. */
export function checkLoaded(
  page: BrowserPage,
  parts: DescriptionParts,
  time: DescriptionTime = 'whenLoaded',
): Promise<DocumentDescription | undefined> {
  const isShort = !parts.rareCharacters && !parts.pageRules && !parts.brokenHeadings
  return isShort ? runInPage(page, 'describeDocument', time) : runInPage(page, 'describeInDepth', time, parts)
}

/** Resolves with the next load event of the page (HTML, 13.2.7). Call it before the content is set. */
export function whenLoaded({ session }: BrowserPage): Promise<void> {
  return new Promise((resolve) => session.once('Page.loadEventFired', () => resolve()))
}

const layoutAfterMs = 10
const firstPauseMs = 2
const longestPauseMs = 30

export interface LoadOptions {
  /** The load event of the document. */
  loadEvent: Promise<void>
  /** Absent if the document requests nothing from a network. */
  requests: TrackedRequests | undefined
  frames: boolean
  parts: DescriptionParts
  /** Ends the waiting. The document is printed as it is. */
  giveUp: AbortSignal
  signal: AbortSignal
}

/**
 * Waits until the document is complete: the load event (which includes its frames), then layout, fonts, images and the
 * requests that these cause, in all frames. `late`: URLs without a response.
 */
export async function waitUntilLoaded(
  page: BrowserPage,
  { loadEvent, requests, frames, parts, giveUp, signal }: LoadOptions,
): Promise<{ description: DocumentDescription; late: string[] }> {
  const until = AbortSignal.any([signal, giveUp])
  const lastLook = async () => {
    const description = await untilAborted(checkLoaded(page, parts, 'anyway'), signal)
    return { description: description ?? emptyDescription, late: requests?.pending() ?? [] }
  }
  try {
    let fired = false
    const load = loadEvent.then(() => {
      fired = true
    })
    // In a static page, which draws no frames by itself, some requests continue only after layout, and the load event
    // waits for them.
    for (let pauseMs = layoutAfterMs; page.mode === 'static' && !fired; pauseMs *= 2) {
      await untilAborted(Promise.race([load, delay(pauseMs, undefined, { signal: until })]), until)
      if (!fired) await untilAborted(runInPage(page, 'layOut'), until)
    }
    await untilAborted(load, until)
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const framesLoaded = frames ? await untilAborted(checkFrames(page), until) : true
      const description = await untilAborted(checkLoaded(page, parts), until)
      if (description && framesLoaded && !requests?.pending().length) return { description, late: [] }
      await delay(pauseMs, undefined, { signal: until })
    }
  } catch (err) {
    signal.throwIfAborted()
    if (!giveUp.aborted) throw err
    return lastLook()
  }
}

/** Whether fonts and images are loaded in all frames, at every depth. */
async function checkFrames(page: BrowserPage): Promise<boolean> {
  const answers = await runInFrames(page, 'isFrameLoaded')
  return answers.every((answer) => answer === true)
}

interface FrameTree {
  frame: { id: string }
  childFrames?: FrameTree[]
}

/** Calls a function in an isolated world of each child frame. A frame that is removed meanwhile counts as `true`. */
export async function runInFrames(
  { session }: BrowserPage,
  name: 'isFrameLoaded' | 'frameMovement',
): Promise<(boolean | string | undefined)[]> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const ids: string[] = []
  const collect = ({ childFrames = [] }: FrameTree) => {
    for (const child of childFrames) {
      ids.push(child.frame.id)
      collect(child)
    }
  }
  collect(frameTree)
  const run = async (frameId: string) => {
    try {
      const world = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'platen' })
      return await runInWorld(session, world.executionContextId, name)
    } catch {
      return true
    }
  }
  return Promise.all(ids.slice(0, maxFrames).map(run))
}

const maxFrames = 100
