import { DomainError } from '@platen/domain/http/errors.ts'

/** More than a person tries, and too few to use Platen for requests to others. */
const maxTests = 10
const windowMs = 60_000

/** Limits the webhook tests of each owner in a minute, for this gateway. */
export class TestLimit {
  readonly #windows = new Map<string, { count: number; endsAt: number }>()
  readonly #now: () => number

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Throws RATE_LIMITED if the owner has sent too many. */
  count(ownerId: string): void {
    const now = this.#now()
    for (const [id, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(id)
    const window = this.#windows.get(ownerId) ?? { count: 0, endsAt: now + windowMs }
    this.#windows.set(ownerId, window)
    if (++window.count <= maxTests) return
    const retry_after_s = Math.ceil((window.endsAt - now) / 1_000)
    const message = `An owner may test ${maxTests} webhooks per minute; retry in ${retry_after_s} s`
    throw new DomainError('RATE_LIMITED', message, { details: { retry_after_s } })
  }
}
