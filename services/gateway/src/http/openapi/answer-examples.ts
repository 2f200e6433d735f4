import type { Node } from './rewrite-document.ts'

const id = (prefix: string) => `${prefix}_01k9x2v7w3d5e8f0g2h4j6k8m0`
const at = '2026-01-31T12:00:00.000Z'
const later = '2026-01-31T12:30:00.000Z'
const server = 'https://pdf.example.com'
const sha256 = '555551bf56e355b8b70c25e7d5355ece61299942547b4f805af661121c5f02e7'
const next_cursor = 'eyJpZCI6InRwbF8wMWs5eDJ2N3czZDVlOGYwZzJoNGo2azhtMCJ9'

const template = {
  id: id('tpl'),
  name: 'Monthly invoice',
  slug: 'monthly-invoice',
  html: '<h1>Invoice {{number}}</h1>',
  sample_data: { number: 'R-1001' },
  options: { format: 'A4', margin: { top: 25 } },
  footer_html: '<div style="width: 100%; text-align: center">{{number}}</div>',
  labels: { published: 1 },
  version: 2,
  created_at: at,
  updated_at: later,
}
const comparison = {
  from: 2,
  to: 3,
  changed: ['sample_data', 'options'],
  differences: [
    { path: 'sample_data.number', from: 'R-1001', to: 'R-1002' },
    { path: 'options.margin.top', from: 25, to: 30 },
  ],
}
const side = (page: number) => ({ page, width: 209.9, height: 297 })
const comparedPages = [
  { status: 'same', share: 0, boxes: [], from: side(1), to: side(1) },
  { status: 'added', share: 1, boxes: [], to: side(2) },
  {
    status: 'changed',
    share: 0.000_72,
    boxes: [{ x: 16.9, y: 205.3, width: 22.6, height: 4 }],
    from: side(2),
    to: side(3),
  },
]
const partial = {
  id: id('prt'),
  name: 'letterhead',
  html: '<header><b>Lindqvist & Marlowe</b> {{department}}</header>',
  version: 1,
  created_at: at,
  updated_at: at,
}
const asset = {
  name: 'logo.svg',
  version: 1,
  type: 'image/svg+xml',
  bytes: 93,
  sha256,
  references: [],
  created_at: at,
  updated_at: at,
}
const helper = {
  name: 'formatNumber',
  family: 'Numbers',
  signature: 'formatNumber value decimals= locale=',
  description: 'Formats a number for the locale, rounded to the decimals, by default at most three.',
  block: false,
  arguments: { min: 1, max: 1 },
  named: ['decimals', 'locale'],
  examples: [{ template: '{{formatNumber total decimals=2}}', data: { total: 1234.5 }, result: '1,234.50' }],
}
const started = { id: id('pdf'), created_at: at }
const input_kept_until = '2026-02-07T12:00:00.000Z'
const queued = { ...started, status: 'queued', poll_url: `${server}/v1/generations/${id('pdf')}` }
const completed = {
  ...started,
  status: 'completed',
  template: { id: template.id, version: 2 },
  metadata: { order: '2026-0042' },
  url: `${server}/v1/files/${id('pdf')}.pdf?expires=1769864400&signature=ueVgcE7NsbBBUMAa8yn2qgRJS_H5yy1s-q4_1hvZpqQ`,
  pages: 1,
  size: 24_817,
  duration_ms: 84,
  engine: { name: 'chromium', version: '156.0.8078.108', mode: 'static' },
  warnings: [],
}
const step = { step: 'merge', bytes: 61_204, sha256, ms: 38 }
const engine = { name: 'pdf-tools', version: '0.1.0', mode: 'tools' }
const { template: _template, ...untitled } = completed
const merged = { ...untitled, operation: 'merge', engine, pages: 3, size: step.bytes, steps: [step] }
const ofTool: Record<string, object> = { 200: merged, 202: queued }
const batch = {
  id: id('bat'),
  status: 'running',
  created_at: at,
  total: 2_000,
  counts: { queued: 1_240, rendering: 12, completed: 747, failed: 1, cancelled: 0 },
  metadata: { run: 'january' },
}
const endedBatch = {
  ...batch,
  status: 'completed',
  counts: { queued: 0, rendering: 0, completed: 1_999, failed: 1, cancelled: 0 },
  ended_at: later,
}
const acceptedBatch = { ...batch, counts: { queued: 2_000, rendering: 0, completed: 0, failed: 0, cancelled: 0 } }
const batchItems = [
  {
    index: 1,
    generation_id: id('pdf'),
    status: 'completed',
    file_name: 'Ticket Ada',
    metadata: { run: 'january' },
    url: completed.url,
    pages: 1,
    size: 24_817,
  },
  {
    index: 2,
    generation_id: 'pdf_01k9x2v7w300002f0g2h4j6k8m',
    status: 'failed',
    error: { code: 'RENDER_FAILED', message: 'The page has crashed' },
  },
]
const delivery = {
  id: id('msg'),
  generation_id: id('pdf'),
  type: 'generation.completed',
  url: 'https://shop.example.com/webhooks',
  status: 'succeeded',
  created_at: at,
  attempts: [{ attempt: 1, at, status: 204, duration_ms: 98 }],
}
const redelivered = { ...delivery, status: 'pending', next_attempt_at: later }
const failedOnce = { ...redelivered, attempts: [{ attempt: 1, at, status: 503, duration_ms: 98, response: 'busy' }] }
const sent = JSON.stringify({ type: delivery.type, data: { id: delivery.generation_id, status: 'completed' } })
const apiKey = {
  id: id('key'),
  owner_id: 'own_default',
  name: 'shop',
  prefix: 'pk_XCVe',
  scopes: ['generate', 'generations:read'],
  status: 'active',
  created_at: at,
  last_used_at: later,
}
const owner = { id: id('own'), name: 'Acme', status: 'active', created_at: at }
const instance = 'single-node@print-1:4711-9f3c2a71d05be846'
const status = {
  at: later,
  generations: {
    accepted: 131,
    queued: { interactive: 0, batch: 119 },
    rendering: 12,
    last_hour: { completed: 8_412, failed: 3, cancelled: 1, failures: [{ code: 'RENDER_TIMEOUT', count: 3 }] },
  },
  not_checked: [],
  deployment: 'dep_5x0w8z7v3d2e8f0g2h4j6k8m0a',
  attention: [
    {
      level: 'wrong',
      what: 'dead letters',
      found: '1 message could not be handled: it crashed',
      remedy: 'dead-letters list, dead-letters retry, dead-letters drop',
    },
  ],
  alerts: [
    { alert: 'PlatenDeadLetters', severity: 'warning', state: 'active', for_s: 300, found: ['1 dead letters'] },
    {
      alert: 'PlatenAppendsFail',
      severity: 'critical',
      state: 'not_evaluated',
      for_s: 300,
      found: [],
      reason: 'it needs counters over time, which Prometheus keeps',
    },
  ],
  engines: [
    { engine: 'NATS', ok: true },
    { engine: 'event store', ok: true },
    { engine: 'object store', ok: true },
  ],
  processes: [
    {
      instance,
      program: 'single-node',
      state: 'running',
      ready: true,
      silent: false,
      reasons: [],
      services: ['template', 'renderer', 'notifier', 'gateway'],
      version: '0.1.0',
      host: 'print-1',
      pid: 4711,
      started_at: at,
      seen_at: later,
      browsers: [
        { mode: 'static', up: true, documents: 4_210, memory_bytes: 412_000_000, mean_ms: 84 },
        { mode: 'scripted', up: true, documents: 310, memory_bytes: 380_000_000, mean_ms: 310 },
      ],
    },
  ],
  services: [
    { service: 'gateway', processes: 1 },
    { service: 'template', processes: 1 },
    { service: 'renderer', processes: 1 },
    { service: 'notifier', processes: 1 },
  ],
  queues: [
    { priority: 'interactive', waiting: 0, in_progress: 4 },
    { priority: 'batch', waiting: 8, in_progress: 8, oldest_at: later },
    { priority: 'backlog', waiting: 111, in_progress: 0, oldest_at: later },
    { priority: 'tools-interactive', waiting: 0, in_progress: 0 },
    { priority: 'tools-batch', waiting: 0, in_progress: 1, oldest_at: later },
    { priority: 'tools-backlog', waiting: 0, in_progress: 0 },
  ],
  consumers: [
    {
      stream: 'EVENTS',
      consumer: 'accounting',
      own: false,
      pending: 12,
      unacknowledged: 1,
      redelivered: 0,
      last_active_at: later,
      read: true,
    },
  ],
  relays: [{ relay: 'renderer', state: 'caught_up', behind: 0, held_by: instance, last_at: later }],
  views: [{ process: instance, view: 'requests', lag_s: 0 }],
  deliveries: { pending: 2, overdue_s: 0, receivers_failing: 0, receivers_disabled: 0 },
  dead_letters: { count: 1, reasons: [{ reason: 'it crashed', count: 1 }] },
  disks: [{ host: 'print-1', path: '/var/lib/platen', free_bytes: 81_604_378_624, total_bytes: 105_089_261_568 }],
  last_backup: { at, where: '/srv/backup' },
}
const deadLetter = {
  id: '42',
  at: later,
  kind: 'render',
  owner_id: 'own_default',
  generation_id: id('pdf'),
  subject: `commands.render.batch.own_default.${id('pdf')}`,
  reason: 'the handler failed 5 times: it crashed',
  attempts: 5,
  bytes: 1_204,
}
const letters = { dry_run: true, count: 2, ids: ['41', '42'], done: [], kept: [] }
const recordedEvent = {
  position: '18.5c1e0fd29a7b3846.5e0c1c0e',
  id: '5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2',
  stream: `generation-${id('pdf')}`,
  revision: 1,
  category: 'generation',
  type: 'GenerationStarted',
  at,
  recorded_at: at,
  what: 'rendering started, by renderer@print-1:4711-9f3c2a71d05be846',
  request_id: id('req'),
  command_id: '6f2c1d4e-8b3a-4c5d-9e7f-0a1b2c3d4e5f',
  data: { renderer: 'renderer@print-1:4711-9f3c2a71d05be846' },
}
const timeline = {
  generation_id: id('pdf'),
  status: 'completed',
  accepted_at: at,
  duration_ms: 212,
  renderer: 'renderer@print-1:4711-9f3c2a71d05be846',
  attempts: 1,
  queue_ms: 4,
  warnings: [],
  request_ids: [id('req')],
  command_ids: ['6f2c1d4e-8b3a-4c5d-9e7f-0a1b2c3d4e5f'],
  spans: [
    { name: 'queued', start_at: at, offset_ms: 0, duration_ms: 4 },
    { name: 'attempt', attempt: 1, start_at: '2026-01-31T12:00:00.004Z', offset_ms: 4, duration_ms: 90 },
    { name: 'template', attempt: 1, start_at: '2026-01-31T12:00:00.004Z', offset_ms: 4, duration_ms: 3 },
    { name: 'print', attempt: 1, start_at: '2026-01-31T12:00:00.007Z', offset_ms: 7, duration_ms: 69 },
    { name: 'store', attempt: 1, start_at: '2026-01-31T12:00:00.076Z', offset_ms: 76, duration_ms: 18 },
    { name: 'webhook', attempt: 1, start_at: '2026-01-31T12:00:00.114Z', offset_ms: 114, duration_ms: 98, status: 204 },
  ],
  events: [
    {
      at,
      offset_ms: 0,
      since_previous_ms: 0,
      type: 'GenerationRequested',
      subject: id('pdf'),
      what: 'request accepted, key key_5x0w8z7v3d2e8f0g2h4j6k8m0a',
      revision: 0,
      request_id: id('req'),
      event_id: '5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2',
      command_id: '6f2c1d4e-8b3a-4c5d-9e7f-0a1b2c3d4e5f',
    },
  ],
  notes: [],
}
const made = { request_id: id('req'), api_key_id: apiKey.id }

