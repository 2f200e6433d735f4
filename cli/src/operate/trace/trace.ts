import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { findStreams } from '@platen/service-kit/trace/find-streams.ts'
import { queuedStep } from '@platen/service-kit/trace/queued-step.ts'
import { recordedSteps } from '@platen/service-kit/trace/recorded-steps.ts'
import { type Step, type TimedStep, timeline } from '@platen/service-kit/trace/timeline.ts'
import { type CommandContext, defineCommand, one } from '../../frame/command.ts'
import { alignColumns } from '../../frame/table.ts'

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
    const events = (await findStreams({ store, signal, onRead: (count) => searching.at(count) }, id)).flat()
    const recorded = await recordedSteps(context.openObjects, events)
    const steps = events.length > 0 ? recorded.steps : await queuedSteps(context, id)
    if (steps.length === 0) throw new Error(notFound(id))
    for (const note of recorded.notes) context.note(note)
    const timed = timeline(steps)
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

async function queuedSteps({ openBus, note }: CommandContext, id: string): Promise<Step[]> {
  if (!id.startsWith('pdf_')) return []
  try {
    const step = await queuedStep(await openBus(), id)
    return step === undefined ? [] : [step]
  } catch (err) {
    note(`the queue was not searched: ${(err as Error).message}`)
    return []
  }
}

function notFound(id: string): string {
  const forms = 'an id of a generation (pdf_…), template (tpl_…), delivery (msg_…), request (req_…), event or command'
  const unrecorded = id.startsWith('req_')
    ? ' (a preview, and a request that only reads or was refused, records nothing)'
    : ''
  return `the event store has nothing about ${id}${unrecorded}; give ${forms}, and see that DATA_DIR or EVENT_STORE_URL is that of your Platen`
}
