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

t.test('the bucket is created once, with rules that expire inputs', async (t) => {
  const server = await start(t)
  t.same(await open(server), [])
  t.match(lifecycleOf(server), '<Filter><Prefix>inputs/</Prefix></Filter><Expiration><Days>7</Days></Expiration>')
  t.match(lifecycleOf(server), '<NoncurrentDays>1</NoncurrentDays>', 'old versions in a versioned bucket')
  t.match(lifecycleOf(server), '<ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker>')
  t.notMatch(lifecycleOf(server), 'pdfs/')
  const before = server.requests.length
  t.same(await open(server), [])
  const asked = ['HEAD /platen', 'PUT /platen/inputs/.probe', 'GET /platen/inputs/.probe', 'GET /platen']
  t.same(server.requests.slice(before), asked)
  t.same(await open(server, { retention: { inputDays: 30, pdfDays: 90 } }), [])
  t.match(lifecycleOf(server), '<Days>30</Days>')
  t.match(lifecycleOf(server), '<Prefix>pdfs/</Prefix></Filter><Expiration><Days>90</Days></Expiration>')
  t.same(await open(server), [])
  t.notMatch(lifecycleOf(server), 'pdfs/', 'PDFs are kept again')
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

t.test('rules of others are kept, with a warning if none expires inputs, or if one deletes PDFs', async (t) => {
  const server = await start(t)
  server.buckets.make('platen')
  const set = async (...rules: string[]) => {
    const lifecycle = `<LifecycleConfiguration>${rules.join('')}</LifecycleConfiguration>`
    server.buckets.find('platen').lifecycle = lifecycle
    const warnings = await open(server)
    t.equal(lifecycleOf(server), lifecycle)
    return warnings
  }
  const missing =
    /^None of the bucket's lifecycle rules expires inputs: add one to the bucket platen that expires inputs\/ after 7/
  t.match(await set(ruleXml('theirs', 'tmp/')), [missing])
  t.match(await set(ruleXml('7', 'tmp/'), ruleXml('8', 'old/')), [missing])
  t.match(await set(ruleXml('theirs', 'inputs/', 'Disabled')), [missing])
  t.same(await set(ruleXml('theirs', 'tmp/'), ruleXml('inputs', 'inputs/')), [])
  t.same(await set(ruleXml('all', '')), [
    'The lifecycle rule all deletes PDFs after 3 days: their URLs then answer 410',
    'The lifecycle rule all deletes assets: documents that use them are printed without',
  ])
  t.match(await set(ruleXml('pdfs', 'pdfs/')), [/rule pdfs deletes PDFs after 3 days/, missing])
})

t.test('the own rules follow the settings beside rules of others, and stay disabled', async (t) => {
  const server = await start(t)
  t.same(await open(server), [])
  const theirs = ruleXml('theirs &amp; more', 'tmp/').replace('<Days>', '<!-- kept --><Days>')
  server.buckets.find('platen').lifecycle = lifecycleOf(server).replace('<Rule>', `${theirs}<Rule>`)
  t.same(await open(server, { retention: { inputDays: 10, pdfDays: 0 } }), [])
  t.match(lifecycleOf(server), '<Days>10</Days>')
  t.ok(lifecycleOf(server).includes(theirs), 'unchanged')
  const disabled = lifecycleOf(server).replace(/(platen-inputs<\/ID><Status>)Enabled/, '$1Disabled')
  server.buckets.find('platen').lifecycle = disabled
  t.match(await open(server, { retention: { inputDays: 10, pdfDays: 0 } }), [
    /^The lifecycle rule platen-inputs is disabled/,
  ])
  t.equal(lifecycleOf(server), disabled)
})

t.test('a lifecycle rule that cannot be set is logged as a warning', async (t) => {
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

t.test('temporary keys are used with their token', async (t) => {
  const server = await startFakeS3({ sessionToken: 'token' })
  t.teardown(() => server.stop())
  t.same(await open(server, { sessionToken: 'token' }), [])
  await t.rejects(open(server), { message: /OBJECT_STORE_SESSION_TOKEN does not belong to OBJECT_STORE_ACCESS_KEY$/ })
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