/** The body of a successful answer, by the name of its schema. */
const ofSchema: Record<string, unknown> = {
  Liveness: { status: 'ok' },
  Readiness: {
    status: 'ok',
    checks: { nats: 'ok', streams: 'ok', event_store: 'ok', object_store: 'ok', disk: 'ok', views: 'ok' },
  },
  Template: template,
  TemplatePage: { data: [template], next_cursor },
  TemplateVersionPage: {
    data: [
      {
        version: 2,
        created_at: later,
        change: 'updated',
        changed: ['html'],
        labels: [],
        ...made,
        api_key_name: apiKey.name,
      },
      {
        version: 1,
        created_at: at,
        change: 'created',
        labels: ['published'],
        ...made,
        api_key_name: apiKey.name,
        changed: ['name', 'html', 'sample_data', 'options', 'footer_html'],
      },
    ],
  },
  TemplateComparison: comparison,
  TemplateLabelsResponse: { labels: { published: 1 } },
  HelperList: { data: [helper] },
  Asset: asset,
  AssetPage: { data: [asset] },
  AssetVersionPage: { data: [{ version: 1, type: asset.type, bytes: asset.bytes, sha256, created_at: at }] },
  AssetUsage: {
    templates: [
      { id: template.id, slug: template.slug, version: 2, newest: true, labels: ['published'], asset_version: 1 },
    ],
    style_sheets: ['print.css'],
    counts: { templates: 1, style_sheets: 1 },
  },
  Partial: partial,
  PartialPage: { data: [partial] },
  PartialVersionPage: { data: [{ version: 1, status: 'active', created_at: at, html_sha256: sha256 }] },
  PartialUsage: {
    templates: [
      {
        id: template.id,
        slug: template.slug,
        version: 2,
        newest: true,
        labels: ['published'],
        partial_version: 1,
        follows: false,
      },
    ],
    partials: [],
    counts: { templates: 1, partials: 0 },
  },
  DeletedPartial: { id: partial.id, name: partial.name, templates: 0, partials: 0 },
  Generation: completed,
  Erasure: { generation_id: id('pdf'), erased_at: later, objects: 2, dead_letters: 0, sha256 },
  GenerationPage: {
    data: [
      { ...queued, retry_of: 'pdf_01k9x2v7w300002f0g2h4j6k8m' },
      { ...completed, file_name: 'Ticket Ada', batch: { id: id('bat'), index: 1 }, input_kept_until },
      merged,
    ],
    next_cursor,
  },
  Batch: endedBatch,
  BatchPage: { data: [endedBatch], next_cursor },
  BatchItemPage: { data: batchItems, next_cursor },
  DeliveryList: { data: [delivery] },
  DeliveryPage: { data: [delivery, { ...failedOnce, id: 'msg_01k9x2v7w300002f0g2h4j6k8m' }], next_cursor },
  Delivery: { ...failedOnce, body: sent },
  RedeliverResult: { redelivered: 3 },
  WebhookSecret: { secret: 'whsec_uvnnPupMLHXnVMtB165mN6lT8ZoperJMi4YCHz6ea+k=' },
  WebhookTestResult: { id: id('msg'), status: 204, duration_ms: 39, response: '' },
  Session: {
    api_key: { id: apiKey.id, name: apiKey.name, scopes: apiKey.scopes },
    owner: { id: owner.id, name: owner.name },
    expires_at: later,
  },
  ApiKey: apiKey,
  ApiKeyPage: { data: [apiKey] },
  ApiKeyWithSecret: { ...apiKey, key: 'pk_XCVeS6UrEyLtGFF4uSMYhjYES5pdQKkZOAjiiop5VjT' },
  Owner: owner,
  Status: status,
  RecordedEvent: recordedEvent,
  EventPage: { data: [recordedEvent], next_cursor: recordedEvent.position },
  StreamEventPage: { data: [recordedEvent], next_cursor: '1' },
  EventCategoryList: {
    data: [{ category: 'owner', stream: 'owner-own_default', types: ['OwnerCreated', 'OwnerRenamed'] }],
  },
  DeadLetter: { ...deadLetter, body: '{"type":"RenderPdf","data":{}}', body_truncated: false },
  DeadLetterPage: { data: [deadLetter], next_cursor },
  DeadLettersResult: letters,
  GenerationTimeline: timeline,
  OwnerPage: { data: [owner] },
}

