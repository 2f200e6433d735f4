const generationUrl = 'http://localhost:3000/v1/generations/pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'

const details = {
  created_at: '2026-01-31T12:00:00.000Z',
  api_key_id: 'key_5x0w8z7v3d2e8f0g2h4j6k8m0a',
  template: { id: 'tpl_01k9x2v7w3d5e8f0g2h4j6k8m0', version: 3, slug: 'monthly-invoice' },
  metadata: { order: '2026-0042' },
  file_name: 'Invoice 2026-0042.pdf',
}

const completedExample = {
  type: 'generation.completed',
  timestamp: '2026-01-31T12:00:01.000Z',
  data: {
    id: 'pdf_01k9x2v7w3d5e8f0g2h4j6k8m0',
    status: 'completed',
    ...details,
    url: 'http://localhost:3000/v1/files/pdf_01k9x2v7w3d5e8f0g2h4j6k8m0.pdf?expires=1770465601&signature=…',
    url_expires_at: '2026-02-07T12:00:01.000Z',
    pages: 2,
    size: 45_120,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    duration_ms: 84,
    warnings: [{ code: 'RESOURCE_FAILED', message: 'https://example.com/logo.png: not found (404)' }],
    generation_url: generationUrl,
  },
}

const failedExample = {
  type: 'generation.failed',
  timestamp: '2026-01-31T12:00:01.000Z',
  data: {
    id: 'pdf_01k9x2v7w3d5e8f0g2h4j6k8m0',
    status: 'failed',
    ...details,
    error: { code: 'TEMPLATE_RENDER_ERROR', message: 'The template cannot be run with this data' },
    generation_url: generationUrl,
  },
}

const cancelledExample = {
  type: 'generation.cancelled',
  timestamp: '2026-01-31T12:00:01.000Z',
  data: { id: 'pdf_01k9x2v7w3d5e8f0g2h4j6k8m0', status: 'cancelled', ...details, generation_url: generationUrl },
}

const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
})

const headers = [
  header('webhook-id', 'Identifies the delivery: the same on every attempt.'),
  header('webhook-timestamp', 'Time of this attempt, in seconds since the epoch.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. Several, separated by spaces, while a secret rotates.',
  ),
]

const webhook = (summary: string, body: object) => ({
  post: {
    tags: ['Webhooks'],
    summary,
    description:
      'Sent as a POST to `webhook_url` (Standard Webhooks 1.0.0). Retried for three days until the receiver answers 2xx.',
    parameters: headers,
    requestBody: { content: { 'application/json': { example: body } } },
    responses: { '2XX': { description: 'The delivery succeeded and is not repeated.' } },
  },
})

/** The `webhooks` object of the OpenAPI document: requests that Platen sends. */
export const webhooks = {
  'generation.completed': webhook('A generation is completed', completedExample),
  'generation.failed': webhook('A generation has failed', failedExample),
  'generation.cancelled': webhook('A generation was cancelled', cancelledExample),
}
