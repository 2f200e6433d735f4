import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import { type Static, Type } from 'typebox'
import { defineEvent, type PublicContext, type Recorded } from '../events/define-event.ts'
import { Anything, ApiKeyId, Count, known, OwnerId, Text, Time } from '../events/fields.ts'
import { redactUrls } from '../events/redact.ts'

// The gateway records these events; the notifier publishes them. The items are generations.

const batch = { category: 'batch', relay: 'notifier' } as const

export const batchStream = (batchId: string) => `batch-${batchId}`

const id = 'bat_01k9x2v7w3d5e8f0g2h4j6k8m0'

export interface RecordedBatch {
  owner_id: string
  api_key_id: string
  /** The number of items. */
  total: number
  /** The objects with the items: see `batchInput`. */
  input: { name: string; parts: number }
  metadata?: Record<string, string>
  webhook_url?: string
}

/** Stands for a batch whose first event is no longer in the log. */
const unknownBatch: RecordedBatch = {
  owner_id: 'unknown',
  api_key_id: 'unknown',
  total: 0,
  input: { name: 'unknown', parts: 0 },
}

const Job = {
  owner_id: OwnerId,
  api_key_id: ApiKeyId,
  total: Type.Integer({ minimum: 0, description: 'the number of items' }),
  metadata: Type.Record(Type.String(), Type.String(), { description: 'that of the request; empty if it has none' }),
  created_at: Type.String({ ...Time, description: 'when the batch was requested' }),
}
const JobObject = Type.Object(Job)

function job({ id, opening }: PublicContext<RecordedBatch>): Static<typeof JobObject> {
  const { owner_id, api_key_id, total, metadata = {} } = opening
  return { owner_id, api_key_id, total, metadata, created_at: new Date(idTimeMs(id)).toISOString() }
}

const exampleBatch: RecordedBatch = {
  owner_id: 'own_default',
  api_key_id: 'key_5x0w8z7v3d2e8f0g2h4j6k8m0a',
  total: 2_000,
  input: { name: id, parts: 3 },
  metadata: { run: 'january' },
  webhook_url: 'https://hooks.example.com/platen?token=secret',
}

export const BatchCreated = defineEvent({
  type: 'BatchCreated',
  aggregate: batch,
  summary: 'A batch was accepted.',
  data: known<RecordedBatch>(
    Type.Object({
      owner_id: Text,
      api_key_id: Text,
      total: Count,
      input: Type.Object({ name: Text, parts: Count }),
      metadata: Type.Optional(Type.Record(Text, Text)),
      webhook_url: Type.Optional(Text),
    }),
  ),
  describe: ({ total, api_key_id, webhook_url }) => [
    `batch of ${total} accepted`,
    `key ${api_key_id}`,
    webhook_url && `webhook ${redactUrls(webhook_url)}`,
  ],
  published: {
    subject: 'batch.created',
    data: JobObject,
    toPublic: (data, { id }: PublicContext<RecordedBatch>) => job({ id, opening: data }),
  },
  example: { id, data: exampleBatch },
})
export type BatchCreated = Recorded<typeof BatchCreated>

export const BatchCancelRequested = defineEvent({
  type: 'BatchCancelRequested',
  aggregate: batch,
  summary: 'No further item of a batch is begun.',
  data: Anything,
  describe: () => ['cancellation requested'],
  example: { id, data: {} },
})

export interface EndedBatch {
  /** `cancelled`: it was cancelled before its last item had begun. */
  status: 'completed' | 'cancelled'
  completed: number
  failed: number
  cancelled: number
}

const Counts = {
  status: Type.String({ description: '`completed`, also if items have failed, or `cancelled`' }),
  completed: Type.Integer({ minimum: 0, description: 'items with a PDF' }),
  failed: Type.Integer({ minimum: 0 }),
  cancelled: Type.Integer({ minimum: 0 }),
}

export const BatchEnded = defineEvent({
  type: 'BatchEnded',
  aggregate: batch,
  summary: 'Every item of a batch has ended.',
  data: known<EndedBatch>(Type.Object({ status: Text, completed: Count, failed: Count, cancelled: Count })),
  describe: ({ status, completed, failed, cancelled }) => [
    `batch ${status}`,
    `${completed} completed`,
    failed > 0 ? `${failed} failed` : undefined,
    cancelled > 0 ? `${cancelled} cancelled` : undefined,
  ],
  published: {
    subject: 'batch.ended',
    data: Type.Object({ ...Job, ...Counts }),
    toPublic: ({ status, completed, failed, cancelled }, context: PublicContext<RecordedBatch>) => ({
      ...job(context),
      status,
      completed,
      failed,
      cancelled,
    }),
    opening: { type: 'BatchCreated', lost: unknownBatch },
  },
  example: {
    id,
    data: { status: 'completed', completed: 1_998, failed: 2, cancelled: 0 },
    opening: exampleBatch,
  },
})
export type BatchEnded = Recorded<typeof BatchEnded>

export const batchEvents = { BatchCreated, BatchCancelRequested, BatchEnded }
export type BatchEvent = Recorded<(typeof batchEvents)[keyof typeof batchEvents]>
