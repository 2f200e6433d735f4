import { DependencyUnavailable, type DomainError } from '@platen/shared/runtime/errors.ts'

/** No browser is running and none could be started yet. */
export class BrowserUnavailable extends DependencyUnavailable {
  override readonly name = 'BrowserUnavailable'
}

/** The browser or its page went away under a document: worth another try on a new one. */
export class BrowserLost extends Error {
  override readonly name: string = 'BrowserLost'
  /** It is known that the document has no part in it: somebody killed the process, or there was no page to be had. */
  readonly blameless: boolean

  constructor(message: string, { cause, blameless = false }: { cause?: unknown; blameless?: boolean } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.blameless = blameless
  }
}

/** The page's own process died of itself while its browser lives on: again and again, it is the document's doing. */
export class PageCrashed extends BrowserLost {
  override readonly name = 'PageCrashed'
}

/**
 * The browser says that it cannot print this. It says so, too, when one of its processes was killed meanwhile: only
 * again and again is it the document's doing.
 */
export class PrintFailed extends BrowserLost {
  override readonly name = 'PrintFailed'
  /** What the document is told then. */
  readonly refusal: DomainError

  constructor(refusal: DomainError, cause: unknown) {
    super('the browser could not print', { cause })
    this.refusal = refusal
  }
}
