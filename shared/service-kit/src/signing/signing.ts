import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Signatures of a deployment. Every key derives from SIGNING_SECRET, so none is stored. */
export interface Signing {
  /** The signature of a file's URL that is valid until `expires` (seconds since the epoch). */
  fileSignature(generationId: string, expires: number): string
  fileSignatureMatches(generationId: string, expires: number, signature: string): boolean
  /** `whsec_` + base64 of 32 bytes (Standard Webhooks). `version` counts from 1 and grows with each rotation of the owner's. */
  webhookSecret(ownerId: string, version: number): string
  /** The signature of what a session of the studio states. */
  sessionSignature(statement: string): string
  sessionSignatureMatches(statement: string, signature: string): boolean
  /** The signature of the manifest of a snapshot of views. */
  snapshotSignature(manifest: string): string
  snapshotSignatureMatches(manifest: string, signature: string): boolean
}

export function signingFrom(secret: string): Signing {
  // HKDF (RFC 5869) derives one key for each purpose.
  const fileKey = new Uint8Array(hkdfSync('sha256', secret, 'platen', 'file address', 32))
  const sessionKey = new Uint8Array(hkdfSync('sha256', secret, 'platen', 'studio session', 32))
  const snapshotKey = new Uint8Array(hkdfSync('sha256', secret, 'platen', 'views snapshot', 32))
  const fileSignature = (generationId: string, expires: number) => sign(fileKey, `${generationId}.${expires}`)
  const sessionSignature = (statement: string) => sign(sessionKey, statement)
  const snapshotSignature = (manifest: string) => sign(snapshotKey, manifest)
  return {
    fileSignature,
    fileSignatureMatches: (generationId, expires, signature) =>
      isEqual(fileSignature(generationId, expires), signature),
    sessionSignature,
    sessionSignatureMatches: (statement, signature) => isEqual(sessionSignature(statement), signature),
    snapshotSignature,
    snapshotSignatureMatches: (manifest, signature) => isEqual(snapshotSignature(manifest), signature),
    webhookSecret(ownerId, version) {
      const key = hkdfSync('sha256', secret, 'platen', `webhook ${ownerId} ${version}`, 32)
      return `whsec_${Buffer.from(key).toString('base64')}`
    },
  }
}

const sign = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest('base64url')

function isEqual(right: string, given: string): boolean {
  const [one, other] = [Buffer.from(right), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
