import { OpenEnum, Timestamp } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'

// How it stands, in HTTP responses. A part that is not known is absent, and `not_checked` says why. Times are points in time and
// not ages, so that a status changes only when something happens.

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const QueuedCounts = Type.Object(
  {
    interactive: Count('a client waits for them'),
    batch: Count('asynchronous ones, and items of batches'),
  },
  { title: 'QueuedCounts' },
)

const FailureCount = Type.Object(
  { code: Type.String({ description: 'an error code' }), count: Count('how many') },
  { title: 'FailureCount' },
)

const EndedCounts = Type.Object(
  {
    completed: Count('with a PDF'),
    failed: Count('with an error'),
    cancelled: Count('by a request'),
    failures: Type.Array(FailureCount, { description: 'those that have failed, by code, the most frequent first' }),
  },
  { title: 'EndedCounts' },
)

const GenerationFigures = Type.Object(
  {
    accepted: Type.Optional(Count('accepted and not ended: those that are queued, and those that are being rendered')),
    queued: Type.Optional(QueuedCounts),
    rendering: Type.Optional(Count('taken by a renderer')),
    last_hour: EndedCounts,
  },
  {
    title: 'GenerationFigures',
    description: '`last_hour`: in the last 60 minutes, of which the current one is the last.',
  },
)

const NotCheckedPart = Type.Object(
  { part: Type.String({ description: 'the name of the field' }), reason: Type.String() },
  { title: 'NotCheckedPart' },
)

const StatusAttention = Type.Object(
  {
    level: OpenEnum(['wrong', 'note'], { title: 'AttentionLevel' }),
    what: Type.String({ description: 'what it is about, such as `renderer` or `dead letters`' }),
    found: Type.String(),
    remedy: Type.String({ description: 'what to do; names of commands are those of `platen`' }),
  },
  { title: 'StatusAttention' },
)

const StatusAlert = Type.Object(
  {
    alert: Type.String({ description: 'its name in `deploy/monitoring/alerts.yaml`, and that of its runbook' }),
    severity: OpenEnum(['critical', 'warning'], { title: 'AlertSeverity' }),
    state: OpenEnum(['active', 'inactive', 'not_evaluated'], {
      title: 'AlertState',
      description: '`active`: the condition holds now. Prometheus fires when it has held for `for_s` seconds.',
    }),
    for_s: Count('how long the condition must hold, in seconds'),
    found: Type.Array(Type.String(), { description: 'what meets the condition; at most 20' }),
    reason: Type.Optional(Type.String({ description: 'why it was not evaluated' })),
  },
  { title: 'StatusAlert' },
)

const StatusEngine = Type.Object(
  {
    engine: OpenEnum(['NATS', 'event store', 'object store'], { title: 'EngineName' }),
    ok: Type.Boolean(),
    reason: Type.Optional(Type.String({ description: 'why it cannot be used' })),
  },
  { title: 'StatusEngine' },
)

const StatusBrowser = Type.Object(
  {
    mode: Type.String({ description: '`static` or `scripted`' }),
    up: Type.Boolean({ description: 'it runs, or is started by the next document that needs it' }),
    documents: Count('printed since it was started'),
    memory_bytes: Type.Optional(Count('of all its processes')),
    mean_ms: Type.Optional(
      Count('mean time to render a document in the last five minutes, in ms; absent if there was none'),
    ),
  },
  { title: 'StatusBrowser' },
)

const StatusReason = Type.Object({ check: Type.String(), reason: Type.String() }, { title: 'StatusReason' })

const StatusProcess = Type.Object(
  {
    instance: Type.String({ description: 'this start of the process' }),
    program: Type.String({ description: 'a service, or `single-node`' }),
    state: Type.String({ description: '`starting`, `running` or `stopping`' }),
    services: Type.Array(Type.String(), { description: 'those that run in it' }),
    ready: Type.Boolean(),
    silent: Type.Boolean({
      description: 'it has given no sign for 16 s: it was killed, hangs, or does not reach NATS',
    }),
    reasons: Type.Array(StatusReason, { description: 'why it is not ready' }),
    version: Type.String(),
    host: Type.String(),
    pid: Type.Integer(),
    started_at: Timestamp,
    seen_at: Type.String({
      format: 'date-time',
      description: 'when it has last given a sign, which it does every 5 s',
    }),
    browsers: Type.Optional(Type.Array(StatusBrowser, { description: 'those of a renderer' })),
  },
  { title: 'StatusProcess' },
)

const StatusService = Type.Object(
  { service: Type.String(), processes: Count('in which it runs') },
  { title: 'StatusService' },
)

const StatusQueue = Type.Object(
  {
    priority: Type.String({
      description:
        '`interactive`, `batch`, or `backlog`: those of an API key that has many; with `tools-` before it: operations on PDFs',
    }),
    waiting: Count('not taken by a renderer'),
    in_progress: Count('taken'),
    oldest_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'when the oldest of both was requested' }),
    ),
  },
  { title: 'StatusQueue' },
)

