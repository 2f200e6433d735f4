import { Scope } from '@platen/domain/api-key/api-key.ts'
import { recordSessionEnd } from '@platen/domain/api-key/api-key-use.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { OwnerId } from '@platen/domain/ids/owner-id.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { apiKeyOf, keyOf } from '../api-keys/authentication.ts'
import { ownerOf } from '../api-keys/owner-of.ts'
import { endSession, type Sessions } from '../api-keys/sessions.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { errorResponses, noBody } from '../http/openapi/route-schemas.ts'
import { resource } from '../http/resource.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'

const tags = ['Sessions']
const noQuery = Type.Object({}, { additionalProperties: false })

const Session = Type.Object(
  {
    api_key: Type.Object(
      {
        id: Type.String({ examples: ['key_5x0w8z7v3d2e8f0g2h4j6k8m0a'] }),
        name: Type.String({ examples: ['shop'] }),
        scopes: Type.Array(Scope),
      },
      { title: 'SessionApiKey' },
    ),
    owner: Type.Object({ id: OwnerId, name: Type.String({ examples: ['Default'] }) }, { title: 'SessionOwner' }),
    expires_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the session ends. Absent for a request with an API key.' }),
    ),
  },
  { title: 'Session', description: 'Who sends the request, and what the API key may do.' },
)

export interface SessionRoutesOptions {
  sessions: Sessions
  store: EventStore
  /** Resolves when the views show every change that was made before the call. */
  untilCaughtUp: () => Promise<void>
}

/** An API key is exchanged for a cookie, so that a browser keeps no key. */
export const sessionRoutes = resource<SessionRoutesOptions>('sessions', async (app, options) => {
  const { sessions, store, untilCaughtUp } = options
  const bodyOf = (request: FastifyRequest, expiresAtS?: number): Static<typeof Session> => {
    const { id, name, scopes } = apiKeyOf(request)
    const owner = ownerOf(request)
    return {
      api_key: { id, name, scopes },
      owner: { id: owner.id, name: owner.name },
      ...(expiresAtS !== undefined && { expires_at: new Date(expiresAtS * 1_000).toISOString() }),
    }
  }

  app.post('/session', {
    config: { needsNoSpace: true },
    schema: {
      tags,
      operationId: 'createSession',
      summary: 'Begin a session of the studio',
      description:
        'Sets a cookie that is accepted instead of the API key from pages of this server, until it expires (`SESSION_TTL_S`), or the key is revoked, or its secret is no longer accepted after a rotation. The cookie has no secret.',
      querystring: noQuery,
      response: withHeaders({ 201: ['Set-Cookie'] }, { 201: Session, ...errorResponses() }),
    },
    async handler(request, reply) {
      const secret = keyOf(request)
      // Else a session could be prolonged without end.
      if (secret === undefined)
        return fail('UNAUTHORIZED', 'A session begins with an API key: Authorization: Bearer <API_KEY>')
      const { expiresAtS } = sessions.begin(request, reply, { apiKey: apiKeyOf(request), secret })
      return reply.code(201).send(bodyOf(request, expiresAtS))
    },
  })

  app.get('/session', {
    schema: {
      tags,
      operationId: 'getSession',
      summary: 'Read who is signed in',
      description: 'Works with an API key, too: it says which one that is.',
      querystring: noQuery,
      response: { 200: Session, ...errorResponses() },
    },
    async handler(request) {
      const session = keyOf(request) === undefined ? sessions.find(request) : undefined
      return bodyOf(request, typeof session === 'object' ? session.expiresAtS : undefined)
    },
  })

  app.delete('/session', {
    schema: {
      tags,
      operationId: 'endSession',
      summary: 'End the session of this browser',
      description:
        'Removes the cookie, and no copy of it is accepted any more. With an API key, which begins no session, nothing ends.',
      querystring: noQuery,
      response: withHeaders({ 204: ['Set-Cookie'] }, { 204: noBody('Ended.'), ...errorResponses() }),
    },
    async handler(request, reply) {
      endSession(request, reply)
      const session = keyOf(request) === undefined ? sessions.find(request) : undefined
      if (typeof session === 'object') {
        const { apiKey, id, expiresAtS } = session
        const until = new Date(expiresAtS * 1_000)
        await recordSessionEnd(store, apiKey.id, { session: id, until, metadata: commandMetadata(request) })
        await untilCaughtUp()
      }
      return reply.code(204).send()
    },
  })
})
