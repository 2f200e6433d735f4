const example = {
  type: 'generation.completed',
  timestamp: '2026-01-31T12:00:01.000Z',
  data: {
    id: 'pdf_01k9x2v7w3d5e8f0g2h4j6k8m0',
    status: 'completed',
    url: 'http://localhost:3000/v1/files/pdf_01k9x2v7w3d5e8f0g2h4j6k8m0.pdf?expires=1770465601&signature=…',
    pages: 2,
    size: 45_120,
    duration_ms: 84,
    warnings: [{ code: 'RESOURCE_FAILED', message: 'https://example.com/logo.png: not found (404)' }],
  },
}

const failedExample = {
  type: 'generation.failed',
  timestamp: '2026-01-31T12:00:01.000Z',
  data: {
    id: 'pdf_01k9x2v7w3d5e8f0g2h4j6k8m0',
    status: 'failed',
    error: { code: 'TEMPLATE_RENDER_ERROR', message: 'The template cannot be run with this data' },
  },
}

const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
})

const headers = [
  header('webhook-id', 'The same on every attempt.'),
  header('webhook-timestamp', 'Of this attempt, in seconds since the epoch.'),
  header('webhook-signature', '`v1,` + base64 of HMAC-SHA256 over `id.timestamp.body`; a list while a secret rotates.'),
]

const webhook = (summary: string, body: object) => ({
  post: {
    tags: ['Webhooks'],
    summary,
    description: 'POSTed to `webhook_url` (Standard Webhooks 1.0.0) until an answer of 2xx, over three days.',
    parameters: headers,
    requestBody: { content: { 'application/json': { example: body } } },
    responses: { '2XX': { description: 'Delivered.' } },
  },
})

/** What we send to others; `webhooks` is a field of OpenAPI 3.1. */
export const webhooks = {
  webhooks: {
    'generation.completed': webhook('A generation is done', example),
    'generation.failed': webhook('A generation failed', failedExample),
  },
}
