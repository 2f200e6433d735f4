import type { Phases } from '@platen/domain/generation/generation.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { eventTime } from '@platen/event-store/event-time.ts'
import { defined } from '@platen/foundation/json/defined.ts'

/** Something that took time. */
export interface Span {
  name: 'queued' | 'attempt' | 'template' | 'print' | 'store' | 'webhook'
  /** Of the renderer, or of the webhook. */
  attempt?: number
  startMs: number
  /** Absent while it goes on. */
  endMs?: number
  renderer?: string
  /** HTTP status of the receiver, or why there was no answer. */
  status?: number
  error?: string
}

interface Fields {
  attempt?: number
  renderer?: string
  duration_ms?: number
  status?: number
  error?: string
  phases?: Phases
}

const endings = new Set(['GenerationCompleted', 'GenerationFailed', 'GenerationCancelled'])

/** What took time in the way of a generation from its request to its webhook, in order. `events`: those of both streams. */
export function spansOf(events: readonly StoredEvent[]): Span[] {
  const spans: Span[] = []
  let current: Span | undefined
  for (const event of events) {
    const { type } = event
    const fields = (event.data ?? {}) as Fields
    const atMs = Date.parse(eventTime(event))
    if (type === 'GenerationRequested') {
      current = { name: 'queued', startMs: atMs }
      spans.push(current)
    } else if (type === 'GenerationStarted') {
      if (current) current.endMs = atMs
      const { attempt = 1, renderer } = fields
      current = { name: 'attempt', attempt, startMs: atMs, ...defined({ renderer }) }
      spans.push(current)
    } else if (endings.has(type)) {
      if (current) current.endMs = atMs
      if (current && fields.phases) spans.push(...phasesOf(current, fields.phases))
      current = undefined
    } else if (type === 'DeliveryAttempted' || type === 'DeliverySucceeded') {
      const { attempt = 1, duration_ms = 0, status, error } = fields
      const answer = { ...defined({ status, error }) }
      spans.push({ name: 'webhook', attempt, startMs: atMs - duration_ms, endMs: atMs, ...answer })
    }
  }
  return spans
}

/** They follow each other from the beginning of the attempt. */
function phasesOf({ attempt = 1, startMs }: Span, phases: Phases): Span[] {
  let at = startMs
  return (['template', 'print', 'store'] as const).map((name) => {
    const begun = at
    at += phases[`${name}_ms`]
    return { name, attempt, startMs: begun, endMs: at }
  })
}
