import { fail } from '@platen/domain/http/errors.ts'
import { ownerNotFound } from '@platen/domain/owner/decide-owner.ts'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Type } from 'typebox'
import type { Owner, OwnerView } from '../views/owner-view.ts'
import { type Accepts, apiKeyOf, isKeyAccepted, requireScope } from './authentication.ts'

/** A query parameter of every route under /v1 that needs a key. */
export const ownerQuery = {
  owner: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`.',
    }),
  ),
}
/** That of a list which an administrator may read for all owners. Its route has `allOwners` in its `config`. */
export const ownersQuery = {
  owner: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Id of the owner (`own_…`) whose items are listed, or `*` for those of all owners, each with its `owner_id`. Default: that of the API key. Needs the scope `admin`.',
    }),
  ),
}
export const OwnerQuery = Type.Object(ownerQuery, { additionalProperties: false })

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether `owner=*` stands for all owners. */
    allOwners?: boolean
  }
}

const decorator = 'owner'
const enabled = 'hasEnabledOwner'
const everyOwner = '*'

export interface OwnerOptions {
  owners: OwnerView
  /** Resolves when the view shows every owner that was created before the call. */
  untilCaughtUp: () => Promise<void>
}

/** Finds the owner of every request in this scope, before the body is read. */
export const ownerOfRequest = fp<OwnerOptions>(
  async (app, { owners, untilCaughtUp }) => {
    app.decorateRequest(decorator, null)
    /** Looks again: the owner may have been created at another gateway a moment ago. */
    const findLater = async (id: string) => {
      await untilCaughtUp()
      return owners.find(id) ?? ownerNotFound(id)
    }
    app.decorate<Accepts>(enabled, (request) => owners.find(apiKeyOf(request).ownerId)?.status !== 'disabled')
    app.addHook('onRequest', async (request) => {
      const { ownerId: ownId } = apiKeyOf(request)
      const own = owners.find(ownId) ?? ownerNotFound(ownId)
      if (own.status === 'disabled') fail('FORBIDDEN', 'The owner of this API key is disabled')
      const named = (request.query as { owner?: string | string[] }).owner
      if (named !== undefined) requireScope(request, 'admin')
      const isEvery = named === everyOwner && request.routeOptions.config.allOwners
      // A repeated parameter is an array, which the schema of the route refuses.
      const owner = typeof named === 'string' && !isEvery ? (owners.find(named) ?? (await findLater(named))) : own
      request.setDecorator(decorator, owner)
    })
  },
  { name: 'owner', dependencies: ['authentication', 'rate-limit'] },
)

/** Whether a request that was accepted still would be: the response to it may last for days. */
export function isStillAccepted(request: FastifyRequest): boolean {
  const hasEnabledOwner = request.server.getDecorator<Accepts>(enabled)
  return isKeyAccepted(request) && hasEnabledOwner(request)
}

/** The owner whose templates and generations the request is about. */
export function ownerOf(request: FastifyRequest): Owner {
  return request.getDecorator<Owner>(decorator)
}

/** Whether an operator asks about all owners: with the scope `admin`, and without naming one. */
export function isAboutAllOwners(request: FastifyRequest): boolean {
  const { owner } = request.query as { owner?: string }
  return owner === undefined && apiKeyOf(request).scopes.includes('admin')
}

/** The id of the owner whose items are listed; undefined: those of all. */
export function listedOwner(request: FastifyRequest): string | undefined {
  const { owner } = request.query as { owner?: string }
  return owner === everyOwner ? undefined : ownerOf(request).id
}

/** Undefined if the request was refused before its owner was found, or has none. */
export function knownOwner(request: FastifyRequest): Owner | undefined {
  return decorator in request ? (request.getDecorator<Owner | null>(decorator) ?? undefined) : undefined
}
