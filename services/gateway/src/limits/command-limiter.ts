import { DomainError } from '@platen/domain/http/errors.ts'
import { FairQueue, type QueuedClaim } from '@platen/foundation/runtime/fair-queue.ts'
import type { CommandClient, RequestedCommand } from '../messaging/command-client.ts'
import { rests } from './rests.ts'

/** Commands of one owner at once: a quarter of what a template service handles at once. */
const defaultAtOnce = 4
const defaultMaxWaitMs = 4_500

export interface CommandLimiterOptions {
  atOnce?: number
  /** The maximum wait of a command for a slot. */
  maxWaitMs?: number
  /** Whether another owner beside that of the API key is a visitor: see `WorkLimiter`. */
  hasVisitor?: (apiKeyId: string) => boolean
  now?: () => number
}

/**
 * Limits the commands of an owner that are in progress. Services handle commands in the order of arrival, so that
 * without the limit many slow commands of one owner would delay those of others. API keys of an owner are served in round-robin order.
 * While a visitor is there, an owner with queued commands pauses after each command.
 */
export class CommandLimiter implements CommandClient {
  readonly #client: CommandClient
  readonly #queue: FairQueue<'command'>
  readonly #limit: { ms: number; refusal: () => Error }
  readonly #atOnce: number
  readonly #hasVisitor: (apiKeyId: string) => boolean

  constructor(client: CommandClient, options: CommandLimiterOptions = {}) {
    const { atOnce = defaultAtOnce, maxWaitMs = defaultMaxWaitMs, hasVisitor = () => false, now } = options
    this.#client = client
    this.#atOnce = atOnce
    this.#hasVisitor = hasVisitor
    const mayBegin = (claim: QueuedClaim<'command'>, hasWaited: boolean) => this.#mayBegin(claim, hasWaited)
    this.#queue = new FairQueue({ kinds: ['command'], mayBegin, now })
    this.#limit = { ms: maxWaitMs, refusal: tooManyChanges }
  }

  /** Throws CONCURRENCY_LIMIT_EXCEEDED, without sending the command, if no slot is free in time. */
  async execute<Result>(requested: RequestedCommand): Promise<Result> {
    const { metadata, data } = requested.command
    const { api_key_id: key = '' } = metadata
    const { owner_id: owner = key } = data as { owner_id?: string }
    using _slot = await this.#queue.take({ owner, key, kind: 'command' }, { limit: this.#limit })
    return await this.#client.execute<Result>(requested)
  }

  #mayBegin(claim: QueuedClaim<'command'>, hasWaited: boolean): boolean {
    const { busy, waiting } = this.#queue.ofOwner(claim)
    if (busy >= this.#atOnce) return false
    const isQueued = hasWaited || waiting > 1
    return !(isQueued && rests(this.#queue.shares.owners, claim.owner) && this.#hasVisitor(claim.key))
  }
}

function tooManyChanges(): DomainError {
  const message = 'Too many concurrent changes and redeliveries of this owner; this one was not made. Retry in 1 s'
  return new DomainError('CONCURRENCY_LIMIT_EXCEEDED', message, { details: { retry_after_s: 1 } })
}
