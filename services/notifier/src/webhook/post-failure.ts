import { UrlNotAllowed } from '@platen/shared/net/public-address.ts'

/** The same for every cause, unknown names included: an attempt must not be a way to look around in our network. */
const notAllowed = 'the URL leads to no public address'

const texts: Record<string, string> = {
  ENOTFOUND: notAllowed,
  EAI_AGAIN: notAllowed,
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the host cannot be reached',
  CERT_HAS_EXPIRED: 'the TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the TLS certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the TLS certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the TLS certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the TLS certificate is not trusted',
  EPROTO: 'TLS could not be agreed on',
}

/** Why there was no answer, in words that may be shown: no address, no name of ours. */
export function describeFailure(err: unknown): string {
  if (err instanceof UrlNotAllowed) return notAllowed
  if (!(err instanceof Error)) return 'no answer'
  if (err.name === 'TimeoutError') return 'no answer in time'
  const code = codeOf(err)
  if (code.startsWith('HPE_')) return 'the answer is not HTTP'
  return texts[code] ?? 'no answer'
}

/** Where several addresses were tried, what came of the first. */
function codeOf(err: Error & { code?: unknown }): string {
  const told = err instanceof AggregateError && err.errors[0] instanceof Error ? err.errors[0] : err
  return 'code' in told ? String(told.code) : ''
}
