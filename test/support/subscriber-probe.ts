import { setImmediate } from 'node:timers/promises'
import { consumers } from '@platen/domain/streams/subjects.ts'
import type { NatsConnection } from 'nats'
import type { Test } from 'tap'

/** The streams that subscribers may read. */
const readable = ['EVENTS', 'REPLAY']
const others = ['COMMANDS', 'DEAD', 'KV_LEASES', 'KV_IDEMPOTENCY', 'KV_CHECKPOINTS', 'MINE']
const readingVerbs = [
  'STREAM.INFO.*',
  ...['CREATE', 'DURABLE.CREATE', 'INFO', 'MSG.NEXT'].map((verb) => `CONSUMER.${verb}.*.mine`),
]

/** Every request of JetStream's API about a stream `*`, besides those that read it. */
const otherVerbs = [
  ...['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'MSG.GET', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE', 'PEER.REMOVE'].map(
    (verb) => `STREAM.${verb}.*`,
  ),
  ...['STREAM.LEADER.STEPDOWN.*', 'DIRECT.GET.*', 'DIRECT.GET.*.events.x', 'CONSUMER.NAMES.*'],
  ...['DELETE', 'PAUSE', 'UNPIN', 'LEADER.STEPDOWN', 'RESET'].map((verb) => `CONSUMER.${verb}.*.mine`),
]

const requests = (verbs: string[], streams: string[]) =>
  streams.flatMap((stream) => verbs.map((verb) => `$JS.API.${verb.replace('*', stream)}`))

/** Which permission the attempt violates, or `allowed`. */
export async function refusal(nats: NatsConnection, attempt: () => unknown): Promise<string> {
  const reported: string[] = []
  const listen = async () => {
    for await (const { permissionContext } of nats.status()) {
      if (permissionContext) reported.push(`${permissionContext.operation} ${permissionContext.subject}`)
    }
  }
  void listen()
  attempt()
  // The server reports a violation before it answers the flush.
  await nats.flush()
  await setImmediate()
  return reported.join() || 'allowed'
}

/** Tries everything that the account of a subscriber must not do, and what it may do. */
export async function probeSubscriber(t: Test, subscriber: NatsConnection): Promise<void> {
  const ofServices = Object.values(consumers).filter(({ stream }) => stream === 'EVENTS')
  const refused = [
    ...['events.template.created.tpl_x', 'commands.template.tpl_x', 'commands.render.batch.key_x.pdf_x', 'dead.x'],
    ...['$KV.LEASES.relay.test', '_INBOX.x', '_INBOX_subscriber.x', 'anything', '$SYS.REQ.SERVER.PING', '$JSC.R.x'],
    ...['$JS.API.STREAM.LIST', '$JS.API.SERVER.REMOVE', '$JS.API.META.LEADER.STEPDOWN', '$JS.API.ACCOUNT.PURGE.PLATEN'],
    ...['$JS.ACK.COMMANDS.render-batch.1.1.1.1.0', '$JS.API.CONSUMER.MSG.NEXT.COMMANDS.render-batch'],
    ...requests(otherVerbs, [...readable, ...others]),
    ...requests([...readingVerbs, 'CONSUMER.LIST.*'], others),
    ...ofServices.flatMap(({ durable }) => [
      `$JS.API.CONSUMER.CREATE.EVENTS.${durable}`,
      `$JS.API.CONSUMER.CREATE.EVENTS.${durable}.events.generation.completed.>`,
      `$JS.API.CONSUMER.DURABLE.CREATE.EVENTS.${durable}`,
      `$JS.API.CONSUMER.MSG.NEXT.EVENTS.${durable}`,
      `$JS.API.CONSUMER.DELETE.EVENTS.${durable}`,
      `$JS.ACK.EVENTS.${durable}.1.1.1.1.0`,
    ]),
  ]
  const attempt = (subject: string) => refusal(subscriber, () => subscriber.publish(subject, 'forged'))
  const allowed: string[] = []
  for (const subject of refused) if ((await attempt(subject)) !== `publish ${subject}`) allowed.push(subject)
  t.same(allowed, [], `${refused.length} requests are refused`)
  const reading = [
    ...requests(readingVerbs, readable),
    '$JS.API.INFO',
    '$JS.API.STREAM.NAMES',
    '$JS.ACK.EVENTS.mine.1.1.1.1.0',
  ]
  for (const subject of reading) t.equal(await attempt(subject), 'allowed', subject)

  const subscriptions = [
    '>',
    '*',
    '_INBOX.>',
    '_INBOX.*',
    '_INBOX_other.>',
    'commands.>',
    'dead.>',
    '$KV.>',
    '$JS.>',
    '$SYS.>',
  ]
  for (const subject of subscriptions) {
    t.equal(await refusal(subscriber, () => subscriber.subscribe(subject)), `subscription ${subject}`)
  }
}
