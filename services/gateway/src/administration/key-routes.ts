import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ApiKey, IssueApiKeyBody } from '@platen/domain/api-key/api-key.ts'
import {
  apiKeyPrefix,
  issueApiKey,
  longestGraceDays,
  newApiKey,
  revokeApiKey,
  rotateApiKey,
} from '@platen/domain/api-key/api-keys.ts'
import { apiKeyNotFound } from '@platen/domain/api-key/decide-api-key.ts'
import { type EventStore, OutcomeUnknown } from '@platen/event-store/event-store.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf, ownerQuery } from '../api-keys/owner-of.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { ApiKeyRef, bodyErrors, errorResponses, idParams, noBody, pageOf } from '../http/openapi/route-schemas.ts'
import { defaultLimit, idBefore, pageBody, pageQuery } from '../http/pagination.ts'
import type { Urls } from '../http/urls.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { ApiKeyRecord, ApiKeyView } from '../views/api-key-view.ts'
import { shownInTime } from '../views/shown-in-time.ts'

export interface KeyRoutesOptions {
  apiKeys: ApiKeyView
  store: EventStore
  /** Resolves when the views show every change that was made before the call. */
  untilCaughtUp: () => Promise<void>
  urls: Pick<Urls, 'apiKey'>
}

type KeyRequest = FastifyRequest<{ Params: { id: string } }>

const tags = ['Administration']
const Params = idParams('key')
const forAdmin = { onRequest: needsScope('admin') }
const dayS = 24 * 3_600
const RotateQuery = Type.Object(
  {
    ...ownerQuery,
    grace_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: longestGraceDays * dayS,
        description: 'Seconds for which the replaced secret is accepted. Default 0: it is refused at once.',
      }),
    ),
  },
  { additionalProperties: false },
)
const secret = 'The secret of the key. It cannot be read again.'
const WithSecret = Type.Object(
  { ...ApiKey.properties, key: Type.String({ description: secret, examples: ['pk_…'] }) },
  { title: 'ApiKeyWithSecret', description: 'The API key with its secret.' },
)

export const keyRoutes: FastifyPluginAsyncTypebox<KeyRoutesOptions> = async (app, options) => {
  const { apiKeys, store, untilCaughtUp, urls } = options
  const viewed = (request: KeyRequest) => apiKeys.find(request.params.id, ownerOf(request).id)
  const find = async (request: KeyRequest) => {
    await untilCaughtUp()
    return viewed(request) ?? apiKeyNotFound(request.params.id)
  }
  // The change itself reads the log: it need not wait for the views.
  const findToChange = async (request: KeyRequest) => viewed(request) ?? (await find(request))

  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })

  app.post('/keys', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'issueApiKey',
      summary: 'Issue an API key',
      description:
        'The response has the secret, which cannot be read again. It is not repeated for an `Idempotency-Key`.',
      querystring: OwnerQuery,
      body: IssueApiKeyBody,
      response: withHeaders({ 201: ['Location'] }, { 201: WithSecret, ...errorResponses(...bodyErrors) }),
    },
    async handler(request, reply) {
      const { name, scopes } = request.body
      if (new Set(scopes).size !== scopes.length) invalidField('scopes', 'must not contain duplicates')
      const { id: ownerId } = ownerOf(request)
      const key = newApiKey()
      const metadata = commandMetadata(request)
      const id = await issueApiKey(store, { key, name, scopes, ownerId }, metadata)
      // The answer is built without reading anything: it is the only place where the secret appears, so a failed read
      // must not lose it.
      const issued = { id, ownerId, name, prefix: apiKeyPrefix(key), scopes, status: 'active' as const }
      return reply
        .code(201)
        .header('location', urls.apiKey(id))
        .send({ ...bodyOf({ ...issued, createdAt: metadata.time }), key })
    },
  })

  app.get('/keys', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'listApiKeys',
      summary: 'List the API keys of the owner',
      querystring: Type.Object({ ...pageQuery, ...ownerQuery }, { additionalProperties: false }),
      response: { 200: pageOf('ApiKeyPage', ApiKeyRef, 'A page of API keys.'), ...errorResponses('VALIDATION_ERROR') },
    },
    async handler(request) {
      const { limit = defaultLimit, cursor } = request.query
      const before = idBefore(cursor, 'key')
      await untilCaughtUp()
      return pageBody(apiKeys.page({ ownerId: ownerOf(request).id, before, limit }), ({ id }) => id, bodyOf)
    },
  })

  app.get('/keys/:id', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'getApiKey',
      summary: 'Get an API key',
      params: Params,
      querystring: OwnerQuery,
      response: { 200: ApiKeyRef, ...errorResponses('API_KEY_NOT_FOUND') },
    },
    async handler(request) {
      return bodyOf(await find(request))
    },
  })

  app.post('/keys/:id/rotate', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'rotateApiKey',
      summary: 'Replace the secret of an API key',
      description:
        'The key keeps its id, owner and scopes. The response has the new secret, which cannot be read again; if it is lost, rotate again. With `grace_s` the secrets that are accepted now stay so for that time at most. 202: the event store is slow, and may not have recorded it; try the new secret, and if it is refused the old one.',
      params: Params,
      querystring: RotateQuery,
      response: {
        200: WithSecret,
        202: WithSecret,
        ...errorResponses('VALIDATION_ERROR', 'API_KEY_NOT_FOUND', 'CONFLICT'),
      },
    },
    async handler(request, reply) {
      const before = await findToChange(request)
      const { grace_s: graceS = 0 } = request.query
      const key = newApiKey()
      const withSecret = (record: ApiKeyRecord) => ({ ...bodyOf(record), key })
      try {
        const { state } = await rotateApiKey(store, before.id, { key, graceS, metadata: commandMetadata(request) })
        const { id, createdAt, lastUsedAt } = before
        const rotated = state.status === 'absent' ? before : { ...state, id, createdAt, lastUsedAt }
        return reply.code((await shownInTime(untilCaughtUp)) ? 200 : 202).send(withSecret(rotated))
      } catch (err) {
        if (!(err instanceof OutcomeUnknown)) throw err
        // The rotation may have been recorded. Without this secret the owner of the key would be locked out.
        return reply.code(202).send(withSecret({ ...before, prefix: apiKeyPrefix(key) }))
      }
    },
  })

  app.delete('/keys/:id', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key',
      description:
        'The key is refused from now on, and stays in the list. Revoking it again has no effect. 202: it is recorded, and refused in a moment.',
      params: Params,
      querystring: OwnerQuery,
      response: {
        202: noBody('Revoked, but not shown yet.'),
        204: noBody('Revoked.'),
        ...errorResponses('API_KEY_NOT_FOUND'),
      },
    },
    async handler(request, reply) {
      const { id } = await findToChange(request)
      await revokeApiKey(store, id, commandMetadata(request))
      return reply.code((await shownInTime(untilCaughtUp)) ? 204 : 202).send()
    },
  })
}

function bodyOf(record: Omit<ApiKeyRecord, 'sha256' | 'lastUsedAt'> & { lastUsedAt?: string | undefined }): ApiKey {
  const { id, ownerId, name, prefix, scopes, status, createdAt, lastUsedAt, previous: [previous] = [] } = record
  return {
    id,
    owner_id: ownerId,
    name,
    prefix,
    scopes,
    status,
    created_at: createdAt,
    ...defined({ last_used_at: lastUsedAt }),
    ...(previous !== undefined && { previous_valid_until: previous.until }),
  }
}
