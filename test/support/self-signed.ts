import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'

export interface Certificate {
  key: string
  cert: string
  /** The file of `cert`. */
  certPath: string
}

/** A self-signed certificate for 127.0.0.1; undefined without openssl. */
export function selfSigned(t: Test): Certificate | undefined {
  const [key, certPath] = [join(t.testdir(), 'key.pem'), join(t.testdir(), 'cert.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  const made = spawnSync('openssl', ['req', ...form, ...subject, '-keyout', key, '-out', certPath])
  if (made.status !== 0) return undefined
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(certPath, 'utf8'), certPath }
}
