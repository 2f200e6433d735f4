import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { fail } from '@platen/domain/http/errors.ts'
import {
  CreatePartialBody,
  isPartialName,
  ListedPartial,
  type PartialCommand,
  partialLimits,
  UpdatePartialBody,
} from '@platen/domain/partial/partial.ts'
import { partialId } from '@platen/domain/partial/read-partial.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { OwnerQuery, ownerOf, ownerQuery } from '../api-keys/owner-of.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { entityTag, isNoneMatch } from '../http/headers/entity-tags.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { bodyErrors, entityTags, errorResponses, noBody, PartialRef, pageOf } from '../http/openapi/route-schemas.ts'
import { defaultLimit, nameAfter, pageBody, pageQuery } from '../http/pagination.ts'
import type { Urls } from '../http/urls.ts'
import { type CreateOnceOptions, createOnce } from '../idempotency/create-once.ts'
import { idempotencyHeaders } from '../idempotency/idempotent-request.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { PartialUsage } from '../views/partial-usage.ts'
import type { PartialView } from '../views/partial-view.ts'
import type { CurrentPartials } from './current-partials.ts'
import type { PartialCommands } from './partial-commands.ts'
import {
  conditionOf,
  forReading,
  forWriting,
  ifMatch,
  missing,
  PartialParams,
  partialTags,
  requestedPartial,
  sendPartial,
} from './partial-request.ts'

export interface PartialRoutesOptions extends CreateOnceOptions {
  view: PartialView & { usage(ownerId: string, name: string): PartialUsage }
  partials: CurrentPartials
  /** Resolves when the view shows every change that was acknowledged before the call. */
  untilCaughtUp: () => Promise<void>
  commands: PartialCommands
  urls: Pick<Urls, 'partial'>
}

const bodyLimit = 1024 * 1024
const sourceErrors = ['TEMPLATE_SYNTAX_ERROR', 'TEMPLATE_RENDER_ERROR', 'TEMPLATE_TOO_COMPLEX'] as const

const Deleted = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    templates: Type.Integer({
      description: 'templates that use it; those that follow partials cannot be filled any more',
    }),
    partials: Type.Integer({ description: 'partials that call it' }),
  },
  { title: 'DeletedPartial' },
)

