import { FairQueue, type Patience, type QueuedClaim } from '@platen/foundation/runtime/fair-queue.ts'
import { tooManyRequests, type WorkRequest } from '../../limits/patience.ts'

/** `large`: more than 1 MiB, or of a length that is not known yet. */
export type FormSize = 'small' | 'large'

/** The most bytes of a small form. */
export const smallFormBytes = 2 ** 20

/** The most forms of an owner, and of one of its keys, that arrive or are in memory at once. A form has at most 32 MiB. */
const atOnce: Record<FormSize, { owner: number; key: number }> = {
  large: { owner: 4, key: 3 },
  small: { owner: 32, key: 24 },
}
const maxWaitMs = 30_000

export interface FormPlacesOptions {
  /** A form that waits longer is refused. */
  waitMs?: number
}

/** Bounds the forms that are in memory. The others stay with their clients, by TCP's flow control. */
export class FormPlaces {
  readonly #queue: FairQueue<FormSize>
  readonly #limit: NonNullable<Patience['limit']>

  constructor({ waitMs = maxWaitMs }: FormPlacesOptions = {}) {
    this.#queue = new FairQueue({ kinds: ['small', 'large'], mayBegin: (claim) => this.#mayBegin(claim) })
    this.#limit = { ms: waitMs, refusal: tooManyRequests }
  }

  /** Waits until the form may arrive. Its place ends on disposal. Throws CONCURRENCY_LIMIT_EXCEEDED, or the reason of `disconnected`. */
  take({ ownerId: owner, apiKeyId: key, disconnected: signal }: WorkRequest, kind: FormSize): Promise<Disposable> {
    return this.#queue.take({ owner, key, kind }, { signal, limit: this.#limit })
  }

  #mayBegin(claim: QueuedClaim<FormSize>): boolean {
    const { owner, key } = atOnce[claim.kind]
    return this.#queue.ofOwner(claim).busy < owner && this.#queue.busyIn(claim) < key
  }
}
