import { DependencyUnavailable, type DomainError } from '@platen/shared/runtime/errors.ts'

/** No browser is running, and the last one did not start. */
export class BrowserUnavailable extends DependencyUnavailable {
  override readonly name = 'BrowserUnavailable'
}

/** The browser or its page exited while it printed a document. Another browser may succeed. */
export class BrowserLost extends Error {
  override readonly name: string = 'BrowserLost'
  /** The document did not cause it: the process was killed, or no page could be opened. */
  readonly blameless: boolean

  constructor(message: string, { cause, blameless = false }: { cause?: unknown; blameless?: boolean } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.blameless = blameless
  }
}

/** The process of the page crashed while its browser goes on. After several attempts, the document is at fault. */
export class PageCrashed extends BrowserLost {
  override readonly name = 'PageCrashed'
}

/**
 * The browser reported that it cannot print the document. It reports the same if one of its processes was killed: the
 * document is at fault only after several attempts.
 */
export class PrintFailed extends BrowserLost {
  override readonly name = 'PrintFailed'
  /** The error for the caller after the last attempt. */
  readonly refusal: DomainError

  constructor(refusal: DomainError, cause: unknown) {
    super('the browser could not print', { cause })
    this.refusal = refusal
  }
}
