import { setImmediate } from 'node:timers/promises'
import { consumers } from '@platen/domain/streams/subjects.ts'
import { AckPolicy, type ConsumerConfig, type NatsConnection } from 'nats'
import type { Test } from 'tap'

/** The streams that subscribers may read. */
const readable = ['EVENTS', 'REPLAY']
const others = ['COMMANDS', 'DEAD_LETTERS', 'KV_LEASES', 'KV_IDEMPOTENCY', 'KV_CHECKPOINTS', 'MINE']
const readingVerbs = [
  'STREAM.INFO.*',
  ...['CREATE', 'DURABLE.CREATE', 'DELETE', 'INFO', 'MSG.NEXT'].map((verb) => `CONSUMER.${verb}.*.mine`),
]

/** Every request of JetStream's API about a stream `*`, besides those that read it. */
const otherVerbs = [
  ...['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'MSG.GET', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE', 'PEER.REMOVE'].map(
    (verb) => `STREAM.${verb}.*`,
  ),
  ...['STREAM.LEADER.STEPDOWN.*', 'DIRECT.GET.*', 'DIRECT.GET.*.events.x', 'CONSUMER.NAMES.*'],
  ...['PAUSE', 'UNPIN', 'LEADER.STEPDOWN', 'RESET'].map((verb) => `CONSUMER.${verb}.*.mine`),
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
    ...[
      'events.template.created.tpl_x',
      'commands.template.tpl_x',
      'commands.render.batch.key_x.pdf_x',
      'dead-letters.x',
    ],
    ...[
      '$KV.LEASES.relay.test',
      '_INBOX.x',
      '_INBOX_subscriber.x',
      'anything',
      'consumers.CREATE.EVENTS.mine',
      '$SYS.REQ.SERVER.PING',
      '$JSC.R.x',
    ],
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
    'dead-letters.>',
    '$KV.>',
    '$JS.>',
    '$SYS.>',
  ]
  for (const subject of subscriptions) {
    t.equal(await refusal(subscriber, () => subscriber.subscribe(subject)), `subscription ${subject}`)
  }
}

/** Where a push consumer would write: a stream or a bucket of the services, what others listen to, or nobody. */
const targets = [
  ...[
    'events.generation.completed.pdf_forged',
    'replay.mine.x',
    'commands.cancel.pdf_x',
    'commands.template.tpl_x',
    'dead-letters.x',
  ],
  ...[
    '$KV.LEASES.relay.test',
    '$KV.CHECKPOINTS.relay.test',
    '$KV.IDEMPOTENCY.x',
    'previews.render',
    '$JS.API.STREAM.DELETE.EVENTS',
  ],
  ...['_INBOX.x', '_INBOX_subscriber.x', 'mine'],
]

/** Tries consumers of all kinds on a stream: pull consumers are created and deleted, and no other exists afterwards. */
export async function probeConsumers(t: Test, subscriber: NatsConnection, stream: string): Promise<void> {
  const ask = async (verb: string, body: object) => {
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await subscriber.request(`$JS.API.CONSUMER.${verb}`, payload, { timeout: 5_000 })
    return answer.json<{
      error?: { code: number; description: string }
      consumers?: { name: string }[]
      success?: boolean
    }>()
  }
  const create = (verb: string, config: object) => ask(verb, { stream_name: stream, config })
  const pull = { durable_name: 'mine', ack_policy: AckPolicy.Explicit }
  const verbs = [`CREATE.${stream}.mine`, `DURABLE.CREATE.${stream}.mine`]
  const wrong = [
    ...targets.flatMap((subject) => [
      { deliver_subject: subject },
      { Deliver_Subject: subject },
      { DELIVER_SUBJECT: subject },
    ]),
    { deliver_group: 'x' },
    { direct: true },
    { sample_freq: '100%' },
  ]
  const accepted: string[] = []
  for (const verb of verbs) {
    for (const config of wrong) {
      const { error } = await create(verb, { ...pull, ...config })
      if (error?.code !== 403) accepted.push(`${verb} ${JSON.stringify(config)}`)
    }
    const beside = { stream_name: stream, config: pull, Config: { ...pull, deliver_subject: 'dead-letters.x' } }
    if ((await ask(verb, beside)).error?.code !== 403) accepted.push(`${verb} a second config`)
    const twice = `{"stream_name":"${stream}","config":{"durable_name":"mine"},"config":{"deliver_subject":"dead-letters.x"}}`
    if ((await ask(verb, twice as unknown as object)).error?.code !== 403) accepted.push(`${verb} config twice`)
    const elsewhere = { stream_name: 'COMMANDS', config: pull }
    if ((await ask(verb, elsewhere)).error?.code !== 403) accepted.push(`${verb} another stream`)
  }
  t.same(accepted, [], `consumers of ${stream} that write are refused`)
  const { consumers: left = [] } = await ask(`LIST.${stream}`, {})
  t.same(
    left.filter(({ name }) => !name.startsWith('notifier-')),
    [],
    'and none of them exists',
  )
  const names: Partial<ConsumerConfig> = { durable_name: 'notifier-completed', name: 'notifier-completed' }
  t.match(await create(verbs[0] ?? '', { ...pull, ...names }), { error: { code: 403 } }, 'a consumer of the services')

  for (const verb of [...verbs, `CREATE.${stream}.mine.>`]) {
    const filter = verb.endsWith('>') ? { filter_subject: '>' } : {}
    t.notOk(
      (await create(verb, { ...pull, name: 'mine', ...filter, deliver_subject: '', flow_control: false })).error,
      verb,
    )
    t.match(await ask(`DELETE.${stream}.mine`, {}), { success: true }, 'and deleted')
  }
}
