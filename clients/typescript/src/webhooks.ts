import type { components } from './api-types.ts'
import { joined } from './joined.ts'
import { type HmacKey, webCrypto } from './web-crypto.ts'

type Schemas = components['schemas']

/** The body of a webhook. Later versions of Platen may send other types. */
export type GenerationWebhook =
  | Schemas['GenerationCompletedWebhook']
  | Schemas['GenerationFailedWebhook']
  | Schemas['GenerationCancelledWebhook']

export interface VerifyOptions {
  /** How far the time of the webhook may be from that of this machine, in seconds. Default: 300. */
  toleranceS?: number | undefined
}

/** The headers of the request: a `Headers`, or the `headers` of Node's `IncomingMessage`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

/** The request is not a webhook of this Platen, or it is too old: answer with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const encoder = new TextEncoder()
const defaultToleranceS = 300

/**
 * Verifies the signature and the time of a webhook (Standard Webhooks 1.0.0). `body` is the request body as it was received,
 * not parsed. `secrets`: `whsec_…`, or several while a secret is rotated. Throws a WebhookVerificationError; a TypeError if a
 * secret is malformed. Signatures are compared in constant time, by Web Crypto.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceS = defaultToleranceS }: VerifyOptions = {},
): Promise<GenerationWebhook> {
  const keys = await Promise.all([secrets].flat().map(importSecret))
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    return headerOf(headers, name) ?? refuse(`the header ${name} is missing`)
  }) as [string, string, string]
  if (!/^\d{1,12}$/.test(timestamp)) refuse('webhook-timestamp is not a number of seconds')
  const ageS = Date.now() / 1_000 - Number(timestamp)
  if (Math.abs(ageS) > toleranceS)
    refuse(`webhook-timestamp is more than ${toleranceS} s ${ageS > 0 ? 'old' : 'ahead'}`)

  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), bytes)
  if (!(await isSigned(signed, signatures, keys))) refuse('no signature is of the given secret')
  return JSON.parse(new TextDecoder().decode(bytes))
}

function refuse(reason: string): never {
  throw new WebhookVerificationError(`The webhook is not accepted: ${reason}`)
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(value) ? value.join(' ') : value
}

async function importSecret(secret: string): Promise<HmacKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (!bytes?.length) throw new TypeError('A webhook secret must be whsec_ and base64')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return (await webCrypto()).subtle.importKey('raw', bytes, algorithm, false, ['verify'])
}

/** Whether one of the signatures, such as `v1,K5oZ… v1,9pj2…`, is of one of the keys. */
async function isSigned(signed: Uint8Array<ArrayBuffer>, signatures: string, keys: HmacKey[]): Promise<boolean> {
  const { subtle } = await webCrypto()
  for (const signature of signatures.split(' ')) {
    const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined
    if (!bytes) continue
    for (const key of keys) if (await subtle.verify('HMAC', key, bytes, signed)) return true
  }
  return false
}

/** Undefined for what is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
