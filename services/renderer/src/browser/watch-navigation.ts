import { DomainError } from '@platen/shared/runtime/errors.ts'
import type { PreparedPage } from './prepared-page.ts'

/**
 * Aborts when the document leaves for another address (refresh, form, location): what is there afterwards is another
 * page, never to be printed in its name. Moves within the document are none.
 */
export function watchNavigation({ session, frameId }: PreparedPage): AbortSignal {
  const left = new AbortController()
  const leave = () => left.abort(new DomainError('RENDER_FAILED', 'The document navigates away from itself'))
  session.on('Page.frameRequestedNavigation', (event) => {
    if (event.frameId === frameId && event.disposition === 'currentTab') leave()
  })
  session.on('Page.frameStartedNavigating', (event) => {
    if (event.frameId === frameId && !event.navigationType.startsWith('sameDocument')) leave()
  })
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id === frameId) leave()
  })
  return left.signal
}
