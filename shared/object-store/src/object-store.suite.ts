import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { InvalidKey, ObjectNotFound, type ObjectStore } from './object-store.ts'

const pdf = 'application/pdf'

const bodyOf = async (object: Readable | Promise<Readable>) => buffer(await object)
const textOf = async (object: Readable | Promise<Readable>) => (await bodyOf(object)).toString()

export const badKeys = [
  '',
  'pdfs',
  'pdfs/',
  '/pdfs/a',
  'pdfs/.',
  'pdfs/..',
  '../pdfs/a',
  'pdfs/../../a',
  'pdfs/a/b',
  'PDFS/a',
  'pdfs/a\0b',
  'pdfs/a b',
  'pdfs/a\n',
  'pdfs\\a',
  `pdfs/${'a'.repeat(201)}`,
]

/** The behaviour of every object store. `open` returns a store without objects of this suite. */
export function objectStoreSuite(t: Test, open: () => Promise<ObjectStore>): void {
  const withStore = (name: string, body: (t: Test, store: ObjectStore) => Promise<void>) =>
    t.test(name, async (t) => {
      const store = await open()
      t.teardown(() => store.close())
      await body(t, store)
    })

  withStore('an object is read back unchanged', async (t, store) => {
    const before = Date.now()
    await store.put('pdfs/a.pdf', Buffer.from('one'), pdf)
    t.equal(await textOf(store.get('pdfs/a.pdf')), 'one')
    const info = await store.info('pdfs/a.pdf')
    t.equal(info?.size, 3)
    // A store may keep whole seconds, and its clock may differ.
    t.ok(Math.abs((info?.modifiedAt.getTime() ?? 0) - before) < 60_000)
    await store.put('pdfs/empty', new Uint8Array(), pdf)
    t.equal((await store.info('pdfs/empty'))?.size, 0)
    t.equal(await textOf(store.get('pdfs/empty')), '')
  })

  withStore('a view of a larger buffer is stored without the rest', async (t, store) => {
    const whole = new TextEncoder().encode('abcdef')
    await store.put('pdfs/view', whole.subarray(2, 4), pdf)
    t.equal(await textOf(store.get('pdfs/view')), 'cd')
  })

  withStore('ranges include both ends', async (t, store) => {
    await store.put('pdfs/a.pdf', Buffer.from('0123456789'), pdf)
    t.equal(await textOf(store.get('pdfs/a.pdf', { start: 0, end: 0 })), '0')
    t.equal(await textOf(store.get('pdfs/a.pdf', { start: 2, end: 4 })), '234')
    t.equal(await textOf(store.get('pdfs/a.pdf', { start: 8, end: 99 })), '89')
  })

  withStore('a missing object is reported as missing', async (t, store) => {
    t.equal(await store.info('pdfs/none'), undefined)
    await t.rejects(store.get('pdfs/none'), ObjectNotFound)
    await t.rejects(store.get('nothing/none'), ObjectNotFound)
  })

  withStore('deleting a missing object does nothing', async (t, store) => {
    await store.put('pdfs/a.pdf', Buffer.from('one'), pdf)
    await store.delete('pdfs/a.pdf')
    t.equal(await store.info('pdfs/a.pdf'), undefined)
    await store.delete('pdfs/a.pdf')
    await store.delete('nothing/a.pdf')
  })

  withStore('the objects of a category are listed with their sizes and times', async (t, store) => {
    const listed = async (category: string) => {
      const sizes: Record<string, number> = {}
      for await (const { key, size, modifiedAt } of store.list(category)) {
        sizes[key] = size
        if (key.includes('/listed-')) t.ok(Math.abs(modifiedAt.getTime() - Date.now()) < 60_000)
      }
      return sizes
    }
    t.same(await listed('none'), {})
    const names = Array.from({ length: 12 }, (_, at) => `listed-${at}`)
    for (const [at, name] of names.entries()) await store.put(`pdfs/${name}`, Buffer.alloc(at), pdf)
    await store.put('pdfsx/listed-other', Buffer.from('x'), pdf)
    // A real store may have objects of others.
    const ours = (all: Record<string, number>) =>
      Object.fromEntries(Object.entries(all).filter(([key]) => key.includes('/listed-')))
    t.same(ours(await listed('pdfs')), Object.fromEntries(names.map((name, at) => [`pdfs/${name}`, at])))
    for (const name of names.slice(1)) await store.delete(`pdfs/${name}`)
    t.same(ours(await listed('pdfs')), { 'pdfs/listed-0': 0 })
    for (const name of ['a.1.pdf', 'a.2.pdf', 'ab.1.pdf', 'a', 'b.1.pdf', 'c.1.pdf'])
      await store.put(`pdfs/${name}`, Buffer.from('x'), pdf)
    const ofStems: string[] = []
    for await (const { key } of store.list('pdfs', new Set(['a', 'b', 'none']))) ofStems.push(key)
    t.strictSame(ofStems.sort(), ['pdfs/a.1.pdf', 'pdfs/a.2.pdf', 'pdfs/b.1.pdf'])
    for (const category of ['', 'pdfs/', '..', 'PDFS', '.tmp']) await t.rejects(listed(category), InvalidKey, category)
  })

  withStore('an object is replaced atomically while it is read', async (t, store) => {
    const [old, young] = [randomBytes(1_000_000), randomBytes(500_000)]
    await store.put('pdfs/a.pdf', old, pdf)
    const reader = await store.get('pdfs/a.pdf')
    const first = await new Promise<Buffer>((resolve) => reader.once('data', resolve))
    reader.pause()
    await store.put('pdfs/a.pdf', young, pdf)
    t.ok(Buffer.concat([first, await bodyOf(reader)]).equals(old), 'the reader continues with the old one')
    t.ok((await bodyOf(store.get('pdfs/a.pdf'))).equals(young))
  })

  withStore('an object of 20 MB is read back unchanged', async (t, store) => {
    const large = randomBytes(20_000_000)
    await store.put('pdfs/large.pdf', large, pdf)
    t.ok((await bodyOf(store.get('pdfs/large.pdf'))).equals(large))
  })

  withStore('concurrent puts of one key leave one complete object', async (t, store) => {
    const bodies = Array.from({ length: 20 }, (_, at) => Buffer.alloc(50_000 + at, at))
    await Promise.all(bodies.map((body) => store.put('pdfs/a.pdf', body, pdf)))
    const left = await bodyOf(store.get('pdfs/a.pdf'))
    t.ok(bodies.some((body) => body.equals(left)))
  })

  withStore('concurrent puts of many keys do not mix', async (t, store) => {
    const keys = Array.from({ length: 50 }, (_, at) => `${at % 2 ? 'pdfs' : 'inputs'}/${at}`)
    await Promise.all(keys.map((key) => store.put(key, Buffer.from(key), pdf)))
    t.same(await Promise.all(keys.map((key) => textOf(store.get(key)))), keys)
  })

  withStore('a destroyed reader leaves the store usable', async (t, store) => {
    await store.put('pdfs/a.pdf', randomBytes(2_000_000), pdf)
    const reader = await store.get('pdfs/a.pdf')
    await new Promise((resolve) => reader.destroy().once('close', resolve))
    t.equal((await bodyOf(store.get('pdfs/a.pdf'))).length, 2_000_000)
  })

  withStore('every operation refuses invalid keys', async (t, store) => {
    for (const key of badKeys) {
      await t.rejects(store.put(key, Buffer.from('x'), pdf), InvalidKey, `put ${JSON.stringify(key)}`)
      await t.rejects(store.get(key), InvalidKey, `get ${JSON.stringify(key)}`)
      await t.rejects(store.info(key), InvalidKey)
      await t.rejects(store.delete(key), InvalidKey)
    }
    const longest = `pdfs/${'a'.repeat(200)}`
    await store.put(longest, Buffer.from('x'), pdf)
    await store.put('pdfs/...', Buffer.from('dots'), pdf)
    t.equal(await textOf(store.get('pdfs/...')), 'dots')
  })

  withStore('check passes while the store is available', (_, store) => store.check())
}
