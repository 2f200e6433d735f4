import { isIP } from 'node:net'
import type { Scope } from '@platen/domain/api-key/api-key.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { withScopes } from '../http/openapi/route-schemas.ts'
import type { ApiKeyRecord, ApiKeyView } from '../views/api-key-view.ts'
import type { ApiKeyUses } from './api-key-uses.ts'
import { endSession, type Sessions } from './sessions.ts'

const decorator = 'apiKey'
const acceptance = 'acceptsApiKey'
/** Whether a request that was accepted still would be. */
export type Accepts = (request: FastifyRequest) => boolean

export interface AuthenticationOptions {
  apiKeys: ApiKeyView
  uses: ApiKeyUses
  /** Resolves when the view shows every key that was issued before the call. Concurrent calls share one read of the log. */
  untilCaughtUp: () => Promise<void>
  /** Accepted instead of a key. Absent if there is no studio. */
  sessions?: Sessions | undefined
  /** Requests without a key are let in, too. Default: false. */
  isOptional?: boolean
}

/** Requires an API key for every request in this scope, also for unknown URLs, before the body is read. */
export const authentication = fp<AuthenticationOptions>(
  async (app, { apiKeys, uses, untilCaughtUp, sessions, isOptional = false }) => {
    app.decorateRequest(decorator, null)
    const wrongKeys = new WrongKeyLimit()
    /** An unknown key may have been issued at another gateway a moment ago. Throws UNAUTHORIZED, RATE_LIMITED. */
    const findLater = async (key: string, { ip }: FastifyRequest, reply: FastifyReply) => {
      // Counted first: above the limit of its address, a wrong key costs no read.
      const retryAfterS = wrongKeys.count(ip)
      if (retryAfterS !== undefined || key === '' || apiKeys.wasIssued(key)) return rejectKey(retryAfterS, reply)
      await untilCaughtUp()
      return apiKeys.findByKey(key) ?? rejectKey(retryAfterS, reply)
    }
    app.addHook('onRequest', async (request, reply) => {
      const key = keyOf(request)
      if (key === undefined && isOptional) return
      // A valid key is accepted even if its address has sent many wrong ones.
      const apiKey =
        key === undefined
          ? keyOfSession(sessions, request, reply)
          : (apiKeys.findByKey(key) ?? (await findLater(key, request, reply)))
      uses.note(apiKey)
      request.setDecorator(decorator, apiKey)
    })
    app.decorate<Accepts>(acceptance, (request) => {
      const key = keyOf(request)
      return key === undefined ? typeof sessions?.find(request) === 'object' : apiKeys.findByKey(key) !== undefined
    })
    app.addHook('onClose', () => uses.written())
  },
  { name: 'authentication', dependencies: ['errors', 'every-request'] },
)

/** Throws UNAUTHORIZED, and FORBIDDEN for the session of a browser that sends the request for another page. */
function keyOfSession(sessions: Sessions | undefined, request: FastifyRequest, reply: FastifyReply): ApiKeyRecord {
  const found = sessions?.find(request)
  if (found === undefined)
    fail('UNAUTHORIZED', 'The API key is missing; send the header Authorization: Bearer <API_KEY>')
  if (found !== 'ended') return found.apiKey
  endSession(request, reply)
  return fail('UNAUTHORIZED', 'The session has ended; sign in again')
}

/**
 * The key in `Bearer <key>`, or the user name in `Basic` (RFC 7617), whose password is ignored; '' if there is none. Undefined without the header.
 */
export function keyOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  if (authorization === undefined) return undefined
  const [, scheme = '', text = ''] = /^(Bearer|Basic) +([\x21-\x7e]+) *$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() !== 'basic') return text
  const [key = ''] = Buffer.from(text, 'base64').toString('latin1').split(':', 1)
  return /^[\x21-\x7e]+$/.test(key) ? key : ''
}

function rejectKey(retryAfterS: number | undefined, reply: FastifyReply): never {
  if (retryAfterS === undefined) fail('UNAUTHORIZED', 'The API key is unknown or revoked')
  reply.header('retry-after', retryAfterS)
  return fail('RATE_LIMITED', `Too many unknown API keys from this address; retry in ${retryAfterS} s`)
}

export function apiKeyOf(request: FastifyRequest): ApiKeyRecord {
  return request.getDecorator<ApiKeyRecord>(decorator)
}

/** Whether the key or session of a request that was accepted still is. */
export function isKeyAccepted(request: FastifyRequest): boolean {
  return request.server.getDecorator<Accepts>(acceptance)(request)
}

/** Undefined if the request has no valid key, or needs none. */
export function knownApiKey(request: FastifyRequest): ApiKeyRecord | undefined {
  return decorator in request ? (request.getDecorator<ApiKeyRecord | null>(decorator) ?? undefined) : undefined
}

/** Whether the request has a key with one of the scopes. `admin` includes every scope. */
export function hasScope(request: FastifyRequest, ...anyOf: Scope[]): boolean {
  const scopes = knownApiKey(request)?.scopes ?? []
  return [...anyOf, 'admin' as const].some((scope) => scopes.includes(scope))
}

/** Rejects API keys with none of the scopes. `admin` includes every scope. */
export function needsScope(...anyOf: Scope[]): onRequestAsyncHookHandler {
  const hook: onRequestAsyncHookHandler = async (request) => requireScope(request, ...anyOf)
  return withScopes(hook, anyOf)
}

/** Throws FORBIDDEN. */
export function requireScope(request: FastifyRequest, ...anyOf: Scope[]): void {
  if (!hasScope(request, ...anyOf)) fail('FORBIDDEN', `The API key lacks the scope ${anyOf.join(' or ')}`)
}

/** More than a client with a revoked key sends, and far less than guessing a key needs. */
const maxWrongKeys = 200
const windowMs = 60_000

interface Window {
  count: number
  endsAt: number
}

/** Counts the wrong API keys of each client address in a minute. */
class WrongKeyLimit {
  readonly #windows = new LruCache<Window>({ maxCount: 10_000, maxWeight: 1_000_000 })

  /** Counts a wrong key. Returns the seconds to wait if the address has sent too many. */
  count(address: string): number | undefined {
    const network = networkOf(address)
    const now = performance.now()
    const known = this.#windows.get(network)
    const window = known !== undefined && known.endsAt > now ? known : { count: 0, endsAt: now + windowMs }
    window.count++
    this.#windows.set(network, window)
    return window.count > maxWrongKeys ? Math.ceil((window.endsAt - now) / 1_000) : undefined
  }
}

/** An IPv4 address, or the first 64 bits of an IPv6 address: a client has all addresses with these. */
function networkOf(address: string): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(mapped) !== 6) return mapped
  const [head = ''] = mapped.split('::', 1)
  return [...head.split(':'), '0', '0', '0', '0'].slice(0, 4).join(':')
}
