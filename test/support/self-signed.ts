import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

export interface Certificate {
  key: string
  cert: string
  /** The file of `cert`. It is its own CA. */
  certPath: string
}

/** A self-signed certificate for 127.0.0.1, or for another host; undefined without openssl. */
export function selfSigned(
  t: Test,
  { host, expired = false }: { host?: string; expired?: boolean } = {},
): Certificate | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'platen-certificate-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const [key, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = host === undefined ? 'IP:127.0.0.1' : `DNS:${host}`
  const subject = ['-subj', `/CN=${host ?? '127.0.0.1'}`, '-addext', `subjectAltName=${names}`]
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  const made = spawnSync('openssl', ['req', ...form, ...subject, '-keyout', key, '-out', certPath])
  if (made.status !== 0) return undefined
  // Some versions refuse a negative number of days, and `openssl req` zero.
  const again = ['x509', '-in', certPath, '-signkey', key, '-days', '0', '-out', certPath]
  if (expired && spawnSync('openssl', again).status !== 0) return undefined
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(certPath, 'utf8'), certPath }
}