export const partialRoutes: FastifyPluginAsyncTypebox<PartialRoutesOptions> = async (app, options) => {
  const { view, partials, untilCaughtUp, commands, urls } = options
  const create = async (
    request: FastifyRequest<{ Body: CreatePartialBody }>,
    metadata: CommandMetadata,
    messageId?: string,
  ) => {
    const { id: owner_id } = ownerOf(request)
    const { name, html } = request.body
    const data = { partial_id: partialId(owner_id, name), owner_id, name, html }
    const partial = await commands.execute({ type: 'CreatePartial', data }, metadata, messageId)
    if (!partial) throw new DependencyUnavailable(`partial ${name} not found after its creation`)
    const headers = { location: urls.partial(partial.id), etag: entityTag(partial.version) }
    return { status: 201, headers, body: partial }
  }

  const checkCount = (ownerId: string) => {
    const { count } = partialLimits
    if (view.count(ownerId) < count) return
    fail('PARTIAL_LIMIT_EXCEEDED', `An owner may have at most ${count} partials`)
  }

  app.post('/partials', {
    ...forWriting,
    bodyLimit,
    schema: {
      tags: partialTags,
      operationId: 'createPartial',
      summary: 'Create a partial',
      description:
        'Templates print it as `{{> name}}`, layouts as `{{#> name}}…{{/name}}`. It is compiled before it is stored, and the partials that it calls must exist. The name does not change.',
      headers: idempotencyHeaders,
      querystring: OwnerQuery,
      body: CreatePartialBody,
      response: withHeaders(
        { 201: ['Location', 'ETag', 'idempotency-replayed'] },
        {
          201: PartialRef,
          ...errorResponses(
            ...bodyErrors,
            ...sourceErrors,
            'CONFLICT',
            'PARTIAL_LIMIT_EXCEEDED',
            'IDEMPOTENCY_KEY_REUSED',
          ),
        },
      ),
    },
    async handler(request, reply) {
      checkHtml(request.body.html)
      if (request.body.name.startsWith('prt_')) invalidField('name', 'must not begin with prt_, as ids do')
      return createOnce(options, { request, reply, prefix: 'prt' }, async ({ commandId, commandTime, repeated }) => {
        // A repeated request may be answered with the partial that has reached the limit.
        if (!repeated) checkCount(ownerOf(request).id)
        // JetStream drops a message whose id it knows, but a repeated command must reach the handler to get its reply.
        const metadata = commandMetadata(request, commandId, commandTime)
        return create(request, metadata, repeated ? randomUUID() : undefined)
      })
    },
  })

  app.get('/partials', {
    ...forReading,
    schema: {
      tags: partialTags,
      operationId: 'listPartials',
      summary: 'List partials',
      description: 'Sorted by name. `next_cursor` is present if there are more.',
      querystring: Type.Object(
        {
          ...pageQuery,
          ...ownerQuery,
          summary: Type.Optional(Type.Boolean({ description: 'Leaves out `html`. Default false.' })),
        },
        { additionalProperties: false },
      ),
      response: {
        200: pageOf('PartialPage', ListedPartial, 'A page of partials.'),
        ...errorResponses('VALIDATION_ERROR'),
      },
    },
    async handler(request) {
      const { limit = defaultLimit, cursor, summary = false } = request.query
      const after = nameAfter(cursor, isPartialName)
      await untilCaughtUp()
      const page = view.page({ ownerId: ownerOf(request).id, after, limit, summary })
      return pageBody(
        page,
        ({ name }) => name,
        (partial) => partial,
      )
    },
  })

  app.get('/partials/:idOrName', {
    ...forReading,
    schema: {
      tags: partialTags,
      operationId: 'getPartial',
      summary: 'Get a partial by id or name',
      description: 'The `ETag` is the version. With a matching `If-None-Match` the response is a 304.',
      headers: Type.Object({ 'if-none-match': entityTags('The `ETag` of a copy.') }),
      params: PartialParams,
      querystring: OwnerQuery,
      response: withHeaders(
        { 200: ['ETag'], 304: ['ETag'] },
        { 200: PartialRef, 304: noBody('Not modified.'), ...errorResponses('PARTIAL_NOT_FOUND') },
      ),
    },
    async handler(request, reply) {
      const partial = await requestedPartial(partials, request)
      if (!isNoneMatch(request.headers['if-none-match'], partial.version)) return sendPartial(reply, partial)
      return reply.header('etag', entityTag(partial.version)).code(304).send()
    },
  })

  app.patch('/partials/:idOrName', {
    ...forWriting,
    bodyLimit,
    schema: {
      tags: partialTags,
      operationId: 'updatePartial',
      summary: 'Change a partial',
      description:
        'A change creates the next version. Templates print the version that they were saved with, until they are saved again, unless they follow partials. With `If-Match: "<version>"` the update fails with 412 if the partial is at another version.',
      headers: ifMatch,
      params: PartialParams,
      querystring: OwnerQuery,
      body: UpdatePartialBody,
      response: withHeaders(
        { 200: ['ETag'] },
        {
          200: PartialRef,
          ...errorResponses(...bodyErrors, ...sourceErrors, 'PARTIAL_NOT_FOUND', 'PRECONDITION_FAILED'),
        },
      ),
    },
    async handler(request, reply) {
      checkHtml(request.body.html)
      const { idOrName } = request.params
      const condition = await conditionOf(partials, request)
      const data = { ...condition, html: request.body.html }
      const partial = await commands.execute({ type: 'UpdatePartial', data }, commandMetadata(request))
      return sendPartial(reply, partial ?? missing(idOrName))
    },
  })

  app.delete('/partials/:idOrName', {
    ...forWriting,
    schema: {
      tags: partialTags,
      operationId: 'deletePartial',
      summary: 'Delete a partial',
      description:
        'Its versions stay readable, and templates that were saved with one print as before. The response says how many use it.',
      headers: ifMatch,
      params: PartialParams,
      querystring: OwnerQuery,
      response: { 200: Deleted, ...errorResponses('PARTIAL_NOT_FOUND', 'PRECONDITION_FAILED') },
    },
    async handler(request) {
      const { id, name } = await requestedPartial(partials, request)
      const command: PartialCommand = { type: 'DeletePartial', data: await conditionOf(partials, request) }
      // Counted before: once the partial is deleted, nothing may fail.
      await untilCaughtUp()
      const { counts } = view.usage(ownerOf(request).id, name)
      await commands.execute(command, commandMetadata(request))
      return { id, name, ...counts }
    },
  })
}

function checkHtml(html: string): void {
  const { htmlBytes } = partialLimits
  if (Buffer.byteLength(html) > htmlBytes) invalidField('html', `must be at most ${htmlBytes / 1024} KiB`)
}
