import { readOwner } from '@platen/domain/owner/owners.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'

/** How long a secret also signs after it was replaced. */
const overlapMs = 24 * 3_600_000

export interface SigningSecretsOptions {
  store: EventStore
  signing: Signing
  ownerId: string
  nowMs: number
}

/** The webhook secrets of an owner, newest first: the current one, and those replaced within the last day. */
export async function signingSecrets({ store, signing, ownerId, nowMs }: SigningSecretsOptions): Promise<string[]> {
  const owner = await readOwner(store, ownerId)
  const { webhookSecretVersion: newest, webhookSecretRotations: rotations } =
    owner.status === 'absent' ? { webhookSecretVersion: 1, webhookSecretRotations: [] } : owner
  const replaced = rotations.flatMap((at, index) => (nowMs < Date.parse(at) + overlapMs ? [newest - 1 - index] : []))
  return [newest, ...replaced].map((version) => signing.webhookSecret(ownerId, version))
}
