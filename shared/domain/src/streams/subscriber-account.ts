import { consumers, streams } from './subjects.ts'
import { consumerRequests, readableStreams } from './subscriber-consumers.ts'

/** The NATS user that subscribers of the events share. */
export const subscriberUser = 'subscriber'

/** Clients of the account must set it: it may not listen to the default `_INBOX`, where other users get their replies. */
export const subscriberInboxPrefix = '_INBOX_subscriber'

const { events } = streams

/** Requests that JetStream answers. */
const direct = [
  '$JS.API.INFO',
  '$JS.API.STREAM.NAMES',
  ...readableStreams.flatMap((stream) => [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.CONSUMER.DELETE.${stream}.*`,
    `$JS.API.CONSUMER.INFO.${stream}.*`,
    `$JS.API.CONSUMER.LIST.${stream}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
    `$JS.ACK.${stream}.>`,
  ]),
]

/** Requests that are checked first: of the subscriber, and of the account of the services. */
const checked = readableStreams.flatMap((stream) =>
  ['CREATE', 'DURABLE.CREATE'].map((verb) => ({
    from: `$JS.API.CONSUMER.${verb}.${stream}.>`,
    to: `${consumerRequests.prefix}${verb}.${stream}.>`,
  })),
)

/** The consumers of the services. A subscriber that acknowledged their messages would suppress webhooks. */
const reserved = Object.values(consumers)
  .filter(({ stream }) => stream === events)
  .flatMap(({ durable }) => [
    `$JS.API.CONSUMER.CREATE.${events}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${events}.${durable}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${events}.${durable}`,
    `$JS.API.CONSUMER.DELETE.${events}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${events}.${durable}`,
    `$JS.ACK.${events}.${durable}.>`,
  ])

/**
 * The exports of the account of the services to the account of the subscribers, in nats-server's configuration. The
 * accounts have separate subjects, so JetStream's answers to a subscriber cannot be sent to a subject of the services.
 */
export const subscriberExports = [
  ...checked.map(({ to }) => ({ service: to })),
  ...direct.map((service) =>
    // A pull request has many answers.
    service.includes('.MSG.NEXT.') ? { service, response_type: 'stream' } : { service },
  ),
  { stream: 'events.>' },
]

export const subscriberImports = (account: string) => [
  ...checked.map(({ from, to }) => ({ service: { account, subject: to }, to: from })),
  ...direct.map((subject) => ({ service: { account, subject } })),
  { stream: { account, subject: 'events.>' } },
]

/** Permissions, as nats-server's configuration has them, to read the streams of the events, and nothing else. */
export const subscriberPermissions = {
  publish: {
    allow: [...direct, ...checked.map(({ from }) => from)],
    deny: reserved,
  },
  subscribe: { allow: [`${subscriberInboxPrefix}.>`, 'events.>'] },
}
