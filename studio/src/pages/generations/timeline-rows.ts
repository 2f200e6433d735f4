import type { Schemas } from '../../api/client.ts'

export type Timeline = Schemas['GenerationTimeline']
type Span = Timeline['spans'][number]

/** A line of the timeline: what was done, from when to when, in ms since the request. */
export interface Row {
  key: string
  name: string
  /** Beside the name: the renderer, the answer of a receiver. */
  detail: string
  kind: 'wait' | 'attempt' | 'phase' | 'webhook'
  tone: 'ok' | 'run' | 'bad'
  startMs: number
  /** That of now, while it goes on. */
  endMs: number
  isRunning: boolean
}

const names: Readonly<Record<string, string>> = {
  queued: 'Waiting in the queue',
  attempt: 'Renderer',
  template: 'Template and data',
  print: 'Print',
  store: 'Store',
  webhook: 'Webhook',
}

/** The lines of a timeline, in the order of time. `nowMs` is since the request. */
export function timelineRows({ spans, status, attempts }: Timeline, nowMs: number): Row[] {
  return spans.map((span, at) => {
    const { name, attempt, offset_ms: startMs, duration_ms } = span
    const isLast = spans.findLastIndex((other) => other.name === name) === at
    const isRunning = duration_ms === undefined && (status === 'queued' || status === 'rendering' || name === 'webhook')
    return {
      key: `${name} ${attempt ?? 0} ${at}`,
      name: nameOf(span, attempts),
      detail: detailOf(span),
      kind: kindOf(name),
      tone: isRunning ? 'run' : hasFailed(span, { isLast, status }) ? 'bad' : 'ok',
      startMs,
      endMs: isRunning ? Math.max(nowMs, startMs) : startMs + (duration_ms ?? 0),
      isRunning,
    }
  })
}

function nameOf({ name, attempt }: Span, attempts: number): string {
  const text = names[name] ?? name
  const isNumbered = name === 'webhook' || (name === 'attempt' && attempts > 1)
  return isNumbered && attempt !== undefined ? `${text}, attempt ${attempt}` : text
}

function detailOf({ renderer, status, error }: Span): string {
  if (renderer !== undefined) return renderer
  if (status !== undefined) return `HTTP ${status}`
  return error ?? ''
}

function kindOf(name: string): Row['kind'] {
  if (name === 'queued') return 'wait'
  if (name === 'attempt' || name === 'webhook') return name
  return 'phase'
}

function hasFailed({ name, status, error }: Span, of: { isLast: boolean; status: string }): boolean {
  if (name === 'webhook') return error !== undefined || status === undefined || status < 200 || status > 299
  return name === 'attempt' && (!of.isLast || of.status === 'failed')
}
