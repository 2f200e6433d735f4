import { readFileSync } from 'node:fs'
import tls from 'node:tls'

/** The certificates of the file beside those that Node.js trusts by default. Throws an error with one line. */
export function readCertificates(caFile: string): string[] {
  const pem = read(caFile)
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) {
    throw new Error(`OBJECT_STORE_CA: ${caFile} has no certificate in PEM`)
  }
  // Missing in Node.js 20, where the bundled certificates are the default ones.
  const { getCACertificates }: Partial<typeof tls> = tls
  return [...(getCACertificates?.('default') ?? tls.rootCertificates), pem]
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`OBJECT_STORE_CA cannot be read: ${path}`, { cause })
  }
}
