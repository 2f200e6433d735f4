import type { Scope } from '@platen/shared/contracts/api-key.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { ApiKey, ApiKeyView } from './api-key-view.ts'

const decorator = 'apiKey'

/** Every route of this scope needs a key, unknown addresses too. It is asked for before the body is read. */
export function addAuthentication(app: FastifyInstance, apiKeys: ApiKeyView): void {
  app.decorateRequest(decorator, null)
  app.addHook('onRequest', async (request) => {
    const { authorization } = request.headers
    if (authorization === undefined) fail('UNAUTHORIZED', 'An API key is needed: Authorization: Bearer <API_KEY>')
    const [, key = ''] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? []
    const apiKey = apiKeys.findByKey(key) ?? fail('UNAUTHORIZED', 'This API key is not valid')
    request.setDecorator(decorator, apiKey)
  })
}

export function apiKeyOf(request: FastifyRequest): ApiKey {
  return request.getDecorator<ApiKey>(decorator)
}

/** Refuses keys without the scope; `admin` stands for all of them. */
export function needsScope(scope: Scope): onRequestAsyncHookHandler {
  return async (request) => {
    const { scopes } = apiKeyOf(request)
    if (!scopes.includes(scope) && !scopes.includes('admin')) {
      fail('FORBIDDEN', `This API key lacks the scope ${scope}`)
    }
  }
}
