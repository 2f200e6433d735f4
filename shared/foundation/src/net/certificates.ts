import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

const block = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/**
 * Throws an error with one line if the file of NODE_EXTRA_CA_CERTS cannot be used. Node.js trusts its certificates beside the
 * public ones; of a wrong file it only warns, and then no server of that authority is trusted.
 */
export function checkExtraCertificates(path: string): void {
  if (hasCertificates(read(path))) return
  throw new Error(`NODE_EXTRA_CA_CERTS: ${path} has no certificate in PEM, or a damaged one`)
}

/** Whether a text has certificates in PEM, and all of them can be read: OpenSSL ignores the damaged ones in silence. */
export function hasCertificates(pem: string): boolean {
  const blocks = pem.match(block) ?? []
  return blocks.length > 0 && blocks.every(isCertificate)
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`NODE_EXTRA_CA_CERTS cannot be read: ${path}`, { cause })
  }
}
