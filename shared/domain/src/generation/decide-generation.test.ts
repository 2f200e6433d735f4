import { given } from '@platen/test-support/given.ts'
import t, { type Test } from 'tap'
import { type GenerationCommand, generationDecider } from './decide-generation.ts'
import type { GenerationEvent } from './generation-events.ts'

const request = { owner_id: 'own_default', api_key_id: 'key_1', html_sha256: 'abc' }
const result = {
  object_key: 'pdfs/pdf_1.pdf',
  pages: 2,
  size: 1_000,
  sha256: 'def',
  duration_ms: 30,
  phases: { queue_ms: 1, template_ms: 2, print_ms: 20, store_ms: 7 },
  engine: { name: 'chromium', version: '1', mode: 'static' as const },
  warnings: [],
}
const failure = { code: 'RENDER_FAILED', message: 'no' } as const

const requested: GenerationEvent = { type: 'GenerationRequested', data: request }
const started: GenerationEvent = { type: 'GenerationStarted', data: { renderer: 'r1' } }
const completed: GenerationEvent = { type: 'GenerationCompleted', data: result }
const failed: GenerationEvent = { type: 'GenerationFailed', data: failure }
const cancelled: GenerationEvent = { type: 'GenerationCancelled', data: {} }

const start: GenerationCommand = { type: 'StartGeneration', data: { request, renderer: 'r1' } }
const complete: GenerationCommand = { type: 'CompleteGeneration', data: { request, renderer: 'r1', result } }
const fail: GenerationCommand = { type: 'FailGeneration', data: { request, failure } }
const cancel: GenerationCommand = { type: 'CancelGeneration', data: { request } }

const generation = (t: Test, ...events: GenerationEvent[]) => given(t, generationDecider, events)

t.test('a start is recorded once', async (t) => {
  generation(t).when(start).then([requested, started])
  generation(t, requested, started).when(start).then([])
  generation(t, requested, cancelled).when(start).then([])
})

t.test('an ending without a start records the request and the start too', async (t) => {
  generation(t).when(complete).then([requested, started, completed])
  const failAtOnce: GenerationCommand = { type: 'FailGeneration', data: { request, renderer: 'r1', failure } }
  generation(t).when(failAtOnce).then([requested, started, failed])
})

t.test('a completion after another ending is ignored', async (t) => {
  generation(t, requested, started).when(complete).then([completed])
  generation(t, requested, started, completed).when(complete).then([])
  generation(t, requested, started, failed).when(complete).then([])
  generation(t, requested, started, cancelled).when(complete).then([])
})

t.test('a failure is recorded unless the generation has ended', async (t) => {
  generation(t, requested, started).when(fail).then([failed])
  generation(t).when(fail).then([requested, failed])
  generation(t, requested, started, completed).when(fail).then([])
})

t.test('a queued or rendering generation can be cancelled, an ended one answers CONFLICT', async (t) => {
  generation(t).when(cancel).then([requested, cancelled])
  generation(t, requested, started).when(cancel).then([cancelled])
  generation(t, requested, cancelled).when(cancel).then([])
  generation(t, requested, started, completed).when(cancel).refused('CONFLICT')
  generation(t, requested, started, failed).when(cancel).refused('CONFLICT')
})
