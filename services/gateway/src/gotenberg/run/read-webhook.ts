import type { FileWebhook, WebhookMethod } from '@platen/domain/generation/file-webhook.ts'
import type { Quoted } from '@platen/domain/generation/gotenberg-answer.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../answers/refused.ts'
import { parseJson } from '../form/parse-values.ts'

/** Headers of the connection and of the file, which a client must not set. */
const reserved = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer'])
const maxHeaders = 64

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
    ...(error_url !== undefined && { error_url }),
    error_method: methodOf('Gotenberg-Webhook-Error-Method', text('error-method')),
    ...(events_url !== undefined && { events_url }),
    headers: { ...extraHeaders(text('extra-http-headers')), [traceHeader.toLowerCase()]: trace },
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

function extraHeaders(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  const invalid = (reason: string) =>
    refuse(400, `Invalid 'Gotenberg-Webhook-Extra-Http-Headers' header value: ${reason}`)
  try {
    const value = parseJson(text)
    if (!isJsonObject(value) || Object.keys(value).length > maxHeaders) return invalid('it must be an object of texts')
    const entries = Object.entries(value).map(([name, field]) => [name.toLowerCase(), String(field)] as const)
    const isAllowed = ([name, field]: readonly [string, string]) =>
      /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(field) && !reserved.has(name)
    const wrong = entries.find((entry) => !isAllowed(entry))
    return wrong ? invalid(`the header '${wrong[0]}' cannot be sent`) : Object.fromEntries(entries)
  } catch (err) {
    if (!(err instanceof Error) || err.name === 'Refused') throw err
    return invalid(err.message)
  }
}
