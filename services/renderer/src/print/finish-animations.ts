import { setTimeout as delay } from 'node:timers/promises'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { runInPage } from '../page/run-in-page.ts'
import type { DocumentRecord } from './document-recorder.ts'
import type { TrackedRequests } from './track-requests.ts'
import { runInFrames } from './wait-until-loaded.ts'

/** Limit of the document's time that is run. */
const maxVirtualMs = 5_000
const stepMs = 600

/** If virtual time does not advance for twice this long without a pending request, the document has come to rest. */
const pausedMs = 150

/** A frame takes 16 ms, longer on a busy machine. */
const framesWithinMs = 1_000
/** Time for two frames if callbacks do not run. */
const twoFramesMs = 40

/** Timers of frames are not tracked, so frames with scripts get this much of the document's time. */
const frameScriptsMs = 1_800

export interface FinishOptions {
  /** Absent if the document runs no script. */
  record: DocumentRecord | undefined
  requests: TrackedRequests | undefined
  frames: boolean
  /** False: only two frames are drawn. */
  enabled: boolean
  /** If scripts are disabled, our own callbacks do not run either. */
  scriptDisabled: boolean
  /** When it aborts, the document is printed in its current state. */
  giveUp: AbortSignal
  signal: AbortSignal
}

/**
 * Runs a loaded document until it no longer changes: animation frames in real time, in turns with timers and animations
 * in virtual time (DevTools protocol, `Emulation.setVirtualTimePolicy`). Virtual time pauses while a request is pending,
 * and ends after five seconds, or later if fewer than 60 animation frames were drawn. A document without animations and timers costs two frames.
 */
export async function finishAnimations(page: BrowserPage, options: FinishOptions): Promise<void> {
  const { record, requests, frames, enabled, scriptDisabled, giveUp, signal } = options
  const until = AbortSignal.any([signal, giveUp])
  const isMoving = async (leftMs: number) => {
    const [scripted, animated] = await Promise.all([
      record?.isMoving(leftMs, until),
      untilAborted(runInPage(page, 'isAnimating'), until),
    ])
    if (scripted || animated || requests?.pending().length) return true
    if (!frames) return false
    const framesMove = await untilAborted(runInFrames(page, 'frameMovement'), until)
    const scriptsRun = leftMs > maxVirtualMs - frameScriptsMs
    return framesMove.some((moves) => moves === 'animating' || (moves === 'scripted' && scriptsRun))
  }
  const draw = () =>
    scriptDisabled
      ? delay(twoFramesMs, undefined, { signal: until })
      : Promise.race([
          untilAborted(runInPage(page, 'drawTwoFrames'), until),
          delay(framesWithinMs, undefined, { signal: until }),
        ])

  let virtual = false
  try {
    await record?.isMoving(0, until)
    await draw()
    // Handlers of an animation's end run in the step after it, so one step without movement is not enough.
    let rests = 0
    for (let leftMs = enabled ? maxVirtualMs : 0; leftMs > 0; leftMs -= stepMs) {
      rests = (await isMoving(leftMs)) ? 0 : rests + 1
      if (rests > (virtual ? 1 : 0)) break
      virtual = true
      await advance(page, Math.min(stepMs, leftMs), { requests, until })
      await draw()
    }
    // All of the document's time has run, in perhaps 25 frames.
    if (virtual) while (await record?.isDrawing(until)) await draw()
  } catch (err) {
    signal.throwIfAborted()
    if (!giveUp.aborted) throw err
  }
  // The print requests the images of @page rules and waits for them in virtual time, which must not be paused.
  if (virtual)
    page.session.send('Emulation.setVirtualTimePolicy', { policy: 'pauseIfNetworkFetchesPending' }).catch(() => {})
}

/** Runs the document's time. It pauses while a request is pending, but not for a response that no script reads. */
async function advance(
  { session }: BrowserPage,
  budget: number,
  { requests, until }: { requests: TrackedRequests | undefined; until: AbortSignal },
): Promise<void> {
  let expired = false
  const whenExpired = new Promise<void>((resolve) => {
    session.once('Emulation.virtualTimeBudgetExpired', () => {
      expired = true
      resolve()
    })
  })
  const run = (policy: 'advance' | 'pauseIfNetworkFetchesPending') =>
    session.send('Emulation.setVirtualTimePolicy', { policy, budget, maxVirtualTimeTaskStarvationCount: 1_000 })
  await untilAborted(run('pauseIfNetworkFetchesPending'), until)
  for (let quiet = 0; !expired && quiet < 2; ) {
    await untilAborted(Promise.race([whenExpired, sleep(pausedMs, until)]), until)
    quiet = requests?.pending().length ? 0 : quiet + 1
  }
  if (expired) return
  await untilAborted(run('advance'), until)
  await untilAborted(whenExpired, until)
}
