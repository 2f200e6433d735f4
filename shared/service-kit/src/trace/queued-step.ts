import { commandSubjects, streams } from '@platen/domain/streams/subjects.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import type { Step } from './timeline.ts'

/** A generation that no renderer has taken has no stream, only a command. Undefined if it has none, either. */
export async function queuedStep({ queries }: Pick<Bus, 'queries'>, id: string): Promise<Step | undefined> {
  if (!/^pdf_\w+$/.test(id)) return undefined
  const last_by_subj = commandSubjects.renderOne('*', id)
  const command = await found(queries.streams.getMessage(streams.commands, { last_by_subj }))
  if (!command) return undefined
  const { metadata } = command.json<{ metadata: { time: string; correlation_id: string; id: string } }>()
  return {
    at: metadata.time,
    type: 'queued',
    subject: id,
    what: 'request accepted, waiting for a renderer',
    request_id: metadata.correlation_id,
    command_id: metadata.id,
  }
}
