import { type ApiKeyState, evolveApiKey } from '@platen/shared/api-keys/api-key-state.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { load } from '@platen/shared/event-store/handle-command.ts'
import type { Signing } from '@platen/shared/signing/signing.ts'

/** How long the previous secret also signs after a rotation. */
const overlapMs = 24 * 3_600_000

export interface SigningSecretsOptions {
  store: EventStore
  signing: Signing
  apiKeyId: string
  nowMs: number
}

/** The current webhook secrets of an API key, newest first. */
export async function signingSecrets({ store, signing, apiKeyId, nowMs }: SigningSecretsOptions): Promise<string[]> {
  const initialState: ApiKeyState = { status: 'absent' }
  const { state } = await load(store, { initialState, evolve: evolveApiKey }, `apikey-${apiKeyId}`)
  return signingVersions(state, nowMs).map((version) => signing.webhookSecret(apiKeyId, version))
}

function signingVersions(key: ApiKeyState, nowMs: number): number[] {
  if (key.status === 'absent') return [1]
  const { webhookSecretVersion: newest, webhookSecretRotatedAt: rotatedAt } = key
  const isRotating = newest > 1 && rotatedAt !== undefined && nowMs < Date.parse(rotatedAt) + overlapMs
  return isRotating ? [newest, newest - 1] : [newest]
}