/** Where an operation answers with another state than most with its schema: by its id and status. */
const ofOperation: Record<string, unknown> = {
  'readyz 503': {
    status: 'unavailable',
    checks: { nats: 'ok', streams: 'ok', event_store: 'unavailable', object_store: 'ok', disk: 'ok', views: 'ok' },
  },
  'generate 202': queued,
  'createBatch 202': acceptedBatch,
  'compareGenerations 200': { from: id('pdf'), to: 'pdf_01k9x2v7w3d5e8f0g2h4j6k8m1', pages: comparedPages },
  'compareTemplatePages 200': {
    ...comparison,
    pages: comparedPages,
    printed: {
      from: { pages: 2, warnings: [] },
      to: { pages: 3, warnings: [] },
      engine: { name: 'chromium', version: '156.0.8078.108', mode: 'static' },
      duration_ms: 412,
    },
  },
  'cancelBatch 202': { ...batch, status: 'cancelling' },
  'retryGeneration 202': { ...queued, retry_of: 'pdf_01k9x2v7w300002f0g2h4j6k8m', input_kept_until },
  'cancelGeneration 200': { ...started, status: 'cancelled' },
  'redeliverGeneration 202': { data: [redelivered] },
  'redeliverDelivery 202': { ...redelivered, body: sent },
}

type Content = Record<string, { schema?: { $ref?: string }; example?: unknown; examples?: unknown }>
type Operation = { operationId?: string; responses?: Record<string, { content?: Content }> }

/** Adds an example to each successful JSON answer. `examples.test.ts` compares them with real answers. */
export function addAnswerExamples(document: Node): Node {
  const paths = document.paths as Record<string, Record<string, Operation>>
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ ...operation, path })),
  )
  for (const { path, operationId, responses = {} } of operations) {
    const [, tool] = /^\/v1\/pdf\/(\w+)$/.exec(path) ?? []
    for (const [status, { content }] of Object.entries(responses)) {
      const json = content?.['application/json']
      const schema = json?.schema?.$ref?.split('/').at(-1) ?? ''
      const made = tool === undefined ? undefined : ofTool[status]
      const ofResult = made && { ...made, operation: tool }
      const example = ofOperation[`${operationId} ${status}`] ?? ofResult ?? ofSchema[schema]
      if (json && example !== undefined) json.example = example
    }
  }
  return document
}
