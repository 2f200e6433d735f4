import type { FileWebhook, WebhookMethod } from '@platen/domain/generation/file-webhook.ts'
import type { Quoted } from '@platen/domain/generation/gotenberg-answer.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../answers/refused.ts'
import { extraHeaders } from '../form/extra-headers.ts'
import { parseJson } from '../form/parse-values.ts'

export interface Delivered {
  fileName: string
  /** The name of the header that identifies the request, and its value. */
  traceHeader: string
  trace: string
  quoted: Quoted
}

/** The webhook that the headers of a request ask for. Answers 400 for one without a URL for errors. */
export function readWebhook(
  { headers }: FastifyRequest,
  { fileName, traceHeader, trace, quoted }: Delivered,
): FileWebhook | undefined {
  const text = (name: string) => {
    const value = headers[`gotenberg-webhook-${name}`]
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
  }
  const url = text('url')
  if (url === undefined) return undefined
  const error_url = text('error-url')
  const events_url = text('events-url')
  if (error_url === undefined && events_url === undefined) {
    const names = "'Gotenberg-Webhook-Error-Url' or 'Gotenberg-Webhook-Events-Url'"
    refuse(400, `At least one of ${names} headers must be provided`)
  }
  return {
    url,
    method: methodOf('Gotenberg-Webhook-Method', text('method')),
    ...defined({ error_url }),
    error_method: methodOf('Gotenberg-Webhook-Error-Method', text('error-method')),
    ...defined({ events_url }),
    headers: { ...headersOf(text('extra-http-headers')), [traceHeader.toLowerCase()]: trace },
    trace,
    file_name: fileName.replaceAll(/["\\]/g, '_'),
    quoted: { ...quoted },
  }
}

function methodOf(name: string, given = 'POST'): WebhookMethod {
  const method = given.toUpperCase()
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') return method
  return refuse(400, `Invalid '${name}' header value: expected either 'POST', 'PATCH' or 'PUT', but got '${given}'`)
}

function headersOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  try {
    return extraHeaders(parseJson(text))
  } catch (err) {
    const reason = (err as Error).message
    return refuse(400, `Invalid 'Gotenberg-Webhook-Extra-Http-Headers' header value: ${reason}`)
  }
}
