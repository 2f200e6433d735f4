/** Why the proxy does not fetch something: an HTTP status for the browser, a line for the log, words for the author. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly told: string

  constructor(status: number, message: string, told = `refused by the egress policy: ${message}`) {
    super(message)
    this.status = status
    this.told = told
  }
}

/** The same whether a host is unknown or private: nobody learns from it which names our network knows. */
export const noPublicAddress = 'refused by the egress policy: its host has no public address'

/** Why something was not fetched, for the author of the document: without addresses of names or of the proxy. */
export function refusalReason(err: unknown): string {
  const cause = err instanceof Error && err.name === 'AbortError' ? err.cause : err
  if (cause instanceof Refusal) return cause.told
  return cause instanceof Error && cause.name === 'TimeoutError' ? 'timed out' : 'cannot be reached'
}
