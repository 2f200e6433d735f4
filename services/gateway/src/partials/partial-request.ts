import { fail } from '@platen/domain/http/errors.ts'
import type { Partial } from '@platen/domain/partial/partial.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { ownerOf } from '../api-keys/owner-of.ts'
import { entityTag, versionToMatch } from '../http/headers/entity-tags.ts'
import { entityTags } from '../http/openapi/route-schemas.ts'
import type { CurrentPartials } from './current-partials.ts'

export const partialTags = ['Partials']
export const forReading = { onRequest: needsScope('templates:read') }
export const forWriting = { onRequest: needsScope('templates:write') }
export const idOrName = Type.String({ description: 'Id (`prt_…`) or name.', examples: ['letterhead'] })
export const PartialParams = Type.Object({ idOrName })
export const ifMatch = Type.Object({
  'if-match': entityTags('412 unless the partial has one of these entity tags.', '"3"'),
})

export type OnPartial = FastifyRequest<{ Params: { idOrName: string } }>

/** The partial that the request names. Throws PARTIAL_NOT_FOUND. */
export async function requestedPartial(partials: CurrentPartials, request: OnPartial): Promise<Partial> {
  const { idOrName } = request.params
  return (await partials.find(idOrName, ownerOf(request).id)) ?? missing(idOrName)
}

/** The first fields of a command about the partial. Throws PARTIAL_NOT_FOUND, PRECONDITION_FAILED. */
export async function conditionOf(partials: CurrentPartials, request: OnPartial) {
  const { id, version } = await requestedPartial(partials, request)
  const if_version = versionToMatch(request.headers['if-match'] as string | undefined, version)
  return { partial_id: id, owner_id: ownerOf(request).id, ...defined({ if_version }) }
}

export function sendPartial(reply: FastifyReply, partial: Partial) {
  return reply.header('etag', entityTag(partial.version)).send(partial)
}

export function missing(idOrName: string): never {
  return fail('PARTIAL_NOT_FOUND', `Partial ${readable(idOrName)} does not exist`)
}
