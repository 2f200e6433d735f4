import { JsonObject, StringEnum, Timestamp } from '@platen/foundation/json/json.ts'
import { idTimeMs, numberedId, numberInId } from '@platen/foundation/runtime/ids.ts'
import { type Static, Type } from 'typebox'
import { GenerateBody, GenerationStatus } from '../generation/generation.ts'
import { Metadata } from '../generation/job-details.ts'
import { Failure } from '../http/failure.ts'

export const batchLimits = {
  items: 100_000,
  /** The most items of a JSON body, which is kept in memory as a whole. */
  itemsOfJson: 1_000,
  lineBytes: 2 ** 20,
  /** The most bytes of a body of lines. */
  bytes: 2 ** 30,
  /** Batches of an owner that have not ended. */
  unfinished: 100,
} as const

const { async: _async, webhook_url, data: _data, retain_input: _retain, ...common } = GenerateBody.properties

/** Fields that an item may leave to the batch. */
const shared = {
  ...common,
  file_name: Type.Optional(
    Type.String({
      ...common.file_name,
      description:
        'the name under which clients save the PDF. `{{customer.number}}` is replaced with this value of the data, `{{index}}` with the place of the item',
      examples: ['Invoice {{number}}'],
    }),
  ),
}

/** One document of a batch: a request to generate, without what concerns the answer. */
export const BatchItem = Type.Object(
  { ...shared, data: Type.Optional(JsonObject) },
  {
    title: 'BatchItem',
    additionalProperties: false,
    description: 'what it leaves out, it has from the batch',
  },
)
export type BatchItem = Static<typeof BatchItem>

export const BatchBody = Type.Object(
  {
    ...shared,
    webhook_url: Type.Optional(
      Type.String({ ...webhook_url, description: 'a POST is sent to it when the batch has ended' }),
    ),
    items: Type.Array(BatchItem, { minItems: 1, maxItems: batchLimits.itemsOfJson }),
  },
  {
    title: 'BatchRequest',
    additionalProperties: false,
    examples: [
      {
        html: '<h1>Ticket {{index}}</h1><p>{{name}}</p>',
        file_name: 'Ticket {{name}}',
        items: [{ data: { name: 'Ada' } }, { data: { name: 'Grace' } }],
      },
    ],
  },
)
export type BatchBody = Static<typeof BatchBody>

export const BatchStatus = StringEnum(['running', 'cancelling', 'completed', 'cancelled'], { title: 'BatchStatus' })
export type BatchStatus = Static<typeof BatchStatus>

const Count = Type.Integer({ minimum: 0 })

/** How many items have which status. */
export const BatchCounts = Type.Object(
  { queued: Count, rendering: Count, completed: Count, failed: Count, cancelled: Count },
  { title: 'BatchCounts' },
)
export type BatchCounts = Static<typeof BatchCounts>

export const BatchId = Type.String({ pattern: '^bat_[0-9a-z]{26}$' })

/** A batch in HTTP responses. */
export const Batch = Type.Object({
  id: Type.String({ examples: ['bat_01k9x2v7w3d5e8f0g2h4j6k8m0'] }),
  status: BatchStatus,
  created_at: Timestamp,
  total: Type.Integer({ minimum: 1, description: 'the number of its items' }),
  counts: BatchCounts,
  metadata: Type.Optional(Metadata),
  ended_at: Type.Optional(Timestamp),
})
export type Batch = Static<typeof Batch>

/** An item in HTTP responses. */
export const BatchItemResult = Type.Object(
  {
    index: Type.Integer({ minimum: 1, description: 'its place in the batch: 1 for the first' }),
    generation_id: Type.String({ examples: ['pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'] }),
    status: GenerationStatus,
    file_name: Type.Optional(Type.String()),
    metadata: Type.Optional(Metadata),
    url: Type.Optional(Type.String({ description: 'signed URL of the PDF, valid for a limited time' })),
    pages: Type.Optional(Type.Integer()),
    size: Type.Optional(Type.Integer({ description: 'bytes' })),
    error: Type.Optional(Failure),
  },
  { title: 'BatchItemResult' },
)
export type BatchItemResult = Static<typeof BatchItemResult>

/** The generation of an item, which is known before it is requested. Those of a batch sort by their places. */
export function itemGenerationId(batchId: string, index: number): string {
  return numberedId('pdf', idTimeMs(batchId), index, batchId)
}

/** The place of the generation in the batch; undefined if it is not one of its items. */
export function placeInBatch(batchId: string, generationId: string): number | undefined {
  const index = numberInId(generationId)
  return itemGenerationId(batchId, index) === generationId ? index : undefined
}
