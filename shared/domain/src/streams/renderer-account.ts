import { buckets } from './buckets.ts'
import { inputKeyRequests, rendererConsumers, streams } from './subjects.ts'

/**
 * What the subjects of answers to a renderer begin with: its user of NATS may not listen to the default `_INBOX`, where the other
 * services get their replies.
 */
export const rendererInboxPrefix = '_INBOX_renderer'

const { leases, checkpoints, processes } = buckets
const relay = 'relay.renderer'

/**
 * Permissions, as nats-server's configuration has them, of a renderer that has a user of its own: it reads its commands, answers them,
 * and publishes its events. It changes nothing else.
 */
export const rendererPermissions = {
  publish: [
    'events.generation.>',
    ...rendererConsumers.map(({ filterSubject }) => `dead-letters.${filterSubject}`),
    'replies.>',
    ...[leases, checkpoints].flatMap(({ name }) => [`$KV.${name}.${relay}`, `$KV.${name}.${relay}.>`]),
    `$KV.${processes.name}.*`,
    ...['$JS.API.INFO', '$JS.API.STREAM.INFO.*', '$JS.API.CONSUMER.INFO.*.*'],
    ...rendererConsumers.flatMap(({ stream, durable }) => [
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
      `$JS.ACK.${stream}.${durable}.>`,
    ]),
    ...[leases, checkpoints].flatMap(({ name }) => [
      `$JS.API.DIRECT.GET.KV_${name}.$KV.${name}.>`,
      `$JS.API.STREAM.MSG.GET.KV_${name}`,
    ]),
    `$JS.API.STREAM.MSG.GET.${streams.events}`,
    inputKeyRequests.subject,
  ],
  subscribe: [`${rendererInboxPrefix}.>`, 'commands.cancel.*', 'previews.>'],
}
