import type { DeliveryScheduled } from '@platen/domain/delivery/delivery-events.ts'
import type { FileWebhook } from '@platen/domain/generation/file-webhook.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { type GotenbergAnswer, gotenbergFailure } from '@platen/domain/generation/gotenberg-answer.ts'
import { endingOf } from '@platen/domain/generation/job-details.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { contentDisposition } from '@platen/foundation/net/content-disposition.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'

type Request = Pick<DeliveryScheduled['data'], 'body' | 'method' | 'headers' | 'object_key'> & { webhook_url: string }

/**
 * The requests at the end of a generation of a client of Gotenberg: the file to its URL, or the status and message of the failure
 * to that for errors, and an event of either. https://gotenberg.dev/docs/webhook
 */
export function fileWebhooks(
  { time, traceparent }: Pick<CloudEvent, 'time' | 'traceparent'>,
  outcome: GenerationOutcome,
  webhook: FileWebhook,
): Request[] {
  const { url, method, error_url, error_method, events_url, trace } = webhook
  const headers = { ...webhook.headers, ...defined({ traceparent }) }
  const json = { ...headers, 'content-type': 'application/json' }
  const event = (fields: object): Request[] => {
    if (events_url === undefined) return []
    const body = stringifyExact({ ...fields, correlationId: trace, timestamp: time })
    return [{ webhook_url: events_url, body, method: 'POST', headers: json }]
  }
  const failure = (answer: GotenbergAnswer): Request[] => {
    const failed = event({ event: 'webhook.error', error: answer })
    if (error_url === undefined) return failed
    return [{ webhook_url: error_url, body: stringifyExact(answer), method: error_method, headers: json }, ...failed]
  }
  if (outcome.type === 'GenerationCompleted') {
    const { object_key, media_type = 'application/pdf' } = outcome.data
    if (media_type === 'application/json') return failure(notFiles)
    const name = `${webhook.file_name}.${endingOf(media_type)}`
    const own = { 'content-disposition': contentDisposition(name, 'attachment'), ...headers }
    const sent = { ...own, 'content-type': media_type }
    const body = stringifyExact({ type: 'generation.completed' })
    return [{ webhook_url: url, body, method, headers: sent, object_key }, ...event({ event: 'webhook.success' })]
  }
  if (outcome.type === 'GenerationFailed') return failure(gotenbergFailure(outcome.data, webhook.quoted))
  return failure({ status: 409, message: 'The generation was cancelled' })
}

/** What is read of a PDF is no file. */
const notFiles = {
  status: 400,
  message: 'The webhook middleware can only work with multipart/form-data routes that results in output files',
}
