import { fail } from '@platen/domain/http/errors.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import type { LabelCommand, Template, TemplateAnswer, TemplateCommand } from '@platen/domain/template/template.ts'
import { templateLimits } from '@platen/domain/template/template-content.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { CommandClient } from '../messaging/command-client.ts'
import type { LabelRecord } from '../views/label-view.ts'

export interface TemplateCommands {
  /** Executes a command about labels and returns those of the template. */
  label(command: LabelCommand, metadata: CommandMetadata): Promise<LabelRecord>
  /** Executes the command and returns the resulting template; undefined after a delete. */
  execute(
    command: Exclude<TemplateCommand, LabelCommand>,
    metadata: CommandMetadata,
    options?: ExecuteOptions,
  ): Promise<Template | undefined>
}

export interface ExecuteOptions {
  /** JetStream drops a second message with the same id within 2 minutes. Default: the command's id. */
  messageId?: string | undefined
  /** JSON of the command's data, where these have no values of large fields. Default: that of the data. */
  dataJson?: string
}

export function templateCommands(client: CommandClient): TemplateCommands {
  return {
    async label(command, metadata) {
      const { labels = {}, revision } = await client.execute<TemplateAnswer>({
        subject: commandSubjects.template(command.data.template_id),
        command: { ...command, metadata },
      })
      return { labels, revision }
    },
    async execute(command, metadata, { messageId, dataJson = stringifyExact(command.data) } = {}) {
      checkJsonSize(dataJson)
      const id = command.data.template_id
      // The answer is built from the recorded events without a read, so that it is sent even while the event store does
      // not answer.
      const { template } = await client.execute<TemplateAnswer>({
        subject: commandSubjects.template(id),
        command: { ...command, metadata },
        dataJson,
        ...defined({ messageId }),
      })
      return template
    },
  }
}

/**
 * Checks the size of the JSON: escapes can make it twice as long as the template, so the limits of the fields are not
 * enough.
 */
function checkJsonSize(dataJson: string): void {
  const bytes = Buffer.byteLength(dataJson)
  const { versionBytes } = templateLimits
  if (bytes <= versionBytes) return
  fail('PAYLOAD_TOO_LARGE', `The template has ${bytes} bytes as JSON; the limit is ${versionBytes}`)
}
