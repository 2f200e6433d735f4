import { createHash } from 'node:crypto'
import type { NewEvent } from '@platen/event-store/event-store.ts'

/** The events of one generation from a template, with the fields and sizes of real ones. */
export function eventsOfGeneration(number: number): { stream: string; events: [NewEvent, ...NewEvent[]] } {
  const sha256 = createHash('sha256').update(String(number)).digest('hex')
  // Ids of one time are in no order, and those of later times are greater.
  const id = `pdf_01hf${Math.floor(number / 8)
    .toString(32)
    .padStart(6, '0')}${sha256.slice(0, 16)}`
  const time = new Date(1.7e12 + number * 100).toISOString()
  const uuid = (step: number) => `00000000-0000-4000-800${step}-${number.toString(16).padStart(12, '0')}`
  const event = (step: number, type: string, data: NewEvent['data']): NewEvent => ({
    id: uuid(step),
    type,
    data,
    metadata: { correlation_id: `req_${number}`, causation_id: uuid(9), time },
  })
  const requested = {
    api_key_id: `key_${number % 10}`,
    owner_id: 'own_default',
    template: { id: `tpl_${number % 100}`, version: 1, slug: `template-${number % 100}` },
    options: { format: 'A4', margin: { top: '15mm', right: '15mm', bottom: '20mm', left: '15mm' } },
    metadata: { customer: `c-${number % 5_000}`, invoice: `2026-${number}` },
    file_name: `invoice-${number}.pdf`,
  }
  const completed = {
    object_key: `pdfs/${id}.${sha256.slice(0, 16)}.pdf`,
    pages: 1,
    size: 20_000 + (number % 1_000),
    sha256,
    duration_ms: 61.5,
    engine: { name: 'chromium', version: '156.0.8078.79', mode: 'static' },
    phases: { queue_ms: 3, template_ms: 1.2, print_ms: 48, store_ms: 9 },
    warnings: [],
  }
  return {
    stream: `generation-${id}`,
    events: [
      event(1, 'GenerationRequested', requested),
      event(2, 'GenerationStarted', { attempt: 1 }),
      event(3, 'GenerationCompleted', completed),
    ],
  }
}

export const eventsPerGeneration = 3
