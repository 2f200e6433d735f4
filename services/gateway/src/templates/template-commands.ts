import type { CommandMetadata } from '@platen/shared/contracts/command.ts'
import { commandSubjects } from '@platen/shared/contracts/subjects.ts'
import type { Template, TemplateAnswer, TemplateCommand } from '@platen/shared/contracts/template.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import type { Ask } from '../messaging/command-client.ts'
import type { Views } from '../run-views.ts'
import { evolveTemplateRecord, type TemplateRecord, templateOf } from './template-record.ts'

/** A client reads what it wrote: so long is waited for the own view to show it. */
const viewWithinMs = 2_000

export interface TemplateCommands {
  /** Carries the command out and gives the template as it is then; undefined once it is deleted. */
  carryOut(command: TemplateCommand, metadata: CommandMetadata, messageId?: string): Promise<Template | undefined>
}

export interface TemplateCommandsOptions {
  ask: Ask
  views: Pick<Views, 'templates' | 'changes'>
  store: EventStore
}

/** JSON of the command; beyond that neither a NATS message (1 MiB) nor an event (1,000,000 bytes) would hold it. */
export const maxTemplateJsonBytes = 900_000

export function templateCommands({ ask, views, store }: TemplateCommandsOptions): TemplateCommands {
  return {
    async carryOut(command, metadata, messageId) {
      refuseTooLarge(command)
      const id = command.data.template_id
      const { revision } = await ask<TemplateAnswer>({
        subject: commandSubjects.template(id),
        command: { ...command, metadata },
        ...(messageId !== undefined && { messageId }),
      })
      const reached = () => {
        const record = views.templates.record(id)
        return record && record.revision >= revision ? record : undefined
      }
      const viewed = await views.changes.until(id, reached, { timeoutMs: viewWithinMs })
      // Somebody may have been quick to change it again: the answer tells what this command made of it.
      const record = viewed?.revision === revision ? viewed : await recordAt(store, id, revision)
      return record && templateOf(record)
    },
  }
}

/** Quotes, line ends and other escapes can make the JSON of a template twice as long as the template. */
function refuseTooLarge({ data }: TemplateCommand): void {
  const bytes = Buffer.byteLength(JSON.stringify(data))
  if (bytes <= maxTemplateJsonBytes) return
  fail('PAYLOAD_TOO_LARGE', `The template takes ${bytes} bytes as JSON; at most ${maxTemplateJsonBytes} can be kept`)
}

async function recordAt(store: EventStore, id: string, revision: number): Promise<TemplateRecord | undefined> {
  let record: TemplateRecord | undefined
  for await (const event of store.readStream(`template-${id}`, { limit: revision + 1 })) {
    record = evolveTemplateRecord(record, event)
  }
  return record
}
