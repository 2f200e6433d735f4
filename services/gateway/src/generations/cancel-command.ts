import type { CommandMetadata } from '@platen/shared/contracts/command.ts'
import type { CancelGeneration, GenerationOutcome, GenerationRequest } from '@platen/shared/contracts/generation.ts'
import { commandSubjects } from '@platen/shared/contracts/subjects.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import type { Ask } from '../messaging/command-client.ts'
import { recordOf } from './await-outcome.ts'
import type { GenerationRecord } from './generation-record.ts'

export interface CancelCommands {
  /** Throws CONFLICT when the generation ended otherwise before. */
  carryOut(request: GenerationRequest, metadata: CommandMetadata): Promise<GenerationRecord>
}

export function cancelCommands(ask: Ask): CancelCommands {
  return {
    async carryOut(request, metadata) {
      const command: CancelGeneration = { type: 'CancelGeneration', data: { request } }
      const subject = commandSubjects.cancel(request.generation_id)
      const outcome = await ask<GenerationOutcome>({ subject, command: { ...command, metadata } })
      if (outcome.type === 'GenerationCompleted') fail('CONFLICT', 'The generation is already completed')
      if (outcome.type === 'GenerationFailed') fail('CONFLICT', 'The generation is already failed')
      return recordOf(request, outcome)
    },
  }
}
