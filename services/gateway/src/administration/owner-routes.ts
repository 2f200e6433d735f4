import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { fail } from '@platen/domain/http/errors.ts'
import { type OwnerCommand, ownerNotFound } from '@platen/domain/owner/decide-owner.ts'
import { CreateOwnerBody, type Owner as OwnerBody, UpdateOwnerBody } from '@platen/domain/owner/owner.ts'
import { changeOwner, createOwner } from '@platen/domain/owner/owners.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { Type } from 'typebox'
import { apiKeyOf, needsScope } from '../api-keys/authentication.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { bodyErrors, errorResponses, idParams, OwnerRef, pageOf } from '../http/openapi/route-schemas.ts'
import { defaultLimit, idBefore, pageBody, pageQuery } from '../http/pagination.ts'
import type { Urls } from '../http/urls.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { Owner, OwnerView } from '../views/owner-view.ts'
import { shownInTime } from '../views/shown-in-time.ts'

export interface OwnerRoutesOptions {
  owners: OwnerView
  store: EventStore
  /** Resolves when the views show every change that was made before the call. */
  untilCaughtUp: () => Promise<void>
  urls: Pick<Urls, 'owner'>
}

const tags = ['Administration']
const Params = idParams('own')
const noQuery = Type.Object({}, { additionalProperties: false })
const forAdmin = { onRequest: needsScope('admin') }

export const ownerRoutes: FastifyPluginAsyncTypebox<OwnerRoutesOptions> = async (app, options) => {
  const { owners, store, untilCaughtUp, urls } = options
  const find = async (id: string) => {
    await untilCaughtUp()
    return owners.find(id) ?? ownerNotFound(id)
  }

  app.post('/owners', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'createOwner',
      summary: 'Create an owner',
      description: 'Issue its API keys with `POST /v1/keys?owner=<id>`. Several owners may have the same name.',
      querystring: noQuery,
      body: CreateOwnerBody,
      response: withHeaders({ 201: ['Location'] }, { 201: OwnerRef, ...errorResponses(...bodyErrors) }),
    },
    async handler(request, reply) {
      const { name } = request.body
      const metadata = commandMetadata(request)
      const id = await createOwner(store, name, metadata)
      const owner = { id, name, status: 'active' as const, created_at: metadata.time }
      return reply.code(201).header('location', urls.owner(id)).send(owner)
    },
  })

  app.get('/owners', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'listOwners',
      summary: 'List all owners',
      description: 'The default owner is the first of the list.',
      querystring: Type.Object(pageQuery, { additionalProperties: false }),
      response: { 200: pageOf('OwnerPage', OwnerRef, 'A page of owners.'), ...errorResponses('VALIDATION_ERROR') },
    },
    async handler({ query: { limit = defaultLimit, cursor } }) {
      const before = idBefore(cursor, 'own')
      await untilCaughtUp()
      return pageBody(owners.page({ before, limit }), ({ id }) => id, bodyOf)
    },
  })

  app.get('/owners/:id', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'getOwner',
      summary: 'Get an owner',
      params: Params,
      querystring: noQuery,
      response: { 200: OwnerRef, ...errorResponses('OWNER_NOT_FOUND') },
    },
    async handler({ params }) {
      return bodyOf(await find(params.id))
    },
  })

  app.patch('/owners/:id', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'updateOwner',
      summary: 'Rename, disable or enable an owner',
      description:
        'The API keys of a disabled owner are answered with 403. Its queued work and its webhooks continue. An owner cannot disable itself. 202: it is recorded, and has its effect in a moment.',
      params: Params,
      querystring: noQuery,
      // The body means the same as a merge patch. With two content types, openapi-python-client generates code that
      // does not run.
      body: UpdateOwnerBody,
      response: { 200: OwnerRef, 202: OwnerRef, ...errorResponses(...bodyErrors, 'OWNER_NOT_FOUND', 'CONFLICT') },
    },
    async handler(request, reply) {
      const { params, body } = request
      // The change itself reads the log: it need not wait for the views.
      const before = owners.find(params.id) ?? (await find(params.id))
      const { id, createdAt } = before
      if (body.status === 'disabled' && id === apiKeyOf(request).ownerId) {
        fail('CONFLICT', 'An API key cannot disable its own owner; use the key of another owner, or the command line')
      }
      let owner = before
      for (const command of commandsOf(body)) {
        const { state } = await changeOwner(store, id, command, commandMetadata(request))
        if (state.status !== 'absent') owner = { ...state, id, createdAt }
      }
      return reply.code((await shownInTime(untilCaughtUp)) ? 200 : 202).send(bodyOf(owner))
    },
  })
}

function commandsOf({ name, status }: { name?: string; status?: 'active' | 'disabled' }): OwnerCommand[] {
  const statusCommand = status === 'disabled' ? 'DisableOwner' : 'EnableOwner'
  return [
    ...(name === undefined ? [] : [{ type: 'RenameOwner', data: { name } } as const]),
    ...(status === undefined ? [] : [{ type: statusCommand, data: {} } as const]),
  ]
}

function bodyOf({ id, name, status, createdAt }: Owner): OwnerBody {
  return { id, name, status, ...defined({ created_at: createdAt }) }
}
