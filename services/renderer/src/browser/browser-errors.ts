import { PartUnavailable } from '@platen/shared/runtime/errors.ts'

/** No browser is running and none could be started yet. */
export class BrowserUnavailable extends PartUnavailable {
  override readonly name = 'BrowserUnavailable'
}

/** The browser or its page went away under a document: worth another try on a new one. */
export class BrowserLost extends Error {
  override readonly name: string = 'BrowserLost'
}

/** The page's own process died while its browser lives on: again and again, it is the document that kills it. */
export class PageCrashed extends BrowserLost {
  override readonly name = 'PageCrashed'
}
