import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { objectCategories } from '@platen/domain/streams/object-categories.ts'
import { rendererInboxPrefix, rendererPermissions } from '@platen/domain/streams/renderer-account.ts'
import { setUpStreams } from '@platen/domain/streams/set-up-streams.ts'
import { streamConfigs } from '@platen/domain/streams/stream-configs.ts'
import { consumers, renderQueues } from '@platen/domain/streams/subjects.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { joinDeployment } from '@platen/service-kit/host/join-deployment.ts'
import { startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { startOneOfEach } from '@platen/test-support/one-of-each.ts'
import { refusal } from '@platen/test-support/subscriber-probe.ts'
import { connect, headers } from 'nats'
import t, { type Test } from 'tap'
import { readText, root } from '../testing/compose-file.ts'

const log = createLogger('test', 'silent')
const passwords = {
  OPERATORS_PASSWORD: 'p-operators',
  NATS_PASSWORD: 'p-services',
  NATS_RENDERER_PASSWORD: 'p-renderer',
  SUBSCRIBER_PASSWORD: 'p-subscriber',
}

/** With all streams. */
async function startServer() {
  await using resources = new AsyncDisposableStack()
  const server = resources.use(await startNatsServer(['-c', join(root, 'deploy/nats/accounts.conf')], passwords))
  await using operators = await openBus({ url: server.url, user: 'operators', password: 'p-operators' }, 'test', log)
  for await (const _ of setUpStreams(operators));
  const running = resources.move()
  const { url, restart } = server
  return { url, restart, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

async function connectRenderer(t: Test, servers: string) {
  const nats = await connect({ servers, user: 'renderer', pass: 'p-renderer', inboxPrefix: rendererInboxPrefix })
  t.teardown(() => nats.close())
  return nats
}

/** The API of JetStream about streams `*` and consumers `+`. */
const verbsOfStreams = [
  ...['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'MSG.GET', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE', 'PEER.REMOVE'],
  'LEADER.STEPDOWN',
].map((verb) => `$JS.API.STREAM.${verb}.*`)
const verbsOfConsumers = ['CREATE', 'DURABLE.CREATE', 'DELETE', 'MSG.NEXT', 'PAUSE', 'LEADER.STEPDOWN', 'RESET'].map(
  (verb) => `$JS.API.CONSUMER.${verb}.*.+`,
)

t.test('deploy/nats has the permissions of a renderer', async (t) => {
  const text = await readFile(join(root, 'deploy/nats/renderer.conf'), 'utf8')
  const [permissions, imports] = text
    .split('RENDERER_IMPORTS')
    .map((part) => [...part.matchAll(/"(.+?)"/g)].map(([, subject]) => subject))
  const { publish, subscribe } = rendererPermissions
  t.same(permissions, [...publish, ...subscribe])
  t.same(imports, [...publish, ...subscribe.filter((subject) => !subject.startsWith(rendererInboxPrefix))])
  for (const file of ['accounts.conf', 'nats.conf']) {
    const [, account] = readText(`deploy/nats/${file}`).split(/RENDERERS:? \{/)
    t.match(account, /user: renderer, .*permissions: \$RENDERER_PERMISSIONS/)
    t.match(account, /imports: \$RENDERER_IMPORTS/)
  }
})

t.test('with the credentials of a renderer everything of the other services is refused', async (t) => {
  await using server = await startServer()
  const nats = await connectRenderer(t, server.url)
  const streams = [...streamConfigs.map(({ name }) => name), ...Object.values(buckets).map(({ name }) => `KV_${name}`)]
  const readable = ['EVENTS', 'KV_LEASES', 'KV_CHECKPOINTS']
  const own: string[] = [...renderQueues.map((queue) => consumers[queue].durable), consumers.cancel.durable]
  const others = Object.values(consumers).filter(({ durable }) => !own.includes(durable))
  const refused = [
    ...['commands.template.x', 'commands.render.batch.own_x.pdf_x', 'commands.delivery.x', 'commands.cancel.pdf_x'],
    ...[
      'events.template.created.tpl_x',
      'events.owner.disabled.own_x',
      'events.delivery.succeeded.msg_x',
      'webhooks.x',
    ],
    ...[
      '_INBOX.x',
      'dead-letters.commands.template.x',
      'dead-letters.x',
      'previews.x',
      'anything',
      `${rendererInboxPrefix}.x`,
    ],
    ...Object.values(buckets)
      .filter(({ name }) => name !== 'PROCESSES')
      .map(({ name }) => `$KV.${name}.x`),
    ...['$KV.CHECKPOINTS.deployment', '$KV.CHECKPOINTS.relay.notifier', '$KV.LEASES.relay.template'],
    ...['$JS.API.STREAM.LIST', '$JS.API.STREAM.NAMES', '$JS.API.ACCOUNT.PURGE.PLATEN', '$SYS.REQ.SERVER.PING'],
    ...streams
      .flatMap((stream) => verbsOfStreams.map((verb) => verb.replace('*', stream)))
      .filter((subject) => !readable.some((stream) => subject === `$JS.API.STREAM.MSG.GET.${stream}`)),
    ...streams.flatMap((stream) => verbsOfConsumers.map((verb) => verb.replace('*', stream).replace('+', 'mine'))),
    ...streams
      .filter((stream) => !['KV_LEASES', 'KV_CHECKPOINTS'].includes(stream))
      .flatMap((stream) => [`$JS.API.DIRECT.GET.${stream}`, `$JS.API.DIRECT.GET.${stream}.x`]),
    ...others.flatMap(({ stream, durable }) => [
      `$JS.ACK.${stream}.${durable}.1.1.1.1.0`,
      ...verbsOfConsumers.map((verb) => verb.replace('*', stream).replace('+', durable)),
    ]),
    // It reads its own consumers, and does not change them.
    ...own.flatMap((durable) => [
      `$JS.API.CONSUMER.DELETE.COMMANDS.${durable}`,
      `$JS.API.CONSUMER.PAUSE.COMMANDS.${durable}`,
    ]),
  ]
  const attempt = (subject: string) => refusal(nats, () => nats.publish(subject, 'forged'))
  const allowed: string[] = []
  for (const subject of refused) if ((await attempt(subject)) !== `publish ${subject}`) allowed.push(subject)
  t.same(allowed, [], `${refused.length} requests are refused`)
  for (const subject of [
    '>',
    '_INBOX.>',
    '_INBOX.*',
    'commands.>',
    'commands.render.>',
    'events.>',
    '$KV.>',
    '$JS.>',
    'webhooks.>',
  ])
    t.equal(await refusal(nats, () => nats.subscribe(subject)), `subscription ${subject}`)
})

t.test('no answer of JetStream to a renderer reaches a bucket or a stream', async (t) => {
  await using server = await startServer()
  await using operators = await openBus({ url: server.url, user: 'operators', password: 'p-operators' }, 'test', log)
  const keys = await operators.js.views.kv(buckets.inputKeys.name)
  await keys.put('pdf_x', 'the key')
  await operators.js.publish('events.generation.completed.pdf_x', 'an event')
  await operators.js.publish('commands.render.batch.own_x.pdf_x', 'a command')
  const nats = await connectRenderer(t, server.url)
  const requests = [
    ['$JS.API.STREAM.MSG.GET.EVENTS', '{"last_by_subj":"events.generation.completed.pdf_x"}'],
    ['$JS.API.STREAM.INFO.COMMANDS', ''],
    ['$JS.API.CONSUMER.MSG.NEXT.COMMANDS.render-batch', '{"batch":1,"no_wait":true}'],
    ['events.generation.completed.pdf_y', 'an event'],
    ['$KV.PROCESSES.x', 'a process'],
  ] as const
  const targets = ['$KV.INPUT_KEYS.pdf_x', 'commands.template.x', 'events.template.created.tpl_x', 'dead-letters.x']
  for (const [subject, payload] of requests) {
    for (const reply of targets) nats.publish(subject, payload, { reply })
    // The same request with a permitted reply was answered, so that the ones before it were handled.
    if (!subject.includes('MSG.NEXT')) t.ok((await nats.request(subject, payload)).data.length > 0, subject)
  }
  t.equal((await keys.get('pdf_x'))?.string(), 'the key')
  const messagesOf = async (stream: string) => (await operators.jsm.streams.info(stream)).state.messages
  t.equal(await messagesOf('COMMANDS'), 1)
  t.equal(await messagesOf('DEAD_LETTERS'), 0)
  const { state } = await operators.jsm.streams.info('EVENTS', { subjects_filter: 'events.template.>' })
  t.same(state.subjects ?? {}, {})
})

t.test('no header lets a renderer erase the keys of others', async (t) => {
  await using server = await startServer()
  await using operators = await openBus({ url: server.url, user: 'operators', password: 'p-operators' }, 'test', log)
  const nats = await connectRenderer(t, server.url)
  for (const { name } of [buckets.leases, buckets.checkpoints, buckets.processes]) {
    const keys = await operators.js.views.kv(name)
    await keys.put('relay.template', 'of another service')
    const own = name === 'PROCESSES' ? 'mine' : 'relay.renderer'
    for (const [header, value] of [
      ['Nats-Rollup', 'all'],
      ['Nats-Rollup', 'sub'],
      ['KV-Operation', 'PURGE'],
    ] as const) {
      const given = headers()
      given.set(header, value)
      await nats.request(`$KV.${name}.${own}`, 'x', { headers: given, timeout: 2_000 }).catch(() => {})
    }
    t.equal((await keys.get('relay.template'))?.string(), 'of another service', name)
  }
})

interface Policy {
  Statement: { Action: string[]; Resource: string[] }[]
}

t.test('a renderer with its own rights prints, and its key of the object store opens its prefixes only', async (t) => {
  await using nats = await startServer()
  await using s3 = await startFakeS3()
  // Another service makes the bucket and records whose it is, before a renderer starts.
  const { accessKey, secretKey } = s3
  await using operators = await openBus({ url: nats.url, user: 'operators', password: 'p-operators' }, 'test', log)
  const first = await openObjectStore(s3.url('platen'), { accessKey, secretKey })
  await joinDeployment({
    bus: operators,
    store: { end: async () => 'start' },
    objects: first,
    deployment: 'tests',
    log,
  })
  const { Statement: statements }: Policy = JSON.parse(readText('deploy/object-store/renderer-policy.json'))
  const denied: string[] = []
  s3.users.set('renderer', {
    secretKey: 'a-secret-of-the-renderer',
    allows(action, key) {
      const covers = (resource: string) => {
        const path = resource.replace('arn:aws:s3:::platen/', '')
        return path.endsWith('*') ? key.startsWith(path.slice(0, -1)) : key === path
      }
      const isAllowed = statements.some(({ Action, Resource }) => Action.includes(action) && Resource.some(covers))
      if (!isAllowed) denied.push(`${action} ${key}`)
      return isAllowed
    },
  })
  const settings = {
    NATS_URL: nats.url,
    NATS_USER: 'services',
    NATS_PASSWORD: passwords.NATS_PASSWORD,
    NATS_MANAGE_STREAMS: 'false',
    OBJECT_STORE_URL: s3.url('platen'),
    OBJECT_STORE_ACCESS_KEY: accessKey,
    OBJECT_STORE_SECRET_KEY: secretKey,
    DEPLOYMENT: 'tests',
  }
  const renderer = {
    NATS_USER: 'renderer',
    NATS_PASSWORD: passwords.NATS_RENDERER_PASSWORD,
    OBJECT_STORE_ACCESS_KEY: 'renderer',
    OBJECT_STORE_SECRET_KEY: 'a-secret-of-the-renderer',
  }
  await using platen = await startOneOfEach({ settings, own: { renderer } })
  const json = async (path: string, init?: object) => {
    const { status, body } = await platen.json<Record<string, string>>(path, init)
    t.ok(status < 300, `${path}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
    return body
  }
  const ended = ({ id }: Record<string, string>) => json(`/v1/generations/${id}?wait=60`)
  const asset = await platen.request('/v1/assets/a.css', {
    method: 'PUT',
    body: 'p { color: red }',
    headers: { 'content-type': 'text/css' },
  })
  t.equal(asset.status, 201)
  await json('/v1/templates', { body: { name: 'T', html: '<link rel=stylesheet href="asset:a.css"><p>{{a}}' } })
  const kept = await json('/v1/generate', { body: { template: 't', data: { a: 1 }, retain_input: 3 } })
  t.match(await ended(await json(`/v1/generations/${kept.id}/retry`, { method: 'POST' })), { status: 'completed' })
  const large = { html: `<!-- ${'x'.repeat(700_000)} --><p>large`, async: true }
  t.match(await ended(await json('/v1/generate', { body: large })), { status: 'completed' })
  const merge = { sources: [{ generation: kept.id }, { generation: kept.id }] }
  t.match(await json('/v1/pdf/merge', { body: merge }), { operation: 'merge' })
  t.equal((await platen.request('/v1/preview', { body: { html: '<p>x' } })).status, 200)
  t.notMatch(platen.output('renderer'), /"level":[456]0(?!.*sandbox)/, 'nothing that it needs is refused')
  await nats.restart()
  const queued = await json('/v1/generate', { body: { html: '<p>after a restart of nats-server', async: true } })
  t.match(await ended(queued), { status: 'completed' })
  t.equal((await platen.request('/v1/preview', { body: { html: '<p>x' } })).status, 200)
  t.notMatch(platen.output('renderer'), /Permissions Violation/i)
  t.same(denied, ['s3:ListBucket ', 's3:GetLifecycleConfiguration '], 'questions at the start that it goes on without')

  const keys = { accessKey: 'renderer', secretKey: 'a-secret-of-the-renderer' }
  const objects = await openObjectStore(s3.url('platen'), { ...keys, categories: objectCategories })
  const others = ['inputs/x', 'assets/x', 'views/x', 'archive/x', 'platen/deployment', 'x/y']
  const attempts: [string, () => Promise<unknown>][] = [
    ...others.map((key) => [`put ${key}`, () => objects.put(key, Buffer.from('x'), 'text/plain')] as const),
    ...others.map((key) => [`delete ${key}`, () => objects.delete(key)] as const),
    ...['views/x', 'archive/x', 'x/y'].map((key) => [`get ${key}`, () => objects.get(key)] as const),
    ...['pdfs', 'inputs', 'views', 'archive'].map(
      (category) => [`list ${category}`, () => objects.list(category)[Symbol.asyncIterator]().next()] as const,
    ),
  ].map(([what, attempt]) => [what, attempt])
  for (const [what, attempt] of attempts) await t.rejects(attempt(), { message: /AccessDenied/ }, what)
})
