import type { CommandMetadata } from '@platen/shared/contracts/command.ts'
import { commandSubjects } from '@platen/shared/contracts/subjects.ts'
import type { Template, TemplateAnswer, TemplateCommand } from '@platen/shared/contracts/template.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import type { CommandClient } from '../messaging/command-client.ts'
import type { ViewUpdates } from '../views/view-updates.ts'
import { evolveTemplateRecord, type TemplateRecord, templateOf } from './template-record.ts'
import type { TemplateView } from './template-view.ts'

/** How long a command waits for the view, so that the client's next request reads its own write. */
const viewTimeoutMs = 2_000

export interface TemplateCommands {
  /** Executes the command and returns the resulting template; undefined after a delete. */
  execute(command: TemplateCommand, metadata: CommandMetadata, messageId?: string): Promise<Template | undefined>
}

export interface TemplateCommandsOptions {
  client: CommandClient
  templates: TemplateView
  updates: ViewUpdates
  store: EventStore
}

/** The limit of a command as JSON. A NATS message holds 1 MiB, an event 1,000,000 bytes. */
export const maxTemplateJsonBytes = 900_000

export function templateCommands({ client, templates, updates, store }: TemplateCommandsOptions): TemplateCommands {
  return {
    async execute(command, metadata, messageId) {
      checkJsonSize(command)
      const id = command.data.template_id
      const { revision } = await client.execute<TemplateAnswer>({
        subject: commandSubjects.template(id),
        command: { ...command, metadata },
        ...(messageId !== undefined && { messageId }),
      })
      const readView = () => {
        const record = templates.record(id)
        return record && record.revision >= revision ? record : undefined
      }
      const viewed = await updates.waitFor(id, readView, { timeoutMs: viewTimeoutMs })
      // The view may already show a later change. The response shows the result of this command.
      const record = viewed?.revision === revision ? viewed : await recordAt(store, id, revision)
      return record && templateOf(record)
    },
  }
}

/** Escapes can make the JSON of a template twice as long as the template, so the limit of its fields is not enough. */
function checkJsonSize({ data }: TemplateCommand): void {
  const bytes = Buffer.byteLength(JSON.stringify(data))
  if (bytes <= maxTemplateJsonBytes) return
  fail('PAYLOAD_TOO_LARGE', `The template has ${bytes} bytes as JSON; the limit is ${maxTemplateJsonBytes}`)
}

async function recordAt(store: EventStore, id: string, revision: number): Promise<TemplateRecord | undefined> {
  let record: TemplateRecord | undefined
  for await (const event of store.readStream(`template-${id}`, { limit: revision + 1 })) {
    record = evolveTemplateRecord(record, event)
  }
  return record
}
