import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'

/** Something that happened at a time, in the history of what is traced. */
export interface Step {
  /** ISO 8601. */
  at: string
  /** Such as `GenerationStarted`; `object` for the file. */
  type: string
  /** The aggregate, or the key of an object. */
  subject: string
  /** For a person. */
  what: string
  revision?: number
  position?: string
  event_id?: string
  request_id?: string
  command_id?: string
  /** How long this step itself took, if it is known. */
  duration_ms?: number
}

export interface TimedStep extends Step {
  /** Since the first step. */
  offset_ms: number
  /** Since the step before. */
  since_previous_ms: number
}

/** When the event happened, which may be before it was recorded. */
export function timeOfEvent({ metadata, recordedAt }: StoredEvent): string {
  return typeof metadata.time === 'string' ? metadata.time : recordedAt.toISOString()
}

export function stepOf(event: StoredEvent): Step {
  const { type, data, revision, position, id, metadata } = event
  const fields = (data ?? {}) as Record<string, unknown>
  const { correlation_id, causation_id } = metadata
  return {
    at: timeOfEvent(event),
    type,
    subject: aggregateIdOf(event.stream),
    what: describe(type, fields),
    revision,
    position,
    event_id: id,
    ...(typeof correlation_id === 'string' && { request_id: correlation_id }),
    ...(typeof causation_id === 'string' && { command_id: causation_id }),
    ...(typeof fields.duration_ms === 'number' && { duration_ms: fields.duration_ms }),
  }
}

/** In the order of time; steps of one time stay in the order given. */
export function timeline(steps: readonly Step[]): TimedStep[] {
  const ordered = steps.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const first = Date.parse(ordered[0]?.at ?? '')
  return ordered.map((step, index) => {
    const at = Date.parse(step.at)
    return { ...step, offset_ms: at - first, since_previous_ms: at - Date.parse(ordered[index - 1]?.at ?? step.at) }
  })
}

type Fields = Record<string, unknown>

const descriptions: Record<string, (fields: Fields) => (string | undefined)[]> = {
  TemplateCreated: ({ name, slug }) => ['created', `"${name}"`, `slug ${slug}`],
  TemplateUpdated: (fields) => ['updated', Object.keys(fields).join(', ')],
  TemplateDeleted: () => ['deleted'],
  TemplateRestored: ({ restored_from }) => ['restored', `version ${restored_from}`],
  TemplateLabelSet: ({ label, version }) => ['label set', `${label} version ${version}`],
  TemplateLabelRemoved: ({ label }) => ['label removed', String(label)],
  PartialCreated: ({ name }) => ['created', `"${name}"`],
  PartialUpdated: () => ['updated'],
  PartialDeleted: () => ['deleted'],
  AssetStored: ({ name, type, bytes }) => ['asset stored', String(name), String(type), `${bytes} bytes`],
  AssetDeleted: ({ name }) => ['asset deleted', String(name)],
  GenerationRequested: ({ template, html_sha256, api_key_id, webhook_url }) => [
    'request accepted',
    isObject(template) ? `template ${template.id} version ${template.version}` : undefined,
    html_sha256 === undefined ? undefined : `html ${String(html_sha256).slice(0, 12)}…`,
    `key ${api_key_id}`,
    webhook_url === undefined ? undefined : `webhook ${webhook_url}`,
  ],
  GenerationStarted: ({ renderer, attempt }) => [
    'rendering started',
    attempt === undefined ? undefined : `attempt ${attempt}`,
    renderer === undefined ? undefined : `by ${renderer}`,
  ],
  GenerationCompleted: ({ pages, size, duration_ms, warnings, phases }) => [
    'completed',
    pages === 1 ? '1 page' : `${pages} pages`,
    `${size} bytes`,
    `rendered in ${duration_ms} ms`,
    Array.isArray(warnings) && warnings.length > 0 ? `${warnings.length} warnings` : undefined,
    isObject(phases) ? phasesOf(phases) : undefined,
  ],
  GenerationFailed: ({ code, message }) => ['failed', `${code}: ${message}`],
  GenerationCancelled: () => ['cancelled'],
  DeliveryScheduled: ({ url }) => ['webhook scheduled', `to ${url}`],
  DeliveryAttempted: ({ attempt, status, error, duration_ms, next_at }) => [
    `webhook attempt ${attempt} failed`,
    `${status ?? error} in ${duration_ms} ms`,
    next_at === undefined ? 'no further attempt' : `next attempt at ${next_at}`,
  ],
  DeliverySucceeded: ({ attempt, status, duration_ms }) => [
    `webhook attempt ${attempt} succeeded`,
    `${status} in ${duration_ms} ms`,
  ],
  DeliveryExhausted: ({ attempts, reason }) => [
    'webhook given up',
    `after ${attempts} attempts`,
    reason as string | undefined,
  ],
  DeliveryRescheduled: ({ attempt, next_at }) => ['webhook redelivery requested', `attempt ${attempt} at ${next_at}`],
}

function describe(type: string, fields: Fields): string {
  const parts = descriptions[type]?.(fields) ?? [type]
  return parts.filter((part) => part !== undefined).join(', ')
}

/** `fill 3 ms, print 80 ms` */
function phasesOf(phases: Fields): string {
  return Object.entries(phases)
    .filter(([, ms]) => typeof ms === 'number')
    .map(([name, ms]) => `${name.replace(/_ms$/, '')} ${ms} ms`)
    .join(', ')
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null
