import type { Envelope } from '@platen/shared/contracts/command.ts'
import type { Failure } from '@platen/shared/contracts/failure.ts'
import type {
  GenerationCompleted,
  GenerationEvent,
  GenerationOutcome,
  GenerationRequest,
  GenerationRequested,
} from '@platen/shared/contracts/generation.ts'
import { type GenerationState, outcomeOf } from '@platen/shared/contracts/generation-state.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { handleCommand } from '@platen/shared/event-store/handle-command.ts'
import { type GenerationCommand, generationDecider } from '../domain/generation.ts'

/** One generation, in the name of the command that asks for it. */
export interface GenerationJob {
  id: string
  request: GenerationRequested['data']
  cause: Pick<Envelope<unknown>, 'metadata'>
  /** When this renderer took it in hand; absent where it has not. */
  startedAt?: Date
}

export type Ending =
  | { type: 'CompleteGeneration'; result: GenerationCompleted['data'] }
  | { type: 'FailGeneration'; failure: Failure }
  | { type: 'CancelGeneration' }

/** Records what happens to generations. */
export interface GenerationLog {
  /** Answers how the generation ended where it has ended already. */
  start(job: GenerationJob): Promise<GenerationOutcome | undefined>
  /** Answers how the generation ended: by this decision, or by one that came before. Its start need not be recorded. */
  end(job: GenerationJob, ending: Ending): Promise<GenerationOutcome>
}

export interface GenerationLogOptions {
  store: EventStore
  /** Names this renderer in `GenerationStarted`. */
  renderer: string
  now: () => Date
}

export function openGenerationLog({ store, renderer, now }: GenerationLogOptions): GenerationLog {
  const decide = async (
    { id, request, cause: { metadata }, startedAt }: GenerationJob,
    { type, ...ending }: Ending | { type: 'StartGeneration' },
  ): Promise<GenerationState> => {
    const held = { request, ...(startedAt && { renderer }) }
    const times: Partial<Record<GenerationEvent['type'], string>> = {
      GenerationRequested: metadata.time,
      ...(startedAt && { GenerationStarted: startedAt.toISOString() }),
    }
    const command = { type, data: { ...held, ...ending }, metadata } as Envelope<GenerationCommand>
    const { state } = await handleCommand({
      ...{ store, decider: generationDecider, stream: `generation-${id}`, command },
      timeOf: (event) => times[event.type] ?? now().toISOString(),
    })
    return state
  }
  return {
    async start(job) {
      return outcomeOf(await decide(job, { type: 'StartGeneration' }))
    },
    async end(job, ending) {
      const outcome = outcomeOf(await decide(job, ending))
      if (!outcome) throw new Error(`generation ${job.id} did not end`)
      return outcome
    },
  }
}

/** What of a request belongs into its first event, as far as no renderer has read its input yet. */
export function bareRequest({ api_key_id, template, webhook_url }: GenerationRequest): GenerationRequested['data'] {
  return { api_key_id, ...(template && { template }), ...(webhook_url !== undefined && { webhook_url }) }
}
