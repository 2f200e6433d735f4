import tls from 'node:tls'
import type { Test } from 'tap'

/** Trusts certificates (PEM) in this process until the test ends, as NODE_EXTRA_CA_CERTS does from the start of a process. */
export function trust(t: Pick<Test, 'teardown'>, pem: string): void {
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, pem])
  t.teardown(() => tls.setDefaultCACertificates(before))
}
