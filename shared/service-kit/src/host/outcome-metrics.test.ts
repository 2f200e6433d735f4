import { randomUUID } from 'node:crypto'
import { withAppendMetrics } from '@platen/event-store/append-metrics.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import { Registry } from 'prom-client'
import t from 'tap'
import { outcomeMetrics } from './outcome-metrics.ts'

t.test('what is recorded is counted by outcome, code and phase', async (t) => {
  await using temporary = await openTemporaryStore()
  const registry = new Registry()
  const store = withAppendMetrics(temporary.store, registry, outcomeMetrics(registry))
  const event = (type: string, data: object = {}) => ({ id: randomUUID(), type, data: { ...data } })
  const phases = { queue_ms: 20, template_ms: 1, print_ms: 80, store_ms: 4 }
  await store.append('generation-a', [event('GenerationStarted'), event('GenerationCompleted', { phases })], 'none')
  await store.append('generation-b', [event('GenerationFailed', { code: 'RENDER_TIMEOUT' })], 'none')
  await store.append('generation-c', [event('GenerationCancelled')], 'none')
  await t.rejects(store.append('generation-c', [event('GenerationCancelled')], 'none'))
  await store.append('delivery-a', [event('DeliveryAttempted'), event('DeliverySucceeded')], 'none')
  await store.append('delivery-b', [event('DeliveryAttempted'), event('DeliveryExhausted')], 'none')
  const text = await registry.metrics()
  for (const line of [
    'platen_event_store_append_seconds_count{outcome="ok"} 5',
    'platen_event_store_append_seconds_count{outcome="conflict"} 1',
    'platen_events_recorded_total{type="GenerationCancelled"} 1',
    'platen_generations_total{outcome="completed",code="none"} 1',
    'platen_generations_total{outcome="failed",code="RENDER_TIMEOUT"} 1',
    'platen_generations_total{outcome="cancelled",code="none"} 1',
    'platen_generation_phase_seconds_sum{phase="print"} 0.08',
    'platen_webhook_attempts_total{outcome="failed"} 2',
    'platen_webhook_attempts_total{outcome="succeeded"} 1',
    'platen_deliveries_total{outcome="succeeded"} 1',
    'platen_deliveries_total{outcome="exhausted"} 1',
  ]) {
    t.ok(text.includes(`${line}\n`), line)
  }
})
