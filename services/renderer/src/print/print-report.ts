import { DomainError } from '@platen/domain/http/errors.ts'
import { BrowserUnavailable } from '../chromium/browser/browser-errors.ts'
import type { RenderMode } from '../chromium/pool/browser-page.ts'

/** The outcome of one document. Its duration is counted from the moment it has a slot. */
export interface PrintReport {
  mode: RenderMode
  /** `lost`: the browser exited in each attempt. */
  outcome: 'printed' | 'failed' | 'timed_out' | 'cancelled' | 'lost' | 'unavailable'
  durationMs: number
}

export function outcomeOf(err: unknown, cancelled: AbortSignal): Exclude<PrintReport['outcome'], 'printed'> {
  if (cancelled.aborted) return 'cancelled'
  if (err instanceof DomainError) return err.code === 'RENDER_TIMEOUT' ? 'timed_out' : 'failed'
  return err instanceof BrowserUnavailable ? 'unavailable' : 'lost'
}
