import type { Partial, PartialAnswer, PartialCommand } from '@platen/domain/partial/partial.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import type { CommandClient } from '../messaging/command-client.ts'
import type { CurrentPartials } from './current-partials.ts'

export interface PartialCommands {
  /** Executes the command and returns the resulting partial; undefined after a delete. */
  execute(command: PartialCommand, metadata: CommandMetadata, messageId?: string): Promise<Partial | undefined>
}

export function partialCommands(client: CommandClient, partials: Pick<CurrentPartials, 'at'>): PartialCommands {
  return {
    async execute(command, metadata, messageId) {
      const { partial_id: id, owner_id } = command.data
      const { revision } = await client.execute<PartialAnswer>({
        subject: commandSubjects.template(id),
        command: { ...command, metadata },
        ...(messageId !== undefined && { messageId }),
      })
      // There may be a later change already. The response shows the result of this command.
      return partials.at(id, revision, owner_id)
    },
  }
}
