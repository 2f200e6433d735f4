import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import tls from 'node:tls'

const block = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** The certificates of the file that a setting names, beside those that Node.js trusts. Throws an error with one line. */
export function readCertificates(setting: string, caFile: string): string[] {
  const pem = read(setting, caFile)
  if (!hasCertificates(pem)) throw new Error(`${setting}: ${caFile} has no certificate in PEM, or a damaged one`)
  // Missing in Node.js 20, where the bundled certificates are the default ones.
  const { getCACertificates }: Partial<typeof tls> = tls
  return [...(getCACertificates?.('default') ?? tls.rootCertificates), pem]
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

function read(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${setting} cannot be read: ${path}`, { cause })
  }
}
