import { DomainError } from '@platen/domain/http/errors.ts'
import type { BrowserPage } from '../browser-pool/browser-page.ts'

/** A document with 5,000 requests causes half of them. */
const maxEvents = 50_000
const lookEveryMs = 100

/**
 * Aborts when a document causes events of the browser without end, such as dialogs, frames, navigations or requests: each one
 * takes time of this process, which prints other documents.
 */
export function watchEvents({ session }: BrowserPage): Disposable & { flood: AbortSignal } {
  const flood = new AbortController()
  const before = session.received
  const look = () => {
    if (session.received - before <= maxEvents) return
    const why = 'The document opens dialogs, frames, pages or requests without end'
    flood.abort(new DomainError('RENDER_FAILED', why))
  }
  const timer = setInterval(look, lookEveryMs)
  return { flood: flood.signal, [Symbol.dispose]: () => clearInterval(timer) }
}
