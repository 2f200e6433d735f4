import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Signatures of a deployment. Every key derives from SIGNING_SECRET, so none is stored. */
export interface Signing {
  /** The signature of a file's URL that is valid until `expires` (seconds since the epoch). */
  fileSignature(generationId: string, expires: number): string
  fileSignatureMatches(generationId: string, expires: number, signature: string): boolean
  /** `whsec_` + base64 of 32 bytes (Standard Webhooks). `version` counts from 1 and grows with each rotation of the owner's. */
  webhookSecret(ownerId: string, version: number): string
}

export function signingFrom(secret: string): Signing {
  // HKDF (RFC 5869) derives one key for each purpose.
  const fileKey = new Uint8Array(hkdfSync('sha256', secret, 'platen', 'file address', 32))
  const fileSignature = (generationId: string, expires: number) =>
    createHmac('sha256', fileKey).update(`${generationId}.${expires}`).digest('base64url')
  return {
    fileSignature,
    fileSignatureMatches(generationId, expires, signature) {
      const right = Buffer.from(fileSignature(generationId, expires))
      const given = Buffer.from(signature)
      return right.length === given.length && timingSafeEqual(right, given)
    },
    webhookSecret(ownerId, version) {
      const key = hkdfSync('sha256', secret, 'platen', `webhook ${ownerId} ${version}`, 32)
      return `whsec_${Buffer.from(key).toString('base64')}`
    },
  }
}
