import type { DomainError } from '@platen/domain/http/errors.ts'

/** No browser is running, and the last one did not start. Another renderer may have one. */
export class BrowserUnavailable extends Error {
  override readonly name = 'BrowserUnavailable'
}

/** The browser or its page exited while it printed a document, or could not print it. Another attempt may succeed. */
export class BrowserLost extends Error {
  override readonly name = 'BrowserLost'
  /** The document did not cause it: the process was killed, or no page could be opened. */
  readonly blameless: boolean
  /** The error for the caller if the document causes it in every attempt. */
  readonly fault: DomainError | undefined

  constructor(message: string, options: { cause?: unknown; blameless?: boolean; fault?: DomainError } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.blameless = options.blameless ?? false
    this.fault = options.fault
  }
}
