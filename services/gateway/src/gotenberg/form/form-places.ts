import { DomainError } from '@platen/domain/http/errors.ts'
import { FairQueue, type QueuedClaim } from '@platen/foundation/runtime/fair-queue.ts'
import { tooManyRequests, type WorkRequest } from '../../limits/patience.ts'

/** `large`: more than 1 MiB, or of a length that is not known yet. */
export type FormSize = 'small' | 'large'

/** The most bytes of a small form. */
export const smallFormBytes = 2 ** 20

/**
 * The most forms of all owners, of one, and of one of its keys, that arrive or are in memory at once. A large form has at most
 * 32 MiB, and the files that it names by their URLs have 32 MiB more: together at most 450 MiB, and what decoding them needs. An
 * owner leaves a third to others.
 */
const atOnce: Record<FormSize, { all: number; owner: number; key: number }> = {
  large: { all: 6, owner: 4, key: 3 },
  small: { all: 64, owner: 32, key: 24 },
}
const maxWaitMs = 30_000

export interface FormPlacesOptions {
  /** A form that waits longer is refused. */
  waitMs?: number
}

/** Bounds the forms that are in memory. The others stay with their clients, by TCP's flow control. */
export class FormPlaces {
  readonly #queue: FairQueue<FormSize>
  readonly #waitMs: number

  constructor({ waitMs = maxWaitMs }: FormPlacesOptions = {}) {
    this.#queue = new FairQueue({ kinds: ['small', 'large'], mayBegin: (claim) => this.#mayBegin(claim) })
    this.#waitMs = waitMs
  }

  /**
   * Waits until the form may arrive. Its place ends on disposal. Throws CONCURRENCY_LIMIT_EXCEEDED, QUEUE_FULL if all owners together
   * have all places, and the reason of `disconnected`.
   */
  take({ ownerId: owner, apiKeyId: key, disconnected: signal }: WorkRequest, kind: FormSize): Promise<Disposable> {
    const refusal = () => (this.#isFull(kind) ? noPlaces() : tooManyRequests())
    return this.#queue.take({ owner, key, kind }, { signal, limit: { ms: this.#waitMs, refusal } })
  }

  #isFull(kind: FormSize): boolean {
    return this.#queue.busy(kind) >= atOnce[kind].all
  }

  #mayBegin(claim: QueuedClaim<FormSize>): boolean {
    const { owner, key } = atOnce[claim.kind]
    if (this.#isFull(claim.kind)) return false
    return this.#queue.ofOwner(claim).busy < owner && this.#queue.busyIn(claim) < key
  }
}

function noPlaces(): DomainError {
  const message =
    'The forms of other requests have all of the memory for forms; this one was not received. Retry in 2 s'
  return new DomainError('QUEUE_FULL', message, { details: { retry_after_s: 2 } })
}
