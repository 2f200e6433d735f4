import type { ErrorCode } from '@platen/domain/http/error-catalogue.ts'
import type { NewEvent } from '@platen/event-store/event-store.ts'
import { Counter, Histogram, type Registry } from 'prom-client'

const phaseBucketsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600]

/** Error codes that end generations. */
const failureCodes: ErrorCode[] = [
  'TEMPLATE_NOT_FOUND',
  'TEMPLATE_SYNTAX_ERROR',
  'TEMPLATE_RENDER_ERROR',
  'TEMPLATE_TOO_COMPLEX',
  'RENDER_FAILED',
  'RENDER_LIMIT_EXCEEDED',
  'PDF_TOO_COMPLEX',
  'RENDER_TIMEOUT',
  'QUEUE_FULL',
  'STORAGE_UNAVAILABLE',
  'INTERNAL_ERROR',
]

/**
 * Counts ended generations and webhook attempts in the process that records them. Returns a function to be called with
 * each recorded event.
 */
export function outcomeMetrics(registry: Registry): (event: NewEvent) => void {
  const registers = [registry]
  const generations = new Counter({
    name: 'platen_generations_total',
    help: 'Generations that have ended; code: that of the error, or none',
    labelNames: ['outcome', 'code'],
    registers,
  })
  const phases = new Histogram({
    name: 'platen_generation_phase_seconds',
    help: 'How long the phases of completed generations took',
    labelNames: ['phase'],
    buckets: phaseBucketsS,
    registers,
  })
  const attempts = new Counter({
    name: 'platen_webhook_attempts_total',
    help: 'Attempts to send a webhook; outcome: succeeded, failed',
    labelNames: ['outcome'],
    registers,
  })
  const deliveries = new Counter({
    name: 'platen_deliveries_total',
    help: 'Webhooks that have ended; outcome: succeeded, exhausted',
    labelNames: ['outcome'],
    registers,
  })
  // An alert on an increase misses the first of a series that begins with it.
  for (const code of failureCodes) generations.inc({ outcome: 'failed', code }, 0)
  for (const outcome of ['completed', 'cancelled']) generations.inc({ outcome, code: 'none' }, 0)
  for (const outcome of ['succeeded', 'failed']) attempts.inc({ outcome }, 0)
  for (const outcome of ['succeeded', 'exhausted']) deliveries.inc({ outcome }, 0)
  return ({ type, data }) => {
    const fields = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
    if (type === 'GenerationCompleted') {
      generations.inc({ outcome: 'completed', code: 'none' })
      for (const [name, ms] of Object.entries(fields.phases ?? {})) {
        if (typeof ms === 'number') phases.observe({ phase: name.replace(/_ms$/, '') }, ms / 1_000)
      }
    } else if (type === 'GenerationFailed') generations.inc({ outcome: 'failed', code: String(fields.code) })
    else if (type === 'GenerationCancelled') generations.inc({ outcome: 'cancelled', code: 'none' })
    else if (type === 'DeliveryAttempted') attempts.inc({ outcome: 'failed' })
    else if (type === 'DeliverySucceeded') {
      attempts.inc({ outcome: 'succeeded' })
      deliveries.inc({ outcome: 'succeeded' })
    } else if (type === 'DeliveryExhausted') deliveries.inc({ outcome: 'exhausted' })
  }
}
