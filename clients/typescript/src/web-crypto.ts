type WebCrypto = typeof globalThis.crypto
export type HmacKey = Awaited<ReturnType<WebCrypto['subtle']['importKey']>>

/** Web Crypto. In Node 18 it is not a global. */
export async function webCrypto(): Promise<WebCrypto> {
  if (globalThis.crypto !== undefined) return globalThis.crypto
  // The name is in a variable, so that bundlers for browsers do not look for the module.
  const module = 'node:crypto'
  return (await import(module)).webcrypto
}

/** A random id with 128 bits, as hexadecimal digits. */
export async function randomId(): Promise<string> {
  const bytes = new Uint8Array(16)
  const crypto = await webCrypto()
  crypto.getRandomValues(bytes)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
