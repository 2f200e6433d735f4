import type { FastifyBaseLogger } from 'fastify'

const intervalMs = 1_000

/**
 * Logs why requests were answered with a 5xx, at most once a second for each error code. During an outage every request
 * fails for the same reason. The line in the access log tells of each of them.
 */
export class FailureLog {
  readonly #last = new Map<string, { at: number; more: number }>()

  warn(log: FastifyBaseLogger, code: string, err: unknown): void {
    const now = performance.now()
    const last = this.#last.get(code)
    if (last && now - last.at < intervalMs) {
      last.more++
      return
    }
    this.#last.set(code, { at: now, more: 0 })
    log.warn({ err, code, ...(last && last.more > 0 && { more: last.more }) }, 'request failed')
  }
}
