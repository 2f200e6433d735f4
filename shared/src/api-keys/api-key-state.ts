import type { ApiKeyEvent, Scope } from '../contracts/api-key.ts'

export type ApiKeyState =
  | { status: 'absent' }
  | {
      status: 'active' | 'revoked'
      name: string
      sha256: string
      prefix: string
      scopes: Scope[]
      /** Which of the key's webhook secrets signs; counts from 1. */
      webhookSecretGeneration: number
    }

export function evolveApiKey(key: ApiKeyState, event: ApiKeyEvent): ApiKeyState {
  if (event.type === 'ApiKeyIssued') return { status: 'active', ...event.data, webhookSecretGeneration: 1 }
  if (key.status === 'absent') return key
  switch (event.type) {
    case 'ApiKeyRevoked':
      return { ...key, status: 'revoked' }
    case 'WebhookSecretRotated':
      return { ...key, webhookSecretGeneration: event.data.generation }
  }
}
