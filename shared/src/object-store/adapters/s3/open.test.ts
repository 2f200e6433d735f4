import { inspect } from 'node:util'
import { type FakeS3, startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import t, { type Test } from 'tap'
import { type ObjectStoreOptions, openObjectStore } from '../../open-object-store.ts'

const lifecycleOf = (server: FakeS3) => server.buckets.find('platen').lifecycle ?? ''

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
  const store = await openObjectStore(server.url('platen'), { accessKey, secretKey, warn, ...options })
  await store.close()
  return warnings
}

t.test('the bucket is created once, with a rule that expires inputs', async (t) => {
  const server = await start(t)
  t.same(await open(server), [])
  t.match(lifecycleOf(server), '<Filter><Prefix>inputs/</Prefix></Filter><Expiration><Days>7</Days></Expiration>')
  const before = server.requests.length
  t.same(await open(server), [])
  t.same(server.requests.slice(before), ['HEAD /platen', 'PUT /platen/inputs/.probe', 'GET /platen'])
  t.same(await open(server, { retention: { inputDays: 30, pdfDays: 0 } }), [])
  t.match(lifecycleOf(server), '<Days>30</Days>')
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

t.test('existing lifecycle rules are kept, with a warning if none expires inputs', async (t) => {
  const server = await start(t)
  server.buckets.make('platen')
  const rule = (id: string, prefix: string) =>
    `<Rule><ID>${id}</ID><Status>Enabled</Status><Filter><Prefix>${prefix}</Prefix></Filter><Expiration><Days>3</Days></Expiration></Rule>`
  const set = async (...rules: string[]) => {
    const lifecycle = `<LifecycleConfiguration>${rules.join('')}</LifecycleConfiguration>`
    server.buckets.find('platen').lifecycle = lifecycle
    const warnings = await open(server)
    t.equal(lifecycleOf(server), lifecycle)
    return warnings
  }
  t.match(await set(rule('theirs', 'tmp/')), [
    /^None of the bucket's lifecycle rules expires inputs: add one to the bucket platen that expires inputs\/ after 7/,
  ])
  t.match(await set(rule('7', 'tmp/'), rule('8', 'old/')), [/^None of the bucket's lifecycle rules expires inputs/])
  t.same(await set(rule('theirs', 'tmp/'), rule('inputs', 'inputs/')), [])
})

t.test('a rule that cannot be set is a warning', async (t) => {
  const server = await start(t)
  server.denied.add('s3:PutLifecycleConfiguration')
  t.match(await open(server), [/^The lifecycle rule could not be set \(AccessDenied\): add one to the bucket platen/])
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
    /^The bucket platen of OBJECT_STORE_URL cannot be used: .* may not write to it$/,
  )
  server.denied.clear()
  server.denied.add('s3:CreateBucket')
  await refused(
    { accessKey, secretKey },
    /it does not exist, and OBJECT_STORE_ACCESS_KEY may not create it$/,
    server.url('other'),
  )
})

t.test('the URL may contain the keys', async (t) => {
  const server = await start(t)
  const url = server.url('platen').replace('//', `//${server.accessKey}:${encodeURIComponent(server.secretKey)}@`)
  const store = await openObjectStore(url)
  await store.check()
  await store.close()
})
