import type { WaitingClient } from '@platen/domain/generation/generation.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { abortWith } from '@platen/foundation/runtime/abort-with.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { ServerClock } from '@platen/messaging/connection/server-clock.ts'
import { Released } from '@platen/messaging/consume/consume.ts'
import { BrowserUnavailable } from '../chromium/browser/browser-errors.ts'
import type { HeldFiles } from './held-files.ts'
import type { SlotRequest, Slots } from './slots.ts'

export interface AdmissionOptions {
  slots: Pick<Slots, 'acquire'>
  clock: Pick<ServerClock, 'now'>
  /** Rejects with BrowserUnavailable unless the browsers run. */
  printer: { check(): Promise<void> }
  /** Ends the wait of documents without a slot, so that other renderers can print them. */
  stopping: AbortSignal
}

export interface Admission extends SlotRequest {
  /** The client of a synchronous request. */
  waiting: WaitingClient | undefined
  /** Files that are made and not yet stored: the document does not begin while there are too many. Absent if it stores none. */
  held?: Pick<HeldFiles, 'isFull' | 'untilRoom'>
}

/**
 * Waits for a slot. Throws Released if another renderer must print the document, RENDER_TIMEOUT if its client no longer
 * waits, and the reason of the signal.
 */
export async function admit(options: AdmissionOptions, admission: Admission): Promise<Disposable> {
  const { printer, stopping } = options
  try {
    using held = new DisposableStack()
    const ended = new AbortController()
    using _ending = abortWith(ended, [admission.signal, stopping])
    const slot = held.use(await acquireWithRoom(options, { ...admission, signal: ended.signal }))
    await untilAborted(printer.check(), ended.signal)
    held.move()
    return slot
  } catch (err) {
    throw endOfWait(err, { signal: admission.signal, stopping })
  }
}

/** Why a document without a slot waits no longer. Throws the reason of the signal. */
export function endOfWait(err: unknown, { signal, stopping }: { signal: AbortSignal; stopping: AbortSignal }): unknown {
  signal.throwIfAborted()
  return stopping.aborted ? new Released('the renderer is stopping') : releasedIfNoBrowser(err)
}

/** A slot is not held during the wait for room: its time would count as that of a document. */
async function acquireWithRoom(options: AdmissionOptions, { held, ...admission }: Admission): Promise<Disposable> {
  for (;;) {
    await held?.untilRoom(admission.signal)
    const slot = await acquire(options, admission)
    if (!held?.isFull) return slot
    slot[Symbol.dispose]()
  }
}

/**
 * Waits for a slot. If the client disconnects, the document is dropped, or continues to wait with the priority of a
 * batch if the client may return.
 */
async function acquire({ slots, clock }: AdmissionOptions, { waiting, ...request }: Admission): Promise<Disposable> {
  if (!waiting) return slots.acquire(request)
  using gone = timeLimit(Date.parse(waiting.until) - clock.now(), request.signal)
  try {
    return await slots.acquire({ ...request, signal: gone.signal })
  } catch (err) {
    if (!gone.signal.aborted || request.signal.aborted) throw err
  }
  if (!waiting.returns)
    fail('RENDER_TIMEOUT', 'No renderer could begin the document until the time limit; it is not printed')
  return await slots.acquire({ ...request, priority: 'batch' })
}

/** A signal that aborts after the time, or with another one. */
function timeLimit(ms: number, earlier: AbortSignal): Disposable & { signal: AbortSignal } {
  const controller = new AbortController()
  const following = abortWith(controller, [earlier])
  const timer = setTimeout(() => controller.abort(), Math.max(0, ms))
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer)
      following[Symbol.dispose]()
    },
  }
}

/** Released if the renderer has no browser: not a fault of the document. Returns other errors unchanged. */
export function releasedIfNoBrowser(err: unknown): unknown {
  return err instanceof BrowserUnavailable ? new Released('the renderer has no browser', { cause: err }) : err
}
