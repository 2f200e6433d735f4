import type { FileWebhook } from '@platen/domain/generation/file-webhook.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import t from 'tap'
import { fileWebhooks } from './file-webhooks.ts'

const webhook: FileWebhook = {
  url: 'http://a/file',
  method: 'PUT',
  error_url: 'http://a/error',
  error_method: 'POST',
  events_url: 'http://a/events',
  headers: { 'x-a': '1' },
  trace: 'mine',
  file_name: 'foo',
  quoted: { expression: 'a' },
}
const event = { time: '2026-01-31T12:00:00.000Z' }
const completed = (media_type?: string) =>
  ({
    type: 'GenerationCompleted',
    data: { object_key: 'pdfs/1', ...(media_type && { media_type }) },
  }) as GenerationOutcome
const parsed = (body: string | undefined) => JSON.parse(body ?? 'null')

t.test('a completed generation sends its file, with the name for its type, and an event', async (t) => {
  const [file, told] = fileWebhooks(event, completed('application/zip'), webhook)
  t.match(file, { webhook_url: 'http://a/file', method: 'PUT', object_key: 'pdfs/1' })
  const disposition = 'attachment; filename="foo.zip"'
  t.match(file?.headers, { 'x-a': '1', 'content-type': 'application/zip', 'content-disposition': disposition })
  t.same(parsed(told?.body), { event: 'webhook.success', correlationId: 'mine', timestamp: event.time })
  const named = fileWebhooks(event, completed(), { ...webhook, file_name: '報告' })[0]?.headers
  t.match(
    named,
    { 'content-disposition': /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''%E5/ },
    'HTTP has no other characters',
  )
  const inline = { ...webhook, headers: { 'content-disposition': 'inline' } }
  t.match(fileWebhooks(event, completed(), inline)[0]?.headers, { 'content-disposition': 'inline' })
})

t.test('a failed generation sends its status and message, and an event, and no file', async (t) => {
  const data = { code: 'RENDER_FAILED', message: 'x', details: { refused: 'expression' } }
  const outcome = { type: 'GenerationFailed', data } as GenerationOutcome
  const error = { status: 400, message: "The expression 'a' (waitForExpression) returned an exception or undefined" }
  const [failure, told] = fileWebhooks(event, outcome, webhook)
  t.match(failure, { webhook_url: 'http://a/error', method: 'POST' })
  t.same(parsed(failure?.body), error)
  t.match(parsed(told?.body), { event: 'webhook.error', error })
  const { error_url: _, events_url: __, ...bare } = webhook
  t.same(fileWebhooks(event, outcome, bare), [])
  t.match(parsed(fileWebhooks(event, completed('application/json'), webhook)[0]?.body), { status: 400 })
})