const StatusConsumer = Type.Object(
  {
    stream: Type.String(),
    consumer: Type.String({ description: 'its durable name' }),
    own: Type.Boolean({ description: "Platen's own, not a subscriber's" }),
    pending: Count('messages that were not delivered'),
    unacknowledged: Count('delivered, and not acknowledged'),
    redelivered: Count('delivered more than once, of those'),
    last_active_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'when it has last acknowledged a message, since NATS was started',
      }),
    ),
    read: Type.Boolean({ description: 'somebody asks for messages' }),
  },
  { title: 'StatusConsumer' },
)

const StatusRelayPartition = Type.Object(
  {
    partition: Count('its number, from 0'),
    behind: Count('events that are not published; counted up to 1,000'),
    oldest_at: Type.Optional(Type.String({ format: 'date-time', description: 'when the oldest of them was recorded' })),
    held_by: Type.Optional(Type.String({ description: 'the process that publishes' })),
  },
  { title: 'StatusRelayPartition' },
)

const StatusRelay = Type.Object(
  {
    relay: Type.String({ description: 'the service whose events it publishes' }),
    state: OpenEnum(['caught_up', 'behind', 'other_event_store', 'unused'], { title: 'RelayState' }),
    behind: Count('events that are not published; counted up to 1,000'),
    oldest_at: Type.Optional(Type.String({ format: 'date-time', description: 'when the oldest of them was recorded' })),
    held_by: Type.Optional(Type.String({ description: 'the process that publishes' })),
    last_at: Type.Optional(Type.String({ format: 'date-time', description: 'when it has last published' })),
    reason: Type.Optional(Type.String({ description: 'why it cannot go on' })),
    partitions: Type.Optional(Type.Array(StatusRelayPartition, { description: 'of a relay with several; at most 16' })),
  },
  { title: 'StatusRelay' },
)

const StatusView = Type.Object(
  {
    process: Type.String(),
    view: Type.String({ description: '`requests` of a gateway, `deliveries` of a notifier' }),
    lag_s: Type.Number({ minimum: 0, description: 'how far it is behind the log, in seconds' }),
  },
  { title: 'StatusView' },
)

const StatusDeliveries = Type.Object(
  {
    pending: Count('webhooks that have not ended'),
    overdue_s: Type.Number({ minimum: 0, description: 'for how long the oldest attempt has been due' }),
    receivers_failing: Count('receivers whose last attempts have all failed'),
    receivers_disabled: Count('receivers that get nothing any more'),
  },
  { title: 'StatusDeliveries' },
)

const ReasonCount = Type.Object({ reason: Type.String(), count: Count('how many') }, { title: 'ReasonCount' })
const StatusDeadLetters = Type.Object(
  {
    count: Count('how many there are'),
    reasons: Type.Array(ReasonCount, { description: 'those of the newest hundred' }),
  },
  { title: 'StatusDeadLetters' },
)

const StatusDisk = Type.Object(
  {
    host: Type.String(),
    path: Type.String(),
    free_bytes: Type.Number({ minimum: 0 }),
    total_bytes: Type.Number({ minimum: 0 }),
  },
  { title: 'StatusDisk' },
)

const StatusBackup = Type.Object(
  { at: Type.Optional(Timestamp), where: Type.Optional(Type.String()) },
  { title: 'StatusBackup' },
)

/** Of an owner it has `owner_id`, `generations` and `not_checked` only. */
export const Status = Type.Object({
  at: Type.String({ format: 'date-time', description: 'when it was computed' }),
  owner_id: Type.Optional(Type.String({ description: 'whose figures these are; absent for those of the deployment' })),
  generations: GenerationFigures,
  not_checked: Type.Array(NotCheckedPart, { description: 'fields that are absent because they could not be checked' }),
  deployment: Type.Optional(Type.String({ description: 'its identity' })),
  attention: Type.Optional(Type.Array(StatusAttention, { description: 'what deserves attention, the worst first' })),
  alerts: Type.Optional(Type.Array(StatusAlert, { description: 'the alerts that are shipped, evaluated' })),
  engines: Type.Optional(Type.Array(StatusEngine)),
  processes: Type.Optional(Type.Array(StatusProcess, { description: 'at most 500' })),
  services: Type.Optional(Type.Array(StatusService)),
  queues: Type.Optional(Type.Array(StatusQueue)),
  consumers: Type.Optional(Type.Array(StatusConsumer, { description: 'at most 1,000 of a stream' })),
  relays: Type.Optional(Type.Array(StatusRelay)),
  views: Type.Optional(Type.Array(StatusView)),
  deliveries: Type.Optional(StatusDeliveries),
  dead_letters: Type.Optional(StatusDeadLetters),
  disks: Type.Optional(Type.Array(StatusDisk)),
  last_backup: Type.Optional({ ...StatusBackup, description: 'empty if none is known' }),
})
export type Status = Static<typeof Status>
