import { UrlNotAllowed } from '@platen/foundation/net/public-address.ts'

/** One message for unknown and private hosts, so that it reveals no names and addresses of the private network. */
const notPublic = 'the host is unknown or not public'

/** Servers that do not send the certificates in between are the usual cause. */
const incomplete =
  'the TLS certificate is not trusted: its authority is unknown, or an intermediate certificate is not sent'

const texts: Record<string, string> = {
  ENOTFOUND: notPublic,
  EAI_AGAIN: notPublic,
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed without a response',
  EPIPE: 'the connection was closed without a response',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the host is unreachable',
  ETIMEDOUT: 'the host is unreachable',
  CERT_HAS_EXPIRED: 'the TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the TLS certificate is not trusted: it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the TLS certificate is not trusted: its authority is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: incomplete,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: incomplete,
  EPROTO: 'the TLS handshake failed',
}

/** The port of a webhook URL is one of another protocol. The message is public. */
export class PortNotAllowed extends Error {
  override readonly name = 'PortNotAllowed'
}

/** Why there was no response, without addresses and host names. The message is public. `timeoutMs`: the time limit of the request. */
export function describeFailure(err: unknown, timeoutMs: number): string {
  if (err instanceof UrlNotAllowed) return notPublic
  if (err instanceof PortNotAllowed) return err.message
  if (!(err instanceof Error)) return 'no response'
  if (err.name === 'TimeoutError') return `no response within ${timeoutMs / 1_000} s`
  const code = codeOf(err)
  if (code === 'HPE_HEADER_OVERFLOW') return 'the response headers are larger than 16 KiB'
  if (code.startsWith('HPE_')) return 'the response is not HTTP'
  return texts[code] ?? 'no response'
}

/** If several addresses were tried, the error of the first. */
function codeOf(err: Error & { code?: unknown }): string {
  const first = err instanceof AggregateError && err.errors[0] instanceof Error ? err.errors[0] : err
  return 'code' in first ? String(first.code) : ''
}
