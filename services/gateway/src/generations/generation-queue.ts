import type { GenerationRequest, RenderInput, WaitingClient } from '@platen/domain/generation/generation.ts'
import type { DocumentQueue } from '@platen/domain/streams/subjects.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { type RenderSender, sendRender } from '@platen/service-kit/commands/send-render.ts'
import type { IdempotentRequest } from '../idempotency/idempotent-request.ts'
import type { Congestion } from './congestion.ts'
import type { Caller, GenerationFinder } from './find-generation.ts'
import { type KeepTerms, keepingOf, type RetainPolicy } from './keep-input.ts'
import type { QueuePlaces } from './queue-places.ts'
import type { QueuedByKey } from './queued-by-key.ts'

export interface GenerationQueueOptions extends RenderSender {
  config: RetainPolicy
  congestion: Congestion
  finder: GenerationFinder
  queuePlaces: Pick<QueuePlaces, 'take'>
  queuedByKey: QueuedByKey
}

/** What is made. */
export interface Document {
  /** What the first event of the generation says of it. */
  details: { [Name in keyof GenerationRequest]?: GenerationRequest[Name] | undefined }
  input: RenderInput
  /** Absent: its input is not kept. */
  keep?: KeepTerms
  /** Called before the command is sent, and after the input is kept. What it throws refuses the generation. */
  beforeSending?: () => Promise<void>
}

export interface Client extends Pick<WaitingClient, 'returns'> {
  /** How long it waits for the outcome. */
  timeoutMs: number
  /** The subject to which the outcome is sent. */
  replyTo: string
  disconnected: AbortSignal
}

interface Asking {
  caller: Caller
  cause: CommandMetadata
  /** The client that waits for the outcome. Absent: it does not wait, and the generation is queued behind others. */
  client?: Client | undefined
}

export interface Submission extends Asking, Document {
  id: string
  /** Another request may have the same id, and so the same kept input. */
  mayShareId?: boolean
  /** An item of a batch, which has waited for its place. */
  isItem?: boolean
}

/**
 * An owner may have nine tenths of the queue. The first generations of an API key may take it to 99 %, so that there is room for them
 * beside another key of the owner that has filled its part.
 */
const shares = { backlog: { timesFree: 9 }, batch: { timesFree: 99 } }

/** The renderer answers a little earlier than the gateway stops waiting. */
const answerMs = 250

/** The only way into the queue of the renderers for what clients ask for. */
export class GenerationQueue {
  readonly #options: GenerationQueueOptions

  constructor(options: GenerationQueueOptions) {
    this.#options = options
  }

  /**
   * Queues the generation of a request, unless an earlier request with the same Idempotency-Key has done so. `make` is
   * called only if it is queued, and throws what the request is refused with.
   */
  async submitOnce(
    { idempotent, ...asking }: Asking & { idempotent: IdempotentRequest },
    make: () => Promise<Document>,
  ): Promise<GenerationRequest> {
    const { finder, congestion } = this.#options
    const { caller, client } = asking
    const { id, repeated, hasKey: mayShareId } = idempotent
    const known = repeated ? await finder.find(id, caller) : undefined
    if (known) return known.request
    return idempotent.attempt(async () => {
      if (client) congestion.check(caller.apiKeyId)
      return this.submit({ ...asking, ...(await make()), id, mayShareId })
    })
  }

  /** Throws QUEUE_FULL, INPUT_LIMIT_EXCEEDED, BusUnavailable and ObjectStoreUnavailable. */
  async submit(submission: Submission): Promise<GenerationRequest> {
    const { queuePlaces, queuedByKey } = this.#options
    const { id, caller, client, isItem } = submission
    if (client) return this.#send('interactive', submission)
    // Counted before it is sent, as a generation may end at once.
    const queue = isItem ? 'backlog' : queuedByKey.add(caller.apiKeyId, id)
    const share = isItem ? undefined : shares[queue]
    try {
      return await queuePlaces.take(caller.ownerId, share, () => this.#send(queue, submission))
    } catch (err) {
      queuedByKey.ended(id)
      throw err
    }
  }

  #send(queue: DocumentQueue, submission: Submission): Promise<GenerationRequest> {
    const { id, caller, cause, details, input, keep, client, mayShareId = false, beforeSending } = submission
    const known = Object.entries(details).filter(([, value]) => value !== undefined)
    const ids = { generation_id: id, owner_id: caller.ownerId, api_key_id: caller.apiKeyId }
    const document = {
      queue,
      request: { ...Object.fromEntries(known), ...ids },
      input,
      waiting: client && { until: this.#untilOf(client.timeoutMs), returns: client.returns },
      keep: keep && keepingOf(keep, this.#options.config),
      mayShareId,
      beforeSending,
      client,
    }
    return sendRender(this.#options, document, cause)
  }

  #untilOf(timeoutMs: number): string {
    return new Date(this.#options.bus.clock.now() + timeoutMs - Math.min(answerMs, timeoutMs / 10)).toISOString()
  }
}
