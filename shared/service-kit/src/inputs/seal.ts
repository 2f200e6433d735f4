import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const version = 1
/** Of NIST SP 800-38D, section 8.2: a random nonce of 96 bits, and a tag of 128 bits. */
const [nonceBytes, tagBytes] = [12, 16]
const headBytes = 1 + nonceBytes

/** The size of the result of `seal`. */
export const sealedBytes = (plainBytes: number): number => headBytes + plainBytes + tagBytes

/** A random key of AES-256. */
export const newSealKey = (): Buffer => randomBytes(32)

/**
 * Encrypts and authenticates bytes (AES-256-GCM). `name` is authenticated, too, so that a sealed object cannot take the place of
 * another one. The result is a version (1 byte), the nonce (12), the ciphertext and the tag (16).
 */
export function seal(plain: Uint8Array, key: Uint8Array, name: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const encrypting = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  encrypting.setAAD(Buffer.from(name))
  const text = Buffer.concat([encrypting.update(plain), encrypting.final()])
  return Buffer.concat([Buffer.from([version]), nonce, text, encrypting.getAuthTag()])
}

/** Decrypts the result of `seal`. Throws if the key, the name or a byte is another one. */
export function unseal(sealed: Uint8Array, key: Uint8Array, name: string): Buffer {
  if (sealed[0] !== version || sealed.byteLength < headBytes + tagBytes) throw new Error(`${name} is no sealed object`)
  const end = sealed.byteLength - tagBytes
  const decrypting = createDecipheriv(cipher, key, sealed.subarray(1, headBytes), { authTagLength: tagBytes })
  decrypting.setAAD(Buffer.from(name))
  decrypting.setAuthTag(sealed.subarray(end))
  return Buffer.concat([decrypting.update(sealed.subarray(headBytes, end)), decrypting.final()])
}
