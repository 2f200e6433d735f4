import { setTimeout as delay } from 'node:timers/promises'
import { untilAborted } from '@platen/shared/runtime/until-aborted.ts'
import type { BrowserPage } from '../browser-pool/browser-page.ts'
import type { DocumentRecord } from './document-recorder.ts'
import type { TrackedRequests } from './track-requests.ts'
import { evaluateInFrames } from './wait-until-loaded.ts'

/** Animations and timers are run for so long, in the document's time. */
const maxVirtualMs = 5_000
const stepMs = 600

/** Chromium draws a frame in 16 ms, on a busy machine later. */
const framesWithinMs = 1_000
/** Two frames, where nothing tells of them. */
const twoFramesMs = 40

/**
 * The first two frames belong to the document as its author sees it: charts draw themselves in them. They come in real
 * time, also while virtual time stands still. Answers whether something goes on: animations with an end, SMIL.
 */
const twoFrames = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`

/** Endless animations have no end to be printed. */
const animating = `(() => {
  const ends = ({ playState, effect }) =>
    playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime)
  const smil = 'animate, animateMotion, animateTransform, set, discard'
  return document.getAnimations().some(ends) || document.querySelector(smil) !== null
})()`
const animatingFrame = `${animating} ? 'animating' : document.scripts.length > 0 ? 'scripted' : ''`
/** What scripts of frames wait for cannot be seen: they get this much time. */
const frameScriptsMs = 1_800

export interface FinishOptions {
  /** Absent where the document runs no script. */
  record: DocumentRecord | undefined
  requests: TrackedRequests | undefined
  frames: boolean
  /** False: two frames are drawn, and time is left as it is. */
  enabled: boolean
  /** Where script is disabled, no callback of ours runs either. */
  scriptDisabled: boolean
  /** Waiting ends: the document is printed as it is by then. */
  giveUp: AbortSignal
  signal: AbortSignal
}

/**
 * Brings a loaded document to where it no longer changes: runs its animation frames in real time, in turns with its
 * timers and animations in virtual time (DevTools protocol, `Emulation.setVirtualTimePolicy`), for at most five seconds
 * of the document's time. Virtual time stands still while something is being fetched. A document in which nothing
 * moves costs two frames.
 */
export async function finishAnimations(page: BrowserPage, options: FinishOptions): Promise<void> {
  const { record, requests, frames, enabled, scriptDisabled, giveUp, signal } = options
  const until = AbortSignal.any([signal, giveUp])
  const evaluate = async (expression: string) => {
    const question = { expression, contextId: page.isolatedWorldId, awaitPromise: true, returnByValue: true }
    return (await untilAborted(page.session.send('Runtime.evaluate', question), until)).result.value
  }
  const isMoving = async (leftMs: number) => {
    const [scripted, animated] = await Promise.all([record?.isMoving(leftMs, until), evaluate(animating)])
    if (scripted || animated || requests?.pending().length) return true
    if (!frames) return false
    const framesMove = await untilAborted(evaluateInFrames(page, animatingFrame), until)
    const scriptsRun = leftMs > maxVirtualMs - frameScriptsMs
    return framesMove.some((moves) => moves === 'animating' || (moves === 'scripted' && scriptsRun))
  }
  const draw = () =>
    scriptDisabled
      ? delay(twoFramesMs, undefined, { signal: until })
      : Promise.race([evaluate(twoFrames), delay(framesWithinMs, undefined, { signal: until })])

  let virtual = false
  try {
    await record?.isMoving(0, until)
    await draw()
    // What was started by the last step is still to come: handlers of its end run in the next one.
    let rests = 0
    for (let leftMs = enabled ? maxVirtualMs : 0; leftMs > 0; leftMs -= stepMs) {
      rests = (await isMoving(leftMs)) ? 0 : rests + 1
      if (rests > (virtual ? 1 : 0)) break
      virtual = true
      await untilAborted(advance(page, Math.min(stepMs, leftMs)), until)
      await draw()
    }
  } catch (err) {
    signal.throwIfAborted()
    if (!giveUp.aborted) throw err
  }
  // Chromium's print waits for what it requests itself, in the page's time.
  if (virtual)
    page.session.send('Emulation.setVirtualTimePolicy', { policy: 'pauseIfNetworkFetchesPending' }).catch(() => {})
}

async function advance({ session }: BrowserPage, budget: number): Promise<void> {
  const expired = new Promise<void>((resolve) => session.once('Emulation.virtualTimeBudgetExpired', () => resolve()))
  const policy = 'pauseIfNetworkFetchesPending'
  await session.send('Emulation.setVirtualTimePolicy', { policy, budget, maxVirtualTimeTaskStarvationCount: 1_000 })
  await expired
}
