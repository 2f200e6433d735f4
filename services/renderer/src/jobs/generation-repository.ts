import { type BatchEvent, batchStream } from '@platen/domain/batch/batch-events.ts'
import { type BatchState, batchDecider } from '@platen/domain/batch/decide-batch.ts'
import { type GenerationCommand, generationDecider } from '@platen/domain/generation/decide-generation.ts'
import type { GenerationRequest } from '@platen/domain/generation/generation.ts'
import {
  type GenerationCompleted,
  type GenerationEvent,
  type GenerationOutcome,
  type GenerationRequested,
  generationStream,
} from '@platen/domain/generation/generation-events.ts'
import { type GenerationState, outcomeOf } from '@platen/domain/generation/generation-state.ts'
import type { Failure } from '@platen/domain/http/failure.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand, load } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { defined } from '@platen/foundation/json/defined.ts'

/** One generation, with the command that requested it. */
export interface GenerationJob {
  id: string
  request: GenerationRequested['data']
  cause: Pick<Envelope<unknown>, 'metadata'>
  /** When this renderer started the generation; absent if it did not. */
  startedAt?: Date
  /** An earlier delivery of the command has not led to an end. */
  redelivered?: boolean
  /** True if nothing was recorded of the generation, as far as this renderer knows. */
  isNew?: boolean
  /** Identifies this attempt to render it among those of other renderers and earlier deliveries. */
  attempt?: string
}

export type Ending =
  | { type: 'CompleteGeneration'; result: GenerationCompleted['data'] }
  | { type: 'FailGeneration'; failure: Failure }
  | { type: 'CancelGeneration' }

export interface GenerationRepositoryOptions {
  store: EventStore
  /** The name of this renderer in `GenerationStarted`. */
  renderer: string
  now: () => Date
}

/** Appends the start and the end of generations to their streams. */
export class GenerationRepository {
  readonly #options: GenerationRepositoryOptions

  constructor(options: GenerationRepositoryOptions) {
    this.#options = options
  }

  /** The state of a generation, which is `absent` until it is started. */
  async find(id: string): Promise<GenerationState> {
    const { state } = await load(this.#options.store, generationDecider, generationStream(id))
    return state
  }

  /** Whether the batch was cancelled or has ended: none of its items begins from then on. */
  async isClosed(batchId: string): Promise<boolean> {
    const { state } = await load<BatchState, BatchEvent>(this.#options.store, batchDecider, batchStream(batchId))
    return state.status !== 'running' && state.status !== 'absent'
  }

  /** Returns the outcome if the generation has ended already. */
  async start(job: GenerationJob): Promise<GenerationOutcome | undefined> {
    return outcomeOf(await this.#decide(job, { type: 'StartGeneration' }))
  }

  /** Returns the outcome: this ending, or the one recorded before. Also records the start if `start` was not called. */
  async end(job: GenerationJob, ending: Ending): Promise<GenerationOutcome> {
    const outcome = outcomeOf(await this.#decide(job, ending))
    if (!outcome) throw new Error(`generation ${job.id} did not end`)
    return outcome
  }

  async #decide(
    { id, request, cause: { metadata }, startedAt, redelivered, isNew, attempt }: GenerationJob,
    { type, ...ending }: Ending | { type: 'StartGeneration' },
  ): Promise<GenerationState> {
    const { store, renderer, now } = this.#options
    const times: Partial<Record<GenerationEvent['type'], string>> = {
      GenerationRequested: metadata.time,
      ...(startedAt && { GenerationStarted: startedAt.toISOString() }),
    }
    const data = { request, ...(startedAt && { renderer }), ...(redelivered && { redelivered }), ...ending }
    const { state } = await handleCommand({
      store,
      decider: generationDecider,
      stream: generationStream(id),
      command: { type, data, metadata } as Envelope<GenerationCommand>,
      attempt,
      isNew,
      timeOf: (event) => times[event.type] ?? now().toISOString(),
    })
    return state
  }
}

/** The request as its first event has it if no renderer has read its input. */
export function bareRequest(request: GenerationRequest): GenerationRequested['data'] {
  const { owner_id, api_key_id, template, metadata, file_name, webhook_url, file_webhook, batch, retry_of } = request
  const { operation, kept_input } = request
  return {
    owner_id,
    api_key_id,
    ...defined({ template, metadata, file_name, webhook_url, file_webhook, batch, retry_of, operation, kept_input }),
  }
}
