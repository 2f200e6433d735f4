import { DomainError } from '@platen/shared/runtime/errors.ts'
import { BrowserUnavailable } from '../browser/browser-errors.ts'
import type { RenderMode } from '../browser-pool/browser-page.ts'

/** How one document went, from the moment it had a slot; `lost`: its browser died under it each time. */
export interface PrintReport {
  mode: RenderMode
  outcome: 'printed' | 'failed' | 'timed_out' | 'cancelled' | 'lost' | 'unavailable'
  durationMs: number
}

export function outcomeOf(err: unknown, cancelled: AbortSignal): Exclude<PrintReport['outcome'], 'printed'> {
  if (cancelled.aborted) return 'cancelled'
  if (err instanceof DomainError) return err.code === 'RENDER_TIMEOUT' ? 'timed_out' : 'failed'
  return err instanceof BrowserUnavailable ? 'unavailable' : 'lost'
}
