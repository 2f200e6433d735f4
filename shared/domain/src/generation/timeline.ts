import { Warning } from '@platen/foundation/errors/warning.ts'
import { OpenEnum, Timestamp } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { Failure } from '../http/failure.ts'
import { GenerationStatus } from './generation.ts'

const Offset = Type.Integer({ description: 'since `accepted_at`, in ms' })

const TimelineSpan = Type.Object(
  {
    name: OpenEnum(['queued', 'attempt', 'template', 'print', 'store', 'webhook'], {
      title: 'SpanName',
      description:
        '`attempt`: a renderer worked on it; `template`, `print` and `store` are parts of the last attempt; `webhook`: a request to the receiver.',
    }),
    attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'of the renderer, or of the webhook' })),
    start_at: Timestamp,
    offset_ms: Offset,
    duration_ms: Type.Optional(Type.Integer({ description: 'absent while it goes on' })),
    renderer: Type.Optional(Type.String({ description: 'the process of an attempt' })),
    status: Type.Optional(Type.Integer({ description: 'HTTP status of the receiver' })),
    error: Type.Optional(Type.String({ description: 'why there was no answer of the receiver' })),
  },
  { title: 'TimelineSpan' },
)

const TimelineEvent = Type.Object(
  {
    at: Timestamp,
    offset_ms: Offset,
    since_previous_ms: Type.Integer({ description: 'since the event before, in ms' }),
    type: Type.String({ description: 'that of the recorded event; `queued` of one in the queue, `object` of a file' }),
    subject: Type.String({ description: 'the generation, its delivery, or the key of its file' }),
    what: Type.String({ description: 'for a person' }),
    revision: Type.Optional(Type.Integer({ description: 'its place in the stream' })),
    event_id: Type.Optional(Type.String()),
    request_id: Type.Optional(Type.String({ description: 'the request that caused it' })),
    command_id: Type.Optional(Type.String({ description: 'the command that caused it' })),
    duration_ms: Type.Optional(Type.Integer({ description: 'how long it took, if it is known' })),
  },
  { title: 'TimelineEvent' },
)

/** What happened to a generation, in HTTP responses. */
export const GenerationTimeline = Type.Object(
  {
    generation_id: Type.String({ examples: ['pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'] }),
    status: GenerationStatus,
    accepted_at: Timestamp,
    duration_ms: Type.Integer({ description: 'from the first to the last event' }),
    renderer: Type.Optional(Type.String({ description: 'the process of the last attempt' })),
    attempts: Type.Integer({ minimum: 0, description: 'how often a renderer has begun' }),
    queue_ms: Type.Optional(Type.Integer({ description: 'from the request until a renderer began' })),
    warnings: Type.Array(Warning),
    error: Type.Optional(Failure),
    request_ids: Type.Array(Type.String()),
    command_ids: Type.Array(Type.String()),
    spans: Type.Array(TimelineSpan, { description: 'what took time, for an axis' }),
    events: Type.Array(TimelineEvent, {
      description: 'oldest first; of a webhook that was redelivered often the newest 500',
    }),
    notes: Type.Array(Type.String(), { description: 'what is missing, and why' }),
  },
  {
    title: 'GenerationTimeline',
    description: 'The way of a generation from its request to its webhook.',
  },
)
export type GenerationTimeline = Static<typeof GenerationTimeline>
