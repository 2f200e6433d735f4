import type { ApiKeyEvent, Scope } from '../contracts/api-key.ts'

export type ApiKeyState =
  | { status: 'absent' }
  | {
      status: 'active' | 'revoked'
      name: string
      sha256: string
      prefix: string
      scopes: Scope[]
      /** The webhook secret that signs now. Counts from 1. */
      webhookSecretVersion: number
      /** ISO 8601; absent before the first rotation. The previous secret signs too for a day after it. */
      webhookSecretRotatedAt?: string
    }

export function evolveApiKey(key: ApiKeyState, event: ApiKeyEvent): ApiKeyState {
  if (event.type === 'ApiKeyIssued') return { status: 'active', ...event.data, webhookSecretVersion: 1 }
  if (key.status === 'absent') return key
  switch (event.type) {
    case 'ApiKeyRevoked':
      return { ...key, status: 'revoked' }
    case 'WebhookSecretRotated': {
      const { version, rotated_at } = event.data
      return {
        ...key,
        webhookSecretVersion: version,
        ...(rotated_at !== undefined && { webhookSecretRotatedAt: rotated_at }),
      }
    }
  }
}
