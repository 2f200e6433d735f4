import {
  type Delivery,
  type DeliveryCommand,
  DeliveryStatus,
  type RedeliverAnswer,
} from '@platen/domain/delivery/delivery.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { listedOwner, OwnerQuery, ownerOf } from '../api-keys/owner-of.ts'
import type { GenerationFinder } from '../generations/find-generation.ts'
import { bodyErrors, DeliveryRef, errorResponses, idParams, pageOf } from '../http/openapi/route-schemas.ts'
import { defaultLimit, pageBody, Time, timeField } from '../http/pagination.ts'
import { resource } from '../http/resource.ts'
import type { CommandClient } from '../messaging/command-client.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { placeOfDelivery } from '../views/delivery-search.ts'
import type { DeliveryView } from '../views/delivery-view.ts'
import { DeliveryQuery, deliveryFilterOf } from './delivery-query.ts'
import { deliveryFinder } from './find-delivery.ts'
import { listDeliveries } from './list-deliveries.ts'

export interface DeliveryRoutesOptions {
  bus: Pick<Bus, 'clock'>
  store: StreamReader
  finder: GenerationFinder
  client: CommandClient
  deliveries: DeliveryView
  /** Resolves when the views show every change that was made before the call. */
  untilCaughtUp: () => Promise<void>
}

const tags = ['Webhooks']
const GenerationParams = idParams('pdf', 'Id of the generation')
const BatchParams = idParams('bat', 'Id of the batch')
const DeliveryParams = idParams('msg', 'Id of the delivery')
const Deliveries = Type.Object(
  { data: Type.Array(DeliveryRef) },
  { title: 'DeliveryList', description: 'The deliveries of a generation or of a batch.' },
)

/** A date. The range of an example may not be too old. */
const yesterday = () => new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10)

const RangeBody = Type.Object(
  {
    since: Time('Deliveries that were scheduled at this time or later. An RFC 3339 time, or a date (UTC).'),
    until: Type.Optional(Time('Deliveries that were scheduled earlier than this time. Default: now.')),
    status: Type.Optional({ ...DeliveryStatus, description: 'Default: `exhausted`.' }),
  },
  { title: 'RedeliverRequest', additionalProperties: false, examples: [{ since: yesterday() }] },
)
const RangeAnswer = Type.Object(
  {
    redelivered: Type.Integer({ description: 'The number of deliveries that are due now.' }),
    next_since: Type.Optional(
      Type.String({ description: 'Present if there are more deliveries in the range: send it as `since`.' }),
    ),
  },
  { title: 'RedeliverResult' },
)

