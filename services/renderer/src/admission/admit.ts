import { Released } from '@platen/shared/messaging/consume.ts'
import { untilAborted } from '@platen/shared/runtime/until-aborted.ts'
import { BrowserUnavailable } from '../browser/browser-errors.ts'
import type { SlotRequest, Slots } from './slots.ts'

export interface AdmissionOptions {
  slots: Pick<Slots, 'acquire'>
  /** Rejects with BrowserUnavailable unless the browsers run. */
  printer: { check(): Promise<void> }
  /** Ends the wait of documents without a slot, so that other renderers can print them. */
  stopping: AbortSignal
}

/** Waits for a slot. Throws Released if another renderer must print the document, and the reason of the signal. */
export async function admit({ slots, printer, stopping }: AdmissionOptions, request: SlotRequest): Promise<Disposable> {
  const signal = AbortSignal.any([request.signal, stopping])
  try {
    using held = new DisposableStack()
    const slot = held.use(await slots.acquire({ ...request, signal }))
    await untilAborted(printer.check(), signal)
    held.move()
    return slot
  } catch (err) {
    request.signal.throwIfAborted()
    throw stopping.aborted ? new Released('the renderer is stopping') : releasedIfNoBrowser(err)
  }
}

/** Released if the renderer has no browser: not a fault of the document. Returns other errors unchanged. */
export function releasedIfNoBrowser(err: unknown): unknown {
  return err instanceof BrowserUnavailable ? new Released('the renderer has no browser', { cause: err }) : err
}
