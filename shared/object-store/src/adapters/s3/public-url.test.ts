import { startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import t, { type Test } from 'tap'
import { openObjectStore } from '../open-object-store.ts'

async function start(t: Test) {
  const server = await startFakeS3()
  t.teardown(() => server.stop())
  const open = async (publicUrl?: string) => {
    const { accessKey, secretKey } = server
    const store = await openObjectStore(server.url('platen'), { accessKey, secretKey, publicUrl })
    t.teardown(() => store.close())
    await store.put('pdfs/a.pdf', Buffer.from('%PDF-'), 'application/pdf')
    return store
  }
  return { server, open }
}

const options = { expiresInS: 60, contentDisposition: 'attachment; filename="a.pdf"' }

t.test('the URL can be fetched without keys for a limited time', async (t) => {
  const { server, open } = await start(t)
  // Another host name than the store's own: the signature covers this one.
  const store = await open(`http://localhost:${server.port}`)
  const url = (await store.publicUrl('pdfs/a.pdf', options)) ?? ''
  t.match(url, new RegExp(`^http://localhost:${server.port}/platen/pdfs/a\\.pdf\\?`))
  t.match(url, /X-Amz-Expires=60&/)
  const response = await fetch(url)
  t.equal(response.status, 200)
  t.equal(await response.text(), '%PDF-')
  t.equal(response.headers.get('content-type'), 'application/pdf')
  t.equal(response.headers.get('content-disposition'), options.contentDisposition)
  t.equal((await fetch(url, { headers: { range: 'bytes=1-3' } })).status, 206)
})

t.test('a changed URL is refused', async (t) => {
  const { server, open } = await start(t)
  const store = await open(`http://localhost:${server.port}`)
  await store.put('pdfs/b.pdf', Buffer.from('other'), 'application/pdf')
  const url = (await store.publicUrl('pdfs/a.pdf', options)) ?? ''
  const tampered = {
    'another object': url.replace('a.pdf?', 'b.pdf?'),
    'a longer lifetime': url.replace('Expires=60', 'Expires=600'),
    'another name': url.replace('a.pdf%22', 'evil.html%22'),
    'another host': url.replace('localhost', '127.0.0.1'),
    'no signature': url.replace(/&X-Amz-Signature=.*/, ''),
    'no query': url.replace(/\?.*/, ''),
  }
  for (const [change, changed] of Object.entries(tampered)) {
    t.not(changed, url)
    t.equal((await fetch(changed)).status, 403, change)
  }
})

t.test('the lifetime is from one second to seven days', async (t) => {
  const { open } = await start(t)
  const store = await open('https://files.example.com')
  const lifetimeOf = async (expiresInS: number) => {
    const url = new URL((await store.publicUrl('pdfs/a.pdf', { ...options, expiresInS })) ?? '')
    t.equal(url.host, 'files.example.com')
    return url.searchParams.get('X-Amz-Expires')
  }
  t.same(await Promise.all([lifetimeOf(0), lifetimeOf(90.7), lifetimeOf(30 * 24 * 3_600)]), ['1', '90', '604800'])
})

t.test('without OBJECT_STORE_PUBLIC_URL there is no URL, and an invalid one is refused', async (t) => {
  const { open } = await start(t)
  t.equal(await (await open()).publicUrl('pdfs/a.pdf', options), undefined)
  for (const wrong of [
    'files.example.com',
    'https://files.example.com/prefix',
    'ftp://files.example.com',
    'https://a:b@c',
  ]) {
    await t.rejects(open(wrong), { message: /^OBJECT_STORE_PUBLIC_URL must be/ }, wrong)
  }
})
