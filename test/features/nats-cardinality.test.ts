import { consumers, streams } from '@platen/domain/streams/subjects.ts'
import { embeddedNatsUrl, readEmbeddedNats, servicesUser } from '@platen/service-kit/host/embedded-nats.ts'
import { connect } from 'nats'
import t from 'tap'
import { startReceiver } from '../support/notifier/receiver.ts'
import { startPlaten } from '../support/platen.ts'
import { until } from '../support/until.ts'

// What nats-server keeps in memory: an entry for each subject of a stream, and the state of each consumer. A stream whose subjects
// grow with the work is named here, with what bounds it. One that is not named may not grow.

t.setTimeout(600_000)

const owners = 6
const documents = 6

const resources = new AsyncDisposableStack()
t.teardown(() => resources.disposeAsync())
const platen = resources.use(await startPlaten({ WEBHOOK_ALLOW_PRIVATE: 'true' }))
const receiver = resources.use(await startReceiver())
const nats = await connectToNats()

interface Growing {
  /** Subjects of a document with a webhook and a kept input. */
  perDocument: number
  /** Subjects of an owner with a key and a template. */
  perOwner: number
  /** The limits of the stream that bound them. */
  bounds: ('max_bytes' | 'max_age')[]
}

/** The streams whose subjects grow. */
const growing: Record<string, Growing> = {
  // Each type of event of each aggregate: three of a generation, two of its webhook. A relay looks for the last message of a
  // subject, and subscribers filter by id.
  [streams.events]: { perDocument: 5, perOwner: 4, bounds: ['max_bytes', 'max_age'] },
  KV_IDEMPOTENCY: { perDocument: 1, perOwner: 1, bounds: ['max_bytes', 'max_age'] },
  KV_DELIVERY_CLAIMS: { perDocument: 1, perOwner: 0, bounds: ['max_age'] },
  // A key of each kept input, and how much an owner keeps.
  KV_INPUT_KEYS: { perDocument: 1, perOwner: 1, bounds: ['max_bytes', 'max_age'] },
}

async function connectToNats() {
  const embedded = await readEmbeddedNats(platen.dataDir)
  const pass = embedded?.passwords.services ?? ''
  const connection = await connect({ servers: embeddedNatsUrl(embedded?.port ?? 0), user: servicesUser, pass })
  resources.defer(() => connection.close())
  return connection
}

interface Cardinality {
  /** Distinct subjects, by stream. */
  subjects: Record<string, number>
  /** `COMMANDS/template` */
  consumers: string[]
}

async function cardinality(): Promise<Cardinality> {
  const jsm = await nats.jetstreamManager()
  const found: Cardinality = { subjects: {}, consumers: [] }
  for await (const { config, state } of jsm.streams.list()) {
    found.subjects[config.name] = state.num_subjects ?? 0
    for await (const { name } of jsm.consumers.list(config.name)) found.consumers.push(`${config.name}/${name}`)
  }
  found.consumers.sort()
  return found
}

/** Documents of several owners, each with a template, a key, an Idempotency-Key, a kept input and a webhook, until all is sent. */
async function work(round: number): Promise<void> {
  const before = receiver.on('/hook').length
  for (let nth = 0; nth < owners; nth++) {
    const { body: owner } = await platen.json<{ id: string }>('/v1/owners', { body: { name: `Owner ${round} ${nth}` } })
    const key = await platen.json<{ key: string }>(`/v1/keys?owner=${owner.id}`, {
      body: { name: 'k', scopes: ['generate', 'templates:write', 'templates:read'] },
    })
    const headers = { authorization: `Bearer ${key.body.key}` }
    const template = await platen.json<{ slug: string }>('/v1/templates', {
      headers,
      body: { name: 'Label', html: '<p>{{name}}' },
    })
    if (template.status !== 201) throw new Error(JSON.stringify(template.body))
    for (let document = 0; document < documents; document++) {
      const { status, body } = await platen.json('/v1/generate', {
        headers: { ...headers, 'idempotency-key': `${round} ${nth} ${document}` },
        body: {
          async: true,
          template: template.body.slug,
          data: { name: document },
          retain_input: 1,
          webhook_url: receiver.url('/hook'),
        },
      })
      if (status !== 202) throw new Error(JSON.stringify(body))
    }
  }
  await until(() => receiver.on('/hook').length >= before + owners * documents || undefined, 'webhooks are missing')
  const jsm = await nats.jetstreamManager()
  await until(
    async () => (await jsm.streams.info(streams.commands)).state.messages === 0 || undefined,
    'commands are left in the queue',
  )
}

t.test('what nats-server has for each document is bounded, and consumers are constant', async (t) => {
  await work(0)
  const before = await cardinality()
  await work(1)
  const after = await cardinality()
  const jsm = await nats.jetstreamManager()
  for (const [stream, count] of Object.entries(after.subjects)) {
    const grown = count - (before.subjects[stream] ?? 0)
    const { perDocument, perOwner, bounds } = growing[stream] ?? { perDocument: 0, perOwner: 0, bounds: [] }
    t.comment(`${stream}: ${count} subjects, ${grown} of ${owners} more owners with ${documents} documents each`)
    const most = owners * (perOwner + perDocument * documents)
    t.ok(grown <= most, `${stream} has ${grown} subjects more, at most ${most}`)
    const { config } = await jsm.streams.info(stream)
    for (const bound of bounds) t.ok(config[bound] > 0, `${stream} is bounded by ${bound}`)
  }
  t.equal(after.subjects[streams.commands], 0, 'a command has gone when it is done')
  const own = Object.values(consumers).map(({ stream, durable }) => `${stream}/${durable}`)
  t.strictSame(before.consumers, own.sort(), 'consumers')
  t.strictSame(after.consumers, before.consumers)
})

t.test('clients that follow events, a status or a batch have no consumers', async (t) => {
  const before = await cardinality()
  const stop = new AbortController()
  const batch = await platen.json<{ id: string }>('/v1/batches', { body: { items: [{ html: '<p>a' }] } })
  const paths = ['/v1/events/follow', '/v1/status/events', `/v1/batches/${batch.body.id}/events`]
  const sources = await Promise.all(
    paths.flatMap((path) => [path, path, path]).map((path) => platen.request(path, { signal: stop.signal })),
  )
  for (const { status, url } of sources) t.equal(status, 200, url)
  t.strictSame((await cardinality()).consumers, before.consumers)
  stop.abort()
})
