import type { Position, StoredEvent } from '@platen/event-store/event-store.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import t from 'tap'
import { spansOf } from './spans.ts'

const eventAt = (ms: number, type: string, data: Json = {}): StoredEvent => ({
  stream: 'generation-pdf_1',
  revision: 0,
  position: '' as Position,
  id: `${ms}`,
  type,
  data,
  metadata: { time: new Date(ms).toISOString() },
  recordedAt: new Date(ms + 1_000),
})

t.test(
  'a document that a second renderer had to finish has two attempts, phases of the last, and its webhook',
  async (t) => {
    const phases = { queue_ms: 10, template_ms: 2, print_ms: 60, store_ms: 8 }
    t.strictSame(
      spansOf([
        eventAt(0, 'GenerationRequested'),
        eventAt(10, 'GenerationStarted', { renderer: 'one' }),
        eventAt(50, 'GenerationStarted', { renderer: 'two', attempt: 2 }),
        eventAt(130, 'GenerationCompleted', { phases }),
        eventAt(140, 'DeliveryScheduled'),
        eventAt(200, 'DeliveryAttempted', { attempt: 1, status: 503, duration_ms: 40 }),
        eventAt(900, 'DeliveryAttempted', { attempt: 2, error: 'no answer', duration_ms: 100 }),
        eventAt(1_500, 'DeliverySucceeded', { attempt: 3, status: 204, duration_ms: 30 }),
      ]),
      [
        { name: 'queued', startMs: 0, endMs: 10 },
        { name: 'attempt', attempt: 1, startMs: 10, renderer: 'one', endMs: 50 },
        { name: 'attempt', attempt: 2, startMs: 50, renderer: 'two', endMs: 130 },
        { name: 'template', attempt: 2, startMs: 50, endMs: 52 },
        { name: 'print', attempt: 2, startMs: 52, endMs: 112 },
        { name: 'store', attempt: 2, startMs: 112, endMs: 120 },
        { name: 'webhook', attempt: 1, startMs: 160, endMs: 200, status: 503 },
        { name: 'webhook', attempt: 2, startMs: 800, endMs: 900, error: 'no answer' },
        { name: 'webhook', attempt: 3, startMs: 1_470, endMs: 1_500, status: 204 },
      ],
    )
  },
)

t.test('what goes on has no end, and a document that was cancelled in the queue has no attempt', async (t) => {
  const begun = [eventAt(0, 'GenerationRequested'), eventAt(10, 'GenerationStarted', { renderer: 'one' })]
  t.strictSame(spansOf(begun).at(-1), { name: 'attempt', attempt: 1, startMs: 10, renderer: 'one' })
  t.strictSame(spansOf([eventAt(0, 'GenerationRequested'), eventAt(5, 'GenerationCancelled')]), [
    { name: 'queued', startMs: 0, endMs: 5 },
  ])
})
