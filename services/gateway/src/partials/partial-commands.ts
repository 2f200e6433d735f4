import type { Partial, PartialAnswer, PartialCommand } from '@platen/domain/partial/partial.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { CommandClient } from '../messaging/command-client.ts'

export interface PartialCommands {
  /** Executes the command and returns the resulting partial; undefined after a delete. */
  execute(command: PartialCommand, metadata: CommandMetadata, messageId?: string): Promise<Partial | undefined>
}

export function partialCommands(client: CommandClient): PartialCommands {
  return {
    async execute(command, metadata, messageId) {
      // The answer is built from the recorded events without a read, so that it is sent even while the event store does
      // not answer.
      const { partial } = await client.execute<PartialAnswer>({
        subject: commandSubjects.template(command.data.partial_id),
        command: { ...command, metadata },
        ...defined({ messageId }),
      })
      return partial
    },
  }
}