export const deliveryRoutes = resource<DeliveryRoutesOptions>('deliveries', async (app, options) => {
  const { bus, store, finder, client, deliveries, untilCaughtUp } = options
  const forReading = { onRequest: needsScope('generations:read') }
  const forWriting = { onRequest: needsScope('generate') }

  const { find, findByGeneration, findByBatch } = deliveryFinder(store, finder)
  const execute = (id: string, command: DeliveryCommand, metadata: CommandMetadata) =>
    client.execute<RedeliverAnswer>({
      subject: commandSubjects.delivery(id),
      command: { ...command, metadata },
    })
  const redeliver = async (request: FastifyRequest, { reason: _, ...found }: Delivery): Promise<Delivery> => {
    const metadata = commandMetadata(request)
    await execute(found.id, { type: 'RedeliverDelivery', data: { delivery_id: found.id } }, metadata)
    // The answer is built from the recorded events without a read, so that it is sent even while the event store does
    // not answer.
    return { ...found, status: 'pending', next_attempt_at: metadata.time }
  }

  app.get('/generations/:id/deliveries', {
    ...forReading,
    schema: {
      tags,
      operationId: 'listDeliveries',
      summary: 'List the webhook deliveries of a generation, with every attempt',
      description: 'Empty if the generation has not ended or has no webhook.',
      params: GenerationParams,
      querystring: OwnerQuery,
      response: { 200: Deliveries, ...errorResponses('GENERATION_NOT_FOUND') },
    },
    async handler(request) {
      const found = await findByGeneration(request, request.params.id)
      return { data: found ? [found] : [] }
    },
  })

  app.post('/generations/:id/deliveries/redeliver', {
    ...forWriting,
    schema: {
      tags,
      operationId: 'redeliverGeneration',
      summary: 'Send the webhook of a generation again',
      description: 'With the same `webhook-id` and body. The schedule of attempts begins again.',
      params: GenerationParams,
      querystring: OwnerQuery,
      response: { 202: Deliveries, ...errorResponses('GENERATION_NOT_FOUND', 'DELIVERY_NOT_FOUND') },
    },
    async handler(request, reply) {
      const { id } = request.params
      const found = (await findByGeneration(request, id)) ?? noDelivery(id)
      return reply.code(202).send({ data: [await redeliver(request, found)] })
    },
  })

  app.get('/batches/:id/deliveries', {
    ...forReading,
    schema: {
      tags,
      operationId: 'listBatchDeliveries',
      summary: 'List the webhook deliveries of a batch, with every attempt',
      description: 'Empty if the batch has not ended or has no webhook.',
      params: BatchParams,
      querystring: OwnerQuery,
      response: { 200: Deliveries, ...errorResponses('BATCH_NOT_FOUND') },
    },
    async handler(request) {
      const found = await findByBatch(request, request.params.id)
      return { data: found ? [found] : [] }
    },
  })

  app.get('/deliveries', {
    ...forReading,
    config: { allOwners: true },
    schema: {
      tags,
      operationId: 'findDeliveries',
      summary: 'List the webhook deliveries of the owner, with their attempts',
      description: [
        'Those that were scheduled in the last 90 days, and older ones that are pending. Of each delivery there are the newest 20 attempts; `GET /v1/deliveries/{id}` has all.',
        'A request looks at a limited number of deliveries. A page may have fewer items than `limit`, or none, and still a `next_cursor`: it goes on there.',
      ].join('\n\n'),
      querystring: DeliveryQuery,
      response: {
        200: pageOf('DeliveryPage', DeliveryRef, 'A page of deliveries.'),
        ...errorResponses('VALIDATION_ERROR'),
      },
    },
    async handler(request) {
      const { limit = defaultLimit } = request.query
      const filter = { ...deliveryFilterOf(request.query), ownerId: listedOwner(request), limit }
      await untilCaughtUp()
      return pageBody(
        await listDeliveries(deliveries, filter),
        ({ id, created_at }) => placeOfDelivery(created_at, id),
        (delivery) => delivery,
      )
    },
  })

  app.get('/deliveries/:id', {
    ...forReading,
    schema: {
      tags,
      operationId: 'getDelivery',
      summary: 'Get a webhook delivery with every attempt',
      params: DeliveryParams,
      querystring: OwnerQuery,
      response: { 200: DeliveryRef, ...errorResponses('DELIVERY_NOT_FOUND') },
    },
    async handler(request) {
      return find(request, request.params.id)
    },
  })

  app.post('/deliveries/:id/redeliver', {
    ...forWriting,
    schema: {
      tags,
      operationId: 'redeliverDelivery',
      summary: 'Send a webhook again',
      description: 'With the same `webhook-id` and body. The schedule of attempts begins again.',
      params: DeliveryParams,
      querystring: OwnerQuery,
      response: { 202: DeliveryRef, ...errorResponses('DELIVERY_NOT_FOUND') },
    },
    async handler(request, reply) {
      const found = await find(request, request.params.id)
      return reply.code(202).send(await redeliver(request, found))
    },
  })

  app.post('/deliveries/redeliver', {
    ...forWriting,
    schema: {
      tags,
      operationId: 'redeliverRange',
      summary: 'Send the webhooks of a time range again',
      description: 'For example those that have failed while a receiver was down. The range may go back 90 days.',
      querystring: OwnerQuery,
      body: RangeBody,
      response: { 202: RangeAnswer, ...errorResponses(...bodyErrors) },
    },
    async handler(request, reply) {
      const { status = 'exhausted', ...range } = request.body
      const { id: owner_id } = ownerOf(request)
      const since = new Date(timeField('since', range.since)).toISOString()
      const until = new Date(
        range.until === undefined ? bus.clock.now() : timeField('until', range.until),
      ).toISOString()
      const data = { owner_id, since, until, status }
      return reply
        .code(202)
        .send(await execute(owner_id, { type: 'RedeliverDeliveries', data }, commandMetadata(request)))
    },
  })
})

function noDelivery(id: string): never {
  throw new DomainError('DELIVERY_NOT_FOUND', `Generation ${id} has no webhook, or it is not scheduled yet`)
}
