import { consumers, replayStream, streams } from './subjects.ts'

/** The NATS user that subscribers of the events share. */
export const subscriberUser = 'subscriber'

/** Clients of the account must set it: it may not listen to the default `_INBOX`, where other users get their replies. */
export const subscriberInboxPrefix = '_INBOX_subscriber'

const { events } = streams

/** The streams that subscribers may read. */
const readable = [events, replayStream.name]

const allowed = [
  '$JS.API.INFO',
  '$JS.API.STREAM.NAMES',
  ...readable.flatMap((stream) => [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.>`,
    `$JS.API.CONSUMER.INFO.${stream}.*`,
    `$JS.API.CONSUMER.LIST.${stream}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
    `$JS.ACK.${stream}.>`,
  ]),
]

/** The consumers of the services. A subscriber that acknowledged their messages would suppress webhooks. */
const reserved = Object.values(consumers)
  .filter(({ stream }) => stream === events)
  .flatMap(({ durable }) => [
    `$JS.API.CONSUMER.CREATE.${events}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${events}.${durable}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${events}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${events}.${durable}`,
    `$JS.ACK.${events}.${durable}.>`,
  ])

/**
 * What the account of the services exports to the account of the subscribers, as nats-server's configuration has it.
 * Two accounts have separate subjects: JetStream's answers to a subscriber cannot be sent to a subject of the services.
 */
export const subscriberExports = [
  ...allowed.map((service) =>
    // A pull request has many answers.
    service.includes('.MSG.NEXT.') ? { service, response_type: 'stream' } : { service },
  ),
  { stream: 'events.>' },
]

export const subscriberImports = (account: string) => [
  ...allowed.map((subject) => ({ service: { account, subject } })),
  { stream: { account, subject: 'events.>' } },
]

/** Permissions, as nats-server's configuration has them, to read the stream EVENTS and nothing else. */
export const subscriberPermissions = {
  publish: {
    allow: allowed,
    deny: reserved,
  },
  subscribe: { allow: [`${subscriberInboxPrefix}.>`, 'events.>'] },
}
