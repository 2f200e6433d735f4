import { DomainError } from '@platen/domain/http/errors.ts'
import type { BrowserPage } from '../browser-pool/browser-page.ts'

/**
 * Aborts when the document navigates to another URL (refresh, form, location): the page then shows another document,
 * which must not be printed instead. Navigation within the document (fragments, history) is allowed.
 */
export function watchNavigation({ session, frameId }: BrowserPage): Disposable & { left: AbortSignal } {
  const left = new AbortController()
  const leave = () => left.abort(new DomainError('RENDER_FAILED', 'The document navigates to another page'))
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
    left: left.signal,
    [Symbol.dispose]() {
      session.off('Page.frameRequestedNavigation', requested)
      session.off('Page.frameStartedNavigating', started)
      session.off('Page.frameNavigated', navigated)
    },
  }
}
