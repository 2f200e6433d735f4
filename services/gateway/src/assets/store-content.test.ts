import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { contentOfAsset, objectKeys } from '@platen/domain/streams/subjects.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import { openFolder } from '@platen/object-store/adapters/folder/store.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t from 'tap'
import { putAsset } from './put-asset.ts'
import { storeContent } from './store-content.ts'

const ownerId = 'own_default'
const bytes = Buffer.from('bytes')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const upload = () => ({ ownerId, upload: { bytes, sha256 }, content, metadata: operatorMetadata() })
const content = { type: 'image/png', bytes: bytes.length }
const stream = `assetcontent-${ownerId}.${sha256}`
const opened = await openFolder(join(t.testdir(), 'objects'))
t.teardown(() => opened.close())
const keyOf = (object: string) => objectKeys.asset(ownerId, sha256, object)
const exists = async (object: string) => (await opened.info(keyOf(object))) !== undefined
/** The objects of a test, which does something else before the upload goes on. */
const objectsThat = (then: (object: string) => Promise<void>) =>
  Object.assign(Object.create(opened) as typeof opened, {
    info: (key: string) => opened.info(key),
    async put(...written: Parameters<typeof opened.put>) {
      await opened.put(...written)
      await then(contentOfAsset(written[0])?.object ?? '')
    },
  })

t.test('an upload whose object was swept before it is recorded has another one', async (t) => {
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  const swept: string[] = []
  const objects = objectsThat(async (object) => {
    if (swept.push(object) > 1) return
    const event = { id: crypto.randomUUID(), type: 'AssetContentGivenUp', data: { object } }
    await store.append(stream, [event], 'none')
    // The sweep dies before or after it deletes: nothing has to be written back.
    await opened.delete(keyOf(object))
  })
  const object = await storeContent({ store, objects }, upload())
  t.not(object, swept[0])
  t.ok(await exists(object))
  t.equal(await storeContent({ store, objects }, upload()), object, 'later uploads use it')
})

t.test('concurrent uploads of the same bytes have one object, and one that is lost is written again', async (t) => {
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  const used = await Promise.all(Array.from({ length: 8 }, () => storeContent({ store, objects: opened }, upload())))
  t.equal(new Set(used).size, 1)
  const [object = ''] = used
  await opened.delete(keyOf(object))
  t.equal(await storeContent({ store, objects: opened }, upload()), object)
  t.ok(await exists(object))
})

t.test('an upload whose content was given up before it had a name has another one', async (t) => {
  await using temporary = await openTemporaryStore()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  const hash = createHash('sha256').update(svg).digest('hex')
  const content = `assetcontent-${ownerId}.${hash}`
  const types: string[] = []
  const store = storeWith(temporary.store, {
    async append(to, events, expected) {
      const [{ type, data }] = events
      types.push(type)
      // A sweep that has read the names before this one is appended.
      if (to.startsWith('asset-') && types.length === 2) {
        const { object } = data as { object: string }
        const event = { id: crypto.randomUUID(), type: 'AssetContentGivenUp', data: { object } }
        await temporary.store.append(content, [event], 0)
        await opened.delete(objectKeys.asset(ownerId, hash, object))
      }
      return temporary.store.append(to, events, expected)
    },
  })
  const libraries = new AssetLibraries(store)
  const limits = { bytes: 1_000, count: 10, totalBytes: 1_000, references: 10 }
  const { asset, created } = await putAsset(
    { store, reader: store, objects: opened, libraries, limits },
    {
      ...{ ownerId, name: 'a.svg', upload: { bytes: svg, sha256: hash }, contentType: undefined },
      ...{ conditions: { 'if-none-match': '*' }, metadata: operatorMetadata() },
    },
  )
  t.match({ asset, created }, { asset: { name: 'a.svg', sha256: hash }, created: true })
  const named = (await libraries.of(ownerId)).find('a.svg')
  t.ok(await opened.info(objectKeys.asset(ownerId, hash, named?.object ?? '')))
})
