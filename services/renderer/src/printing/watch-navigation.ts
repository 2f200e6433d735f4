import { DomainError } from '@platen/shared/runtime/errors.ts'
import type { BrowserPage } from '../browser-pool/browser-page.ts'

/**
 * Aborts when the document leaves for another address (refresh, form, location): what is there afterwards is another
 * page, never to be printed in its name. Moves within the document are none.
 */
export function watchNavigation({ session, frameId }: BrowserPage): Disposable & { left: AbortSignal } {
  const left = new AbortController()
  const leave = () => left.abort(new DomainError('RENDER_FAILED', 'The document navigates away from itself'))
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
