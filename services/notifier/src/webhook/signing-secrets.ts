import { readOwner } from '@platen/domain/owner/owners.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'

/** How long the previous secret also signs after a rotation. */
const overlapMs = 24 * 3_600_000

export interface SigningSecretsOptions {
  store: EventStore
  signing: Signing
  ownerId: string
  nowMs: number
}

/** The current webhook secrets of an owner, newest first. */
export async function signingSecrets({ store, signing, ownerId, nowMs }: SigningSecretsOptions): Promise<string[]> {
  const owner = await readOwner(store, ownerId)
  const { webhookSecretVersion: newest, webhookSecretRotatedAt: rotatedAt } =
    owner.status === 'absent' ? { webhookSecretVersion: 1 } : owner
  const isRotating = newest > 1 && rotatedAt !== undefined && nowMs < Date.parse(rotatedAt) + overlapMs
  const versions = isRotating ? [newest, newest - 1] : [newest]
  return versions.map((version) => signing.webhookSecret(ownerId, version))
}
