import { ObjectStoreUnavailable } from '../../object-store.ts'

/** The store did not answer in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly code = 'TIMEOUT'
}

/** An error response of the store, or of something else that answers at its URL. */
export class BadStatus extends Error {
  override readonly name = 'BadStatus'
  readonly status: number
  /** The code of the store, such as `XMinioStorageFull`; without one, `HTTP 503`. */
  readonly code: string

  constructor(status: number, code: string | undefined, message: string) {
    super(message)
    this.status = status
    this.code = code ?? `HTTP ${status}`
  }
}

/** The error code of the store or of the network. */
export function codeOf(err: unknown): string | undefined {
  return err instanceof Error && 'code' in err && typeof err.code === 'string' ? err.code : undefined
}

const wrongVersion = 'the server does not use TLS: add tls=false to OBJECT_STORE_URL'
const unknownAuthority = 'its certificate is of an unknown authority: set NODE_EXTRA_CA_CERTS'

/** What to do about errors of TLS, by code of Node.js and OpenSSL. */
const tlsHints: Readonly<Record<string, string>> = {
  EPROTO: wrongVersion,
  ERR_SSL_WRONG_VERSION_NUMBER: wrongVersion,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: wrongVersion,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  CERT_SIGNATURE_FAILURE: unknownAuthority,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: compare the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name than that of OBJECT_STORE_URL',
}

/** A cause that no retry ends, in a few words; undefined for others. */
export function misconfiguration(err: unknown): string | undefined {
  if (err instanceof BadStatus && /HTTP request to an HTTPS server|HTTP request was sent to HTTPS/i.test(err.message)) {
    return 'the server uses TLS: remove tls=false from OBJECT_STORE_URL'
  }
  return tlsHints[codeOf(err) ?? '']
}

/**
 * Converts every failure of the store, from a refused connection to revoked keys, to ObjectStoreUnavailable, with the code and
 * the sentence of the store. TypeErrors are bugs of ours and pass unchanged.
 */
export function toUnavailable(action: string, err: unknown): Error {
  if (err instanceof TypeError || err instanceof ObjectStoreUnavailable) return err
  return new ObjectStoreUnavailable(`The object store cannot be ${action} (${describe(err)})`, { cause: err })
}

function describe(err: unknown): string {
  const code = codeOf(err) ?? 'unexpected response'
  const sentence = misconfiguration(err) ?? sentenceOf(err)
  return sentence === undefined ? code : `${code}: ${sentence}`
}

/** The sentence of the store. Messages of the network have host names, and repeat the code. */
function sentenceOf(err: unknown): string | undefined {
  const text = err instanceof BadStatus ? err.message.replace(/\s+/g, ' ').trim() : ''
  return text === '' ? undefined : text.slice(0, 300)
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The entities of XML; MinIO escapes apostrophes. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
  })
}
