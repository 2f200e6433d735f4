import { createHmac } from 'node:crypto'

export interface WebhookMessage {
  id: string
  /** The time of this attempt, in seconds since the epoch. */
  timestampS: number
  body: string | Uint8Array
  /** `whsec_…`, newest first. More than one while a secret rotates. */
  secrets: readonly string[]
}

/** The three headers of Standard Webhooks 1.0.0 (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md). */
export function webhookHeaders({ id, timestampS, body, secrets }: WebhookMessage): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampS}.`).update(body).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': signatures.join(' '),
  }
}
