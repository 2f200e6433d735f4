import type { ApiKeyState } from '@platen/domain/api-key/api-key.ts'
import { readApiKey } from '@platen/domain/api-key/api-keys.ts'
import type { OwnerState } from '@platen/domain/owner/owner.ts'
import { defaultOwnerId } from '@platen/domain/owner/owner-contract.ts'
import { readOwner } from '@platen/domain/owner/owners.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'

/** How long the previous secret also signs after a rotation. */
const overlapMs = 24 * 3_600_000

export interface SigningSecretsOptions {
  store: EventStore
  signing: Signing
  /** Undefined: the owner of the API key. */
  ownerId: string | undefined
  apiKeyId: string
  nowMs: number
}

/** The current webhook secrets of an owner, newest first. */
export async function signingSecrets(options: SigningSecretsOptions): Promise<string[]> {
  const { store, signing, apiKeyId, nowMs } = options
  const key = await readApiKey(store, apiKeyId)
  const ownerId = options.ownerId ?? (key.status === 'absent' ? defaultOwnerId : key.ownerId)
  const owner = await readOwner(store, ownerId)
  return [
    ...currentVersions(ownerSecret(owner), nowMs).map((version) => signing.webhookSecret(ownerId, version)),
    ...currentVersions(keySecret(key, owner, nowMs), nowMs).map((version) => signing.webhookSecret(apiKeyId, version)),
  ]
}

interface Secret {
  version: number
  rotatedAt?: string
}

function ownerSecret(owner: OwnerState): Secret {
  if (owner.status === 'absent') return { version: 1 }
  const { webhookSecretVersion: version, webhookSecretRotatedAt: rotatedAt } = owner
  return { version, ...(rotatedAt !== undefined && { rotatedAt }) }
}

/**
 * Receivers know the secret that a key of versions without owners had. It counts as the one before the owner's first, so
 * it also signs until a day after the owner's first rotation.
 */
function keySecret(key: ApiKeyState, owner: OwnerState, nowMs: number): Secret | undefined {
  if (key.status === 'absent') return undefined
  return currentVersions(ownerSecret(owner), nowMs).includes(1) ? key.ownWebhookSecret : undefined
}

function currentVersions(secret: Secret | undefined, nowMs: number): number[] {
  if (secret === undefined) return []
  const { version: newest, rotatedAt } = secret
  const isRotating = newest > 1 && rotatedAt !== undefined && nowMs < Date.parse(rotatedAt) + overlapMs
  return isRotating ? [newest, newest - 1] : [newest]
}
