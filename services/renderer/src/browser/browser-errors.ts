import { PartUnavailable } from '@platen/shared/runtime/errors.ts'

/** No browser is running and none could be started yet. */
export class BrowserUnavailable extends PartUnavailable {
  override readonly name = 'BrowserUnavailable'
}

/** The browser or its page went away under a document: worth another try on a new one. */
export class BrowserLost extends Error {
  override readonly name = 'BrowserLost'
}
