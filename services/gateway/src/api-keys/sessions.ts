import { createHash } from 'node:crypto'
import { hashApiKey } from '@platen/domain/api-key/api-keys.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ApiKeyRecord, type ApiKeyView, acceptedSecrets } from '../views/api-key-view.ts'
import { sendingPage } from './same-origin.ts'

export interface Session {
  apiKey: ApiKeyRecord
  expiresAtS: number
  /** SHA-256 of the cookie, hex. The log has the id, and nothing with which somebody could sign in. */
  id: string
}

export interface SessionsOptions {
  signing: Pick<Signing, 'sessionSignature' | 'sessionSignatureMatches'>
  apiKeys: Pick<ApiKeyView, 'findActive' | 'hasEnded'>
  ttlS: number
}

/**
 * Sessions of the studio. Each is a cookie with the id of an API key, two times and a signature; nothing is stored of one that is
 * open. The signature covers the hash of the key's secret, so that the session ends when the key is revoked, or when its secret is no
 * longer accepted after a rotation. Of one that somebody has ended, the views know the id until it would have expired.
 */
export class Sessions {
  readonly #options: SessionsOptions

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** Sets the cookie of a session. `secret` is the key that the client has sent. */
  begin(
    request: FastifyRequest,
    reply: FastifyReply,
    { apiKey, secret }: { apiKey: ApiKeyRecord; secret: string },
  ): Pick<Session, 'expiresAtS'> {
    const { signing, ttlS } = this.#options
    // In ms: two sessions of a key have two cookies.
    const issuedAtMs = Date.now()
    const expiresAtS = Math.floor(issuedAtMs / 1_000) + ttlS
    const fields = `${apiKey.id}.${issuedAtMs}.${expiresAtS}`
    const signature = signing.sessionSignature(`${fields}.${hashApiKey(secret)}`)
    reply.header('set-cookie', cookie(request, `${fields}.${signature}`, ttlS))
    return { expiresAtS }
  }

  /** Undefined if the request has no cookie; `ended` if its cookie is not accepted. Throws FORBIDDEN for one of another page. */
  find(request: FastifyRequest): Session | 'ended' | undefined {
    const value = cookieValue(request)
    if (value === undefined) return undefined
    if (sendingPage(request) !== 'own') {
      fail('FORBIDDEN', 'A session is accepted only from the pages of its own server; programs send an API key')
    }
    const [, fields = '', id = '', expires = '', signature = ''] =
      /^((key_[0-9a-z]{26})\.\d{1,15}\.(\d{1,12}))\.([\w-]{43})$/.exec(value) ?? []
    const expiresAtS = Number(expires)
    if (fields === '' || Date.now() >= expiresAtS * 1_000) return 'ended'
    const apiKey = this.#options.apiKeys.findActive(id)
    if (apiKey === undefined) return 'ended'
    const { signing } = this.#options
    const isSigned = acceptedSecrets(apiKey).some((sha256) =>
      signing.sessionSignatureMatches(`${fields}.${sha256}`, signature),
    )
    const sessionId = createHash('sha256').update(value).digest('hex')
    return isSigned && !this.#options.apiKeys.hasEnded(sessionId) ? { apiKey, expiresAtS, id: sessionId } : 'ended'
  }
}

/** Removes the cookie from the browser. */
export function endSession(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', cookie(request, '', 0))
}

/** Cookies are the same for all ports of a host: two servers on one machine need two names. */
function cookieName({ host }: FastifyRequest): string {
  const [, port] = /:(\d+)$/.exec(host) ?? []
  return port === undefined ? 'platen_session' : `platen_session_${port}`
}

function cookie(request: FastifyRequest, value: string, maxAgeS: number): string {
  // The proxy in front may speak TLS, and this server not know it. The page of the browser does.
  const isSecure = request.protocol === 'https' || request.headers.origin?.startsWith('https:') === true
  const attributes = ['Path=/', `Max-Age=${maxAgeS}`, 'HttpOnly', 'SameSite=Strict', ...(isSecure ? ['Secure'] : [])]
  return [`${cookieName(request)}=${value}`, ...attributes].join('; ')
}

function cookieValue(request: FastifyRequest): string | undefined {
  const start = `${cookieName(request)}=`
  const pairs = request.headers.cookie?.split(/; */) ?? []
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}
