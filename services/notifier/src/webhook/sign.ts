import { createHmac, type Hmac } from 'node:crypto'

export interface WebhookMessage {
  id: string
  /** The time of this attempt, in seconds since the epoch. */
  timestampS: number
  body: string | Uint8Array
  /** `whsec_…`, newest first. More than one while a secret rotates. */
  secrets: readonly string[]
}

/** The three headers of Standard Webhooks 1.0.0 (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md). */
export function webhookHeaders({ body, ...message }: WebhookMessage): Record<string, string> {
  const signature = new Signature(message)
  signature.update(body)
  return signature.headers()
}

/** The same headers for a body of any size, which is not in memory as a whole; and its size in bytes. */
export async function signParts(
  message: Omit<WebhookMessage, 'body'>,
  parts: AsyncIterable<Uint8Array>,
): Promise<{ headers: Record<string, string>; size: number }> {
  const signature = new Signature(message)
  let size = 0
  for await (const part of parts) {
    size += part.length
    signature.update(part)
  }
  return { headers: signature.headers(), size }
}

class Signature {
  readonly #id: string
  readonly #timestampS: number
  readonly #hmacs: Hmac[]

  constructor({ id, timestampS, secrets }: Omit<WebhookMessage, 'body'>) {
    this.#id = id
    this.#timestampS = timestampS
    this.#hmacs = secrets.map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
      return createHmac('sha256', key).update(`${id}.${timestampS}.`)
    })
  }

  update(part: string | Uint8Array): void {
    for (const hmac of this.#hmacs) hmac.update(part)
  }

  headers(): Record<string, string> {
    return {
      'webhook-id': this.#id,
      'webhook-timestamp': String(this.#timestampS),
      'webhook-signature': this.#hmacs.map((hmac) => `v1,${hmac.digest('base64')}`).join(' '),
    }
  }
}
