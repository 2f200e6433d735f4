import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { type FakeS3, startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import t, { type Test } from 'tap'
import type { ObjectCategory } from '../../object-category.ts'
import { type ObjectStoreOptions, openObjectStore } from '../open-object-store.ts'

const categories: readonly ObjectCategory[] = [
  { name: 'inputs', withoutRights: 'fatal' },
  { name: 'pdfs', withoutRights: 'fatal', ifDeleted: 'URLs then answer 410' },
  { name: 'assets', withoutRights: { warning: 'documents get no assets' }, ifDeleted: 'documents lack them' },
  { name: 'archive', withoutRights: 'unchecked', ifDeleted: 'it has a gap' },
]

async function start(t: Test): Promise<FakeS3> {
  const server = await startFakeS3()
  t.teardown(() => server.stop())
  return server
}

/** Opens and closes a store. Returns the warnings. */
async function open(server: FakeS3, options: ObjectStoreOptions = {}): Promise<string[]> {
  const warnings: string[] = []
  const { accessKey, secretKey } = server
  const warn = (message: string) => warnings.push(message)
  const store = await openObjectStore(server.url('platen'), { accessKey, secretKey, warn, categories, ...options })
  await store.close()
  return warnings
}

t.test('the bucket is created once, and gets no lifecycle rules', async (t) => {
  const server = await start(t)
  t.same(await open(server), [])
  const before = server.requests.length
  t.same(await open(server), [])
  const probed = (category: string) => ['PUT', 'GET'].map((method) => `${method} /platen/${category}/.probe`)
  const asked = ['HEAD /platen', ...probed('inputs'), ...probed('pdfs'), ...probed('assets'), 'GET /platen']
  t.same(server.requests.slice(before), asked)
  t.equal(server.buckets.find('platen').lifecycle, undefined)
})

t.test('the region of the URL is used', async (t) => {
  const server = await startFakeS3({ region: 'eu-central-1' })
  t.teardown(() => server.stop())
  t.same(await open(server), [])
  const elsewhere = server.url('platen').replace('eu-central-1', 'us-east-1')
  await t.rejects(openObjectStore(elsewhere, server), {
    message: /its region is not that of OBJECT_STORE_URL/,
  })
})

t.test('keys that may neither list nor create buckets can use an existing one', async (t) => {
  const server = await start(t)
  server.buckets.make('platen')
  server.denied.add('s3:CreateBucket').add('s3:ListBucket')
  t.same(await open(server), [])
})

const ruleXml = (id: string, prefix: string, status = 'Enabled') =>
  `<Rule><ID>${id}</ID><Status>${status}</Status><Filter><Prefix>${prefix}</Prefix></Filter><Expiration><Days>3</Days></Expiration></Rule>`

t.test('lifecycle rules that delete PDFs, assets or the archive are warned of, and kept', async (t) => {
  const server = await start(t)
  server.buckets.make('platen')
  const set = async (...rules: string[]) => {
    const lifecycle = `<LifecycleConfiguration>${rules.join('')}</LifecycleConfiguration>`
    server.buckets.find('platen').lifecycle = lifecycle
    const warnings = await open(server)
    t.equal(server.buckets.find('platen').lifecycle, lifecycle)
    return warnings
  }
  t.same(await set(ruleXml('theirs', 'tmp/'), ruleXml('inputs', 'inputs/')), [])
  t.same(await set(ruleXml('off', '', 'Disabled')), [])
  t.same(await set(ruleXml('all', '')), [
    'The lifecycle rule all deletes pdfs/ after 3 days: URLs then answer 410',
    'The lifecycle rule all deletes assets/ after 3 days: documents lack them',
    'The lifecycle rule all deletes archive/ after 3 days: it has a gap',
  ])
  t.match(await set(ruleXml('theirs &amp; more', 'pdfs/')), [/rule theirs & more deletes pdfs\/ after 3 days/])
  const some = ruleXml('some', 'pdfs/').replace('</Filter>', '<Tag><Key>a</Key><Value>b</Value></Tag></Filter>')
  const old = ruleXml('old', '')
    .replace('Expiration>', 'NoncurrentVersionExpiration>')
    .replace('Days', 'NoncurrentDays')
  t.same(await set(some, old), [], 'some PDFs only, or old versions only')
})

t.test('keys that may not read lifecycle rules are sufficient', async (t) => {
  const server = await start(t)
  server.denied.add('s3:GetLifecycleConfiguration')
  t.same(await open(server), [])
})

t.test('a failed start has a message of one line, without the secret', async (t) => {
  const server = await start(t)
  const { accessKey, secretKey } = server
  const refused = async (options: ObjectStoreOptions, message: RegExp, url = server.url('platen')) => {
    const err = await openObjectStore(url, options).catch((err: unknown) => err)
    t.match(err, { message })
    t.notMatch(inspect(err, { depth: 10, showHidden: true }), options.secretKey ?? 'hidden')
  }
  await refused({}, /needs OBJECT_STORE_ACCESS_KEY and OBJECT_STORE_SECRET_KEY$/)
  await refused({ accessKey: 'nobody', secretKey }, /OBJECT_STORE_ACCESS_KEY does not exist$/)
  server.buckets.make('platen')
  await refused({ accessKey, secretKey: 'wrong-secret' }, /OBJECT_STORE_SECRET_KEY does not belong to/)
  await refused(
    {},
    /OBJECT_STORE_SECRET_KEY does not belong to/,
    server.url('platen').replace('//', `//${accessKey}:hidden@`),
  )
  server.denied.add('s3:PutObject')
  await refused(
    { accessKey, secretKey },
    /^The bucket platen of OBJECT_STORE_URL cannot be used: .* may not write to it, or the bucket does not exist$/,
  )
  server.denied.clear()
  server.denied.add('s3:GetObject')
  await refused(
    { accessKey, secretKey },
    /^The bucket platen of OBJECT_STORE_URL cannot be used: .* may not read from it$/,
  )
  server.denied.clear()
  server.denied.add('s3:CreateBucket')
  await refused(
    { accessKey, secretKey },
    /it does not exist, and OBJECT_STORE_ACCESS_KEY may not create it$/,
    server.url('other'),
  )
})

t.test('keys that may not use PDFs are refused, and those that may not use assets are warned of', async (t) => {
  const server = await start(t)
  for (const [right, action] of [
    ['s3:PutObject', 'write'],
    ['s3:GetObject', 'read'],
  ] as const) {
    server.denied.add(`${right} pdfs/`)
    await t.rejects(open(server), {
      message: `The bucket platen of OBJECT_STORE_URL cannot be used: OBJECT_STORE_ACCESS_KEY may not ${action} pdfs/* in it`,
    })
    server.denied.clear()
    server.denied.add(`${right} assets/`)
    t.same(await open(server), [
      `OBJECT_STORE_ACCESS_KEY may not ${action} assets/* in the bucket platen: documents get no assets`,
    ])
    server.denied.clear()
  }
  const store = await openObjectStore(server.url('platen'), server)
  t.teardown(() => store.close())
  const listed: string[] = []
  for (const category of ['pdfs', 'assets', 'inputs'])
    for await (const { key } of store.list(category)) listed.push(key)
  t.same(listed, [], 'what was written for the check is not an object of Platen')
})

t.test('the line of a start names OBJECT_STORE_URL, whatever answers there', async (t) => {
  const answered = async (answer: string | ((socket: Socket) => void), message: RegExp) => {
    const foreign = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => (typeof answer === 'string' ? socket.end(answer) : answer(socket)))
    }).listen(0, '127.0.0.1')
    t.teardown(() => foreign.close())
    await once(foreign, 'listening')
    const { port } = foreign.address() as AddressInfo
    const opened = openObjectStore(`s3://a:hidden@127.0.0.1:${port}/platen?tls=false`)
    await t.rejects(opened, { name: 'ObjectStoreUnavailable', message })
  }
  const page = 'HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello'
  await answered(page, /^OBJECT_STORE_URL: what answers at 127\.0\.0\.1:\d+ is not an object store \(HTTP 404\)$/)
  const greeting = page.replace('404 Not Found', '200 OK')
  await answered(greeting, /^OBJECT_STORE_URL: what answers at .* is not an object store \(HTTP 200\)$/)
  await answered('INFO {"server_id":"NATS"}\r\n', /^OBJECT_STORE_URL: .* is not an object store \(HPE_\w+\)$/)
  await answered((socket) => socket.resetAndDestroy(), /^OBJECT_STORE_URL: no object store answers at .*ECONNRESET\)$/)
  const full = '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'
  const busy = `HTTP/1.1 503 Busy\r\ncontent-length: ${full.length}\r\nconnection: close\r\n\r\n${full}`
  // The response to HEAD has no body.
  await answered(busy, /^OBJECT_STORE_URL: .*\((HTTP 503|SlowDown|HPE_\w+)\)$/)
  await t.rejects(openObjectStore('s3://a:hidden@store.invalid/platen'), {
    message: /^OBJECT_STORE_URL: the host store\.invalid is not known \(E\w+\)$/,
  })
})

t.test('temporary keys are used with their token', async (t) => {
  const server = await startFakeS3({ sessionToken: 'token' })
  t.teardown(() => server.stop())
  t.same(await open(server, { sessionToken: 'token' }), [])
  await t.rejects(open(server), { message: /AWS_SESSION_TOKEN does not belong to OBJECT_STORE_ACCESS_KEY$/ })
  const { accessKey, secretKey } = server
  const publicUrl = `http://localhost:${server.port}`
  const store = await openObjectStore(server.url('platen'), { accessKey, secretKey, publicUrl, sessionToken: 'token' })
  t.teardown(() => store.close())
  await store.put('pdfs/a', Buffer.from('x'), 'application/pdf')
  const url = await store.publicUrl('pdfs/a', { expiresInS: 60, contentDisposition: 'inline' })
  t.equal((await fetch(url ?? '')).status, 200)
})

t.test('the URL may contain the keys', async (t) => {
  const server = await start(t)
  const url = server.url('platen').replace('//', `//${server.accessKey}:${encodeURIComponent(server.secretKey)}@`)
  const store = await openObjectStore(url)
  await store.check()
  await store.close()
})
