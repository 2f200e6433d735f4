import { DomainError } from '@platen/domain/http/errors.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'

/**
 * Aborts the controller when the document navigates to another URL (refresh, form, location): the page then shows another document,
 * which must not be printed instead. Navigation within the document (fragments, history) is allowed.
 */
export function watchNavigation({ session, frameId }: BrowserPage, document: AbortController): Disposable {
  const leave = () => document.abort(new DomainError('RENDER_FAILED', 'The document navigates to another page'))
  const requested = (event: { frameId: string; disposition: string }) => {
    if (event.frameId === frameId && event.disposition === 'currentTab') leave()
  }
  const started = (event: { frameId: string; navigationType: string }) => {
    if (event.frameId === frameId && !event.navigationType.startsWith('sameDocument')) leave()
  }
  const navigated = ({ frame }: { frame: { id: string } }) => {
    if (frame.id === frameId) leave()
  }
  session.on('Page.frameRequestedNavigation', requested)
  session.on('Page.frameStartedNavigating', started)
  session.on('Page.frameNavigated', navigated)
  return {
    [Symbol.dispose]() {
      session.off('Page.frameRequestedNavigation', requested)
      session.off('Page.frameStartedNavigating', started)
      session.off('Page.frameNavigated', navigated)
    },
  }
}

/** A document with 5,000 requests causes half of them. */
const maxEvents = 50_000
const lookEveryMs = 100

/**
 * Aborts the controller when a document causes events of the browser without end, such as dialogs, frames, navigations or requests: each one
 * takes time of this process, which prints other documents.
 */
export function watchEvents({ session }: BrowserPage, document: AbortController): Disposable {
  const before = session.received
  const look = () => {
    if (session.received - before <= maxEvents) return
    const why = 'The document opens dialogs, frames, pages or requests without end'
    document.abort(new DomainError('RENDER_FAILED', why))
  }
  const timer = setInterval(look, lookEveryMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
