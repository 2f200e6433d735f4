import type { Scope } from '@platen/shared/contracts/api-key.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { ApiKeyUses } from './api-key-uses.ts'
import type { ApiKeyRecord, ApiKeyView } from './api-key-view.ts'
import { WrongKeyLimit } from './wrong-key-limit.ts'

const decorator = 'apiKey'

/** Requires an API key for every request in this scope, also for unknown URLs, before the body is read. */
export function addAuthentication(app: FastifyInstance, apiKeys: ApiKeyView, uses: ApiKeyUses): void {
  app.decorateRequest(decorator, null)
  const wrongKeys = new WrongKeyLimit()
  app.addHook('onRequest', async (request, reply) => {
    const { authorization } = request.headers
    if (authorization === undefined)
      fail('UNAUTHORIZED', 'The API key is missing; send the header Authorization: Bearer <API_KEY>')
    const [, key = ''] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? []
    // A valid key is accepted even if its address has sent many wrong ones.
    const apiKey = apiKeys.findByKey(key) ?? rejectKey(wrongKeys.count(request.ip), reply)
    uses.note(apiKey)
    request.setDecorator(decorator, apiKey)
  })
  app.addHook('onClose', () => uses.written())
}

function rejectKey(retryAfterS: number | undefined, reply: FastifyReply): never {
  if (retryAfterS === undefined) fail('UNAUTHORIZED', 'The API key is unknown or revoked')
  reply.header('retry-after', retryAfterS)
  return fail('RATE_LIMITED', `Too many unknown API keys from this address; retry in ${retryAfterS} s`)
}

export function apiKeyOf(request: FastifyRequest): ApiKeyRecord {
  return request.getDecorator<ApiKeyRecord>(decorator)
}

/** Rejects API keys with none of the scopes. `admin` includes every scope. */
export function needsScope(...anyOf: Scope[]): onRequestAsyncHookHandler {
  return async (request) => requireScope(request, ...anyOf)
}

/** Throws FORBIDDEN. */
export function requireScope(request: FastifyRequest, ...anyOf: Scope[]): void {
  const { scopes } = apiKeyOf(request)
  if ([...anyOf, 'admin' as const].some((scope) => scopes.includes(scope))) return
  fail('FORBIDDEN', `The API key lacks the scope ${anyOf.join(' or ')}`)
}
