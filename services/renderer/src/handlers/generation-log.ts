import type { Envelope } from '@platen/shared/contracts/command.ts'
import type { GenerationOutcome, GenerationRequest, GenerationRequested } from '@platen/shared/contracts/generation.ts'
import { type GenerationState, outcomeOf } from '@platen/shared/contracts/generation-state.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { handleCommand } from '@platen/shared/event-store/handle-command.ts'
import { type GenerationCommand, generationDecider } from '../domain/generation.ts'

type Cause = Pick<Envelope<unknown>, 'metadata'>

/** Records what happens to generations, each decision in the name of the command that came from outside. */
export interface GenerationLog {
  /** Answers how the generation ended where it has ended already. */
  start(
    generationId: string,
    request: GenerationRequested['data'],
    cause: Cause,
  ): Promise<GenerationOutcome | undefined>
  /** Answers how the generation ended: by this decision, or by one that came before. */
  end(
    generationId: string,
    decision: Exclude<GenerationCommand, { type: 'StartGeneration' }>,
    cause: Cause,
  ): Promise<GenerationOutcome>
}

export interface GenerationLogOptions {
  store: EventStore
  /** Names this renderer in `GenerationStarted`. */
  renderer: string
  /** When a generation ends; it begins when its command was accepted. */
  now: () => Date
}

export function openGenerationLog({ store, renderer, now }: GenerationLogOptions): GenerationLog {
  const decideOn = async (generationId: string, command: Envelope<GenerationCommand>): Promise<GenerationState> => {
    const stream = `generation-${generationId}`
    const { state } = await handleCommand({ store, decider: generationDecider, stream, command })
    return state
  }
  return {
    async start(generationId, request, { metadata }) {
      const command = { type: 'StartGeneration', data: { request, renderer }, metadata } as const
      return outcomeOf(await decideOn(generationId, command))
    },
    async end(generationId, decision, { metadata }) {
      const command = { ...decision, metadata: { ...metadata, time: now().toISOString() } }
      const outcome = outcomeOf(await decideOn(generationId, command))
      if (!outcome) throw new Error(`generation ${generationId} did not end`)
      return outcome
    },
  }
}

/** What of a request belongs into its first event, as far as no renderer has read its input yet. */
export function bareRequest({ api_key_id, template, webhook_url }: GenerationRequest): GenerationRequested['data'] {
  return { api_key_id, ...(template && { template }), ...(webhook_url !== undefined && { webhook_url }) }
}
