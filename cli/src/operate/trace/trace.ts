import { streams } from '@platen/domain/streams/subjects.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { type CommandContext, defineCommand, one } from '../../frame/command.ts'
import { alignColumns } from '../../frame/table.ts'
import { findStreams } from './find-streams.ts'
import { type Step, stepOf, type TimedStep, timeline } from './timeline.ts'

export const trace = defineCommand({
  name: 'trace',
  argument: one('id'),
  summary:
    'print what happened to a generation, template, partial, request, command, event or delivery, with times and durations',
  notes: [
    '<id>: pdf_…, tpl_…, prt_…, msg_…, req_… (the x-request-id of a response), or the id of an event or a command',
    'With --json it is one object: id, request_ids, subjects and the timeline.',
  ],
  async run(context, { argument: id, json }) {
    const { print, signal, progress } = context
    const store = await context.openLog()
    using searching = progress('reading the log')
    const events = (await findStreams({ store, signal, progress: searching }, id)).flat()
    const steps = events.length > 0 ? events.map(stepOf) : await queuedStep(context, id)
    if (steps.length === 0) throw new Error(notFound(id))
    const files = await Promise.all(events.map((event) => fileStep(context, event)))
    const timed = timeline([...files.filter((step) => step !== undefined), ...steps])
    const summary = {
      id,
      request_ids: [...new Set(timed.flatMap(({ request_id }) => request_id ?? []))],
      command_ids: [...new Set(timed.flatMap(({ command_id }) => command_id ?? []))],
      subjects: [...new Set(events.map(({ stream }) => aggregateIdOf(stream)))],
      duration_ms: timed.at(-1)?.offset_ms ?? 0,
    }
    if (json) return print(JSON.stringify({ ...summary, timeline: timed }))
    print(`request  ${summary.request_ids.join(', ') || 'none'}`)
    print(`command  ${summary.command_ids.join(', ') || 'none'}`)
    for (const line of alignColumns(timed.map(columns))) print(line)
    print(`${summary.duration_ms} ms from the first to the last step`)
  },
})

function columns({ at, offset_ms, since_previous_ms, subject, what }: TimedStep): string[] {
  return [at, `+${offset_ms} ms`, `(${since_previous_ms} ms)`, subject, what]
}

/** A generation that no renderer has taken has no stream, only a command. */
async function queuedStep({ openBus, note }: CommandContext, id: string): Promise<Step[]> {
  if (!/^pdf_\w+$/.test(id)) return []
  try {
    const { jsm } = await openBus()
    const command = await found(jsm.streams.getMessage(streams.commands, { last_by_subj: `commands.render.*.*.${id}` }))
    if (!command) return []
    const { metadata } = command.json<{ metadata: { time: string; correlation_id: string; id: string } }>()
    return [
      {
        at: metadata.time,
        type: 'queued',
        subject: id,
        what: 'request accepted, waiting for a renderer',
        request_id: metadata.correlation_id,
        command_id: metadata.id,
      },
    ]
  } catch (err) {
    note(`the queue was not searched: ${(err as Error).message}`)
    return []
  }
}

async function fileStep({ openObjects, note }: CommandContext, event: StoredEvent) {
  const { type, data, stream } = event
  if (type !== 'GenerationCompleted') return undefined
  const { object_key: key } = data as { object_key: string }
  try {
    const info = await (await openObjects()).info(key)
    if (info === undefined) {
      note(`the file ${key} of ${aggregateIdOf(stream)} is not in the object store any more`)
      return undefined
    }
    const at = storedAt(info.modifiedAt, stepOf(event).at)
    return { at, type: 'object', subject: key, what: `file stored, ${info.size} bytes` } satisfies Step
  } catch (err) {
    note(`the object store was not searched: ${(err as Error).message}`)
    return undefined
  }
}

/** S3 reports times in whole seconds. A file of the same second as the event is shown at the time of the event. */
function storedAt(modifiedAt: Date, completedAt: string): string {
  const completed = Date.parse(completedAt)
  const second = modifiedAt.getTime()
  const isOfThatSecond = second % 1_000 === 0 && second <= completed && completed < second + 1_000
  return isOfThatSecond ? completedAt : modifiedAt.toISOString()
}

function notFound(id: string): string {
  const forms = 'an id of a generation (pdf_…), template (tpl_…), delivery (msg_…), request (req_…), event or command'
  const unrecorded = id.startsWith('req_')
    ? ' (a preview, and a request that only reads or was refused, records nothing)'
    : ''
  return `the event store has nothing about ${id}${unrecorded}; give ${forms}, and see that DATA_DIR or EVENT_STORE_URL is that of your Platen`
}
