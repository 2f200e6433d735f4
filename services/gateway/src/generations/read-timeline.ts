import { generationStream } from '@platen/domain/generation/generation-events.ts'
import type { GenerationTimeline } from '@platen/domain/generation/timeline.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import { ask } from '@platen/messaging/connection/ask.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { withRelated } from '@platen/service-kit/trace/find-streams.ts'
import { queuedStep } from '@platen/service-kit/trace/queued-step.ts'
import { recordedSteps } from '@platen/service-kit/trace/recorded-steps.ts'
import { type Span, spansOf } from '@platen/service-kit/trace/spans.ts'
import { type Step, type TimedStep, timeline } from '@platen/service-kit/trace/timeline.ts'
import type { GenerationRecord } from '../views/generation-record.ts'

export interface TimelineSources {
  store: StreamReader
  bus: Bus
  objects: Pick<ObjectStore, 'info'>
}

/** Of a stream. A delivery has more after many redeliveries. */
const mostEvents = 500

/** What happened to a generation, as `platen trace` shows it. Throws DependencyUnavailable. */
export async function readTimeline(
  { store, bus, objects }: TimelineSources,
  { request, state }: GenerationRecord,
): Promise<GenerationTimeline> {
  const id = request.generation_id
  const events = (await withRelated({ store, most: mostEvents }, generationStream(id))).flatMap((of) => of.events)
  const recorded = await recordedSteps(async () => objects, events, { isNewest: true })
  const queued = events.length === 0 ? await ask(bus, () => queuedStep(bus, id)) : undefined
  const timed = timeline(events.length > 0 ? recorded.steps : [queued ?? acceptedStep(id)])
  const [first] = timed
  const acceptedAt = first?.at ?? new Date(idTimeMs(id)).toISOString()
  const spans = events.length > 0 ? spansOf(events) : [{ name: 'queued' as const, startMs: Date.parse(acceptedAt) }]
  const attempts = spans.filter(({ name }) => name === 'attempt')
  const begun = attempts[0]
  const renderer = attempts.at(-1)?.renderer
  return {
    generation_id: id,
    status: state.status,
    accepted_at: acceptedAt,
    duration_ms: timed.at(-1)?.offset_ms ?? 0,
    ...defined({ renderer }),
    attempts: attempts.length,
    ...(begun && { queue_ms: begun.startMs - Date.parse(acceptedAt) }),
    warnings: state.status === 'completed' ? state.result.warnings : [],
    ...(state.status === 'failed' && { error: state.failure }),
    request_ids: distinct(timed.map(({ request_id }) => request_id)),
    command_ids: distinct(timed.map(({ command_id }) => command_id)),
    spans: spans.map((span) => spanBody(span, Date.parse(acceptedAt))),
    events: timed.map(eventBody),
    notes: recorded.notes,
  }
}

/** Its command is in the queue no more, and its first event not read yet. */
function acceptedStep(id: string): Step {
  const at = new Date(idTimeMs(id)).toISOString()
  return { at, type: 'queued', subject: id, what: 'request accepted' }
}

function spanBody({ startMs, endMs, ...span }: Span, acceptedMs: number): GenerationTimeline['spans'][number] {
  return {
    ...span,
    start_at: new Date(startMs).toISOString(),
    offset_ms: startMs - acceptedMs,
    ...(endMs !== undefined && { duration_ms: endMs - startMs }),
  }
}

function eventBody({ position: _, duration_ms, ...step }: TimedStep): GenerationTimeline['events'][number] {
  return { ...step, ...(duration_ms !== undefined && { duration_ms: Math.round(duration_ms) }) }
}

const distinct = (ids: readonly (string | undefined)[]) => [...new Set(ids.filter((id) => id !== undefined))]
