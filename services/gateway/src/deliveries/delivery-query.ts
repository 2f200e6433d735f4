import { DeliveryStatus } from '@platen/domain/delivery/delivery.ts'
import { statedRules } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { ownersQuery } from '../api-keys/owner-of.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { createdQuery, pageQuery, placeBefore, timeField } from '../http/pagination.ts'
import { severalOf, severalQuery } from '../http/several-values.ts'
import type { DeliveryFilter } from '../views/delivery-search.ts'

const idOf = (prefix: string, description: string) =>
  Type.Optional(Type.String({ maxLength: 64, [statedRules]: { pattern: `^${prefix}_[0-9a-z]{26}$` }, description }))

export const DeliveryQuery = Type.Object(
  {
    ...pageQuery,
    ...createdQuery,
    ...ownersQuery,
    status: severalQuery(DeliveryStatus.enum, 'exhausted'),
    endpoint: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        description: 'The host of the webhook URL, such as `hooks.example.com` or `localhost:9000`, or the whole URL.',
        examples: ['hooks.example.com'],
      }),
    ),
    generation_id: idOf('pdf', 'The generation that they report (`pdf_…`).'),
    batch_id: idOf('bat', 'The batch that they report (`bat_…`).'),
  },
  { additionalProperties: false },
)
export type DeliveryQuery = Static<typeof DeliveryQuery>

/** The filter of a query, but for the owner. Throws VALIDATION_ERROR. */
export function deliveryFilterOf(query: DeliveryQuery): Omit<DeliveryFilter, 'ownerId' | 'limit'> {
  const { status, endpoint, generation_id, batch_id, cursor, created_after, created_before } = query
  if (generation_id !== undefined && batch_id !== undefined) {
    invalidField('batch_id', 'cannot be given together with generation_id')
  }
  const ends = [placeBefore(cursor), timeAt('created_before', created_before)]
  return {
    statuses: severalOf(DeliveryStatus.enum, 'status', status),
    ...(endpoint !== undefined && endpointOf(endpoint)),
    source: generation_id ?? batch_id,
    from: timeAt('created_after', created_after),
    before: ends.filter((end) => end !== undefined).sort()[0],
  }
}

function timeAt(name: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : new Date(timeField(name, text)).toISOString()
}

function endpointOf(text: string): Pick<DeliveryFilter, 'host' | 'url'> {
  const isUrl = /^https?:\/\//i.test(text)
  const url = URL.parse(isUrl ? text : `http://${text}`)
  if (!url || (!isUrl && /[/?#@\\]/.test(text))) {
    return invalidField('endpoint', 'must be a host, such as hooks.example.com, or the URL of a webhook')
  }
  return { host: url.host, ...(isUrl && { url: url.href }) }
}
