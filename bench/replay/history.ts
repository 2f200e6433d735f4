import { createHash } from 'node:crypto'
import type { NewEvent } from '@platen/event-store/event-store.ts'

/** Events that are appended at once. */
export interface Recorded {
  stream: string
  /** Revision of the first one. */
  revision: number
  events: [NewEvent, ...NewEvent[]]
  /** Milliseconds since the epoch. */
  at: number
}

const templates = 100
/** Every fourth generation has a webhook, and every fortieth webhook is sent twice. */
const webhookEvery = 4
const secondAttemptEvery = 40 * webhookEvery
/** A template is changed from time to time. */
const changeEvery = 500

/**
 * What a deployment records, in order, with the fields and sizes of real events: templates and their changes, generations, and deliveries of
 * webhooks. Ends with the generation that has the last of `events` events; `from` is the number of its first generation.
 */
export function* history(events: number, from = 0): Generator<Recorded> {
  let count = 0
  const counted = (recorded: Recorded) => {
    count += recorded.events.length
    return recorded
  }
  for (let number = from; count < events; number++) {
    if (number < templates) yield counted(templateCreated(number))
    if (number % changeEvery === changeEvery - 1) yield counted(templateChanged(number))
    yield counted(eventsOfGeneration(number))
    if (number % webhookEvery === 0) yield counted(deliveryOf(number))
  }
}

const timeOf = (number: number) => 1.7e12 + number * 100

function event(number: number, step: number, type: string, data: NewEvent['data']): NewEvent {
  const uuid = (step: number) =>
    `00000000-0000-4000-8${step.toString().padStart(3, '0')}-${number.toString(16).padStart(12, '0')}`
  const time = new Date(timeOf(number)).toISOString()
  const metadata = { correlation_id: `req_${number}`, causation_id: uuid(99), time }
  return { id: uuid(step), type, data, metadata }
}

const sha256Of = (number: number) => createHash('sha256').update(String(number)).digest('hex')

/** Ids of one time are in no order, and those of later times are greater. */
function idOf(number: number): string {
  const time = Math.floor(number / 8)
    .toString(32)
    .padStart(6, '0')
  return `pdf_01hf${time}${sha256Of(number).slice(0, 16)}`
}

/** The events of one generation from a template. */
export function eventsOfGeneration(number: number): Recorded {
  const [id, sha256] = [idOf(number), sha256Of(number)]
  const requested = {
    api_key_id: `key_${number % 10}`,
    owner_id: 'own_default',
    template: { id: `tpl_${number % templates}`, version: 1, slug: `template-${number % templates}` },
    options: { format: 'A4', margin: { top: '15mm', right: '15mm', bottom: '20mm', left: '15mm' } },
    metadata: { customer: `c-${number % 5_000}`, invoice: `2026-${number}` },
    file_name: `invoice-${number}.pdf`,
    ...(number % webhookEvery === 0 && { webhook_url: urlOf(number) }),
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
    revision: 0,
    at: timeOf(number),
    events: [
      event(number, 1, 'GenerationRequested', requested),
      event(number, 2, 'GenerationStarted', { attempt: 1 }),
      event(number, 3, 'GenerationCompleted', completed),
    ],
  }
}

const urlOf = (number: number) => `https://hooks-${number % 10}.example.com/platen`

function deliveryOf(number: number): Recorded {
  const [at, nextAt] = [timeOf(number), new Date(timeOf(number)).toISOString()]
  const generation_id = idOf(number)
  const data = { generation_id, status: 'completed', pages: 1, size: 20_000, sha256: sha256Of(number) }
  const scheduled = {
    generation_id,
    owner_id: 'own_default',
    api_key_id: `key_${number % 10}`,
    url: urlOf(number),
    event_id: `evt_${number}`,
    body: JSON.stringify({ specversion: '1.0', type: 'platen.generation.completed', subject: generation_id, data }),
    next_at: nextAt,
  }
  const isRepeated = number % secondAttemptEvery === 0
  const failed = { attempt: 1, status: 503, duration_ms: 24, response: 'try again', next_at: nextAt }
  return {
    stream: `delivery-${generation_id.replace('pdf_', 'msg_')}`,
    revision: 0,
    at,
    events: [
      event(number, 4, 'DeliveryScheduled', scheduled),
      ...(isRepeated ? [event(number, 5, 'DeliveryAttempted', failed)] : []),
      event(number, 6, 'DeliverySucceeded', { attempt: isRepeated ? 2 : 1, status: 204, duration_ms: 31 }),
    ],
  }
}

/** Fields of an invoice, and a page of HTML. */
function contentOf(number: number) {
  return {
    owner_id: 'own_default',
    name: `Template ${number % templates}`,
    slug: `template-${number % templates}`,
    html: `<h1>Invoice {{number}} of version ${number}</h1>${'<p class="line">{{text}} {{amount}}</p>'.repeat(50)}`,
    sample_data: { number: '2026-1', text: 'Hours', amount: 12.5 },
    options: {},
  }
}

function templateCreated(number: number): Recorded {
  const created = event(number, 7, 'TemplateCreated', contentOf(number))
  return { stream: `template-tpl_${number}`, revision: 0, at: timeOf(number), events: [created] }
}

/** Changes go around, so that the revision follows from the number. */
function templateChanged(number: number): Recorded {
  const change = Math.floor(number / changeEvery)
  const template = change % templates
  const data = { ...contentOf(template), created_at: new Date(timeOf(template)).toISOString(), changed: ['html'] }
  const updated = event(number, 8, 'TemplateUpdated', data)
  const revision = 1 + Math.floor(change / templates)
  return { stream: `template-tpl_${template}`, revision, at: timeOf(number), events: [updated] }
}
