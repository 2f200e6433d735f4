import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { contentOfAsset, objectKeys } from '@platen/domain/streams/subjects.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import { openFolder } from '@platen/object-store/adapters/folder/store.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t from 'tap'
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
