import { readFileSync } from 'node:fs'
import tls from 'node:tls'

/** The certificates of the file that a setting names, beside those that Node.js trusts. Throws an error with one line. */
export function readCertificates(setting: string, caFile: string): string[] {
  const pem = read(setting, caFile)
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${setting}: ${caFile} has no certificate in PEM`)
  // Missing in Node.js 20, where the bundled certificates are the default ones.
  const { getCACertificates }: Partial<typeof tls> = tls
  return [...(getCACertificates?.('default') ?? tls.rootCertificates), pem]
}

function read(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${setting} cannot be read: ${path}`, { cause })
  }
}
