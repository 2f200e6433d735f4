import type { Envelope } from '@platen/shared/contracts/command.ts'
import type { GenerationOutcome, GenerationRequest } from '@platen/shared/contracts/generation.ts'
import { type GenerationState, outcomeOf } from '@platen/shared/contracts/generation-state.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { handleCommand } from '@platen/shared/event-store/handle-command.ts'
import { type GenerationCommand, generationDecider } from '../domain/generation.ts'

/** Decides on one generation and records it, in the name of the command that came from outside. */
export async function decideOn(
  store: EventStore,
  generationId: string,
  decision: GenerationCommand,
  { metadata }: Pick<Envelope<unknown>, 'metadata'>,
): Promise<GenerationState> {
  const command = { ...decision, metadata }
  const stream = `generation-${generationId}`
  const { state } = await handleCommand({ store, decider: generationDecider, stream, command })
  return state
}

/** As `decideOn`, for a decision after which the generation is final. */
export async function end(...decided: Parameters<typeof decideOn>): Promise<GenerationOutcome> {
  const outcome = outcomeOf(await decideOn(...decided))
  if (!outcome) throw new Error(`generation ${decided[1]} did not end`)
  return outcome
}

/** What of a request belongs into its first event, as far as no renderer has read its input yet. */
export function bareRequest({ api_key_id, template, webhook_url }: GenerationRequest) {
  return { api_key_id, ...(template && { template }), ...(webhook_url !== undefined && { webhook_url }) }
}
