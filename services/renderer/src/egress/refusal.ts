/** A request that the proxy refuses: the HTTP status for the browser, the log message, and the reason for the author. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly reason: string

  constructor(status: number, message: string, reason = `refused by the egress policy: ${message}`) {
    super(message)
    this.status = status
    this.reason = reason
  }
}

/** The reason for an IP address in a URL. */
export const noPublicAddress = 'refused by the egress policy: its host has no public address'

/** One reason for unknown and private names, so that a document cannot find out which internal names exist. */
export const privateOrUnknown = 'its host cannot be found or has no public address'

/** The reason for the author of the document. It contains no IP address. */
export function refusalReason(err: unknown): string {
  const cause = err instanceof Error && err.name === 'AbortError' ? err.cause : err
  if (cause instanceof Refusal) return cause.reason
  return cause instanceof Error && cause.name === 'TimeoutError' ? 'timed out' : 'cannot be reached'
}
