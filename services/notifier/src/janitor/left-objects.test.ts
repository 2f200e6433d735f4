import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { movedToArchive } from '@platen/event-store/event-catalogue.ts'
import type { EventStore, NewEvent } from '@platen/event-store/event-store.ts'
import { unreadable } from '@platen/event-store/with-catalogue.ts'
import { derivedId, newId } from '@platen/foundation/runtime/ids.ts'
import { openFolder } from '@platen/object-store/adapters/folder/store.ts'
import t from 'tap'
import type { InputsAndLog } from './left-inputs.ts'
import { Ages } from './left-objects.ts'
import { removeLeftovers } from './remove-leftovers.ts'
import { leftObjects } from './run-janitor.ts'

const root = t.testdir()
const store = await openEventStore(`sqlite:${join(root, 'events.db')}`)
const objects = await openFolder(join(root, 'objects'))
t.teardown(async () => {
  await objects.close()
  await store.close()
})

const hourMs = 3_600_000
const now = new Date()
const put = async (key: string, ageHours: number) => {
  await objects.put(key, Buffer.from(key), 'application/pdf')
  const time = new Date(now.getTime() - ageHours * hourMs)
  await utimes(join(root, 'objects', key), time, time)
  return key
}
const attempt = () => newId('pdf').slice(4, 20).replace(/[g-z]/g, 'a')
const pdf = (id: string, ageHours: number) => put(objectKeys.pdf(id, attempt()), ageHours)
const event = (type: string, data: object): NewEvent => ({ id: crypto.randomUUID(), type, data: { ...data } })
const record = (id: string, ...ending: NewEvent[]) =>
  store.append(
    `generation-${id}`,
    [event('GenerationRequested', { owner_id: 'own_default', api_key_id: 'key_1' }), ...ending],
    'none',
  )
const completed = (object_key: string) => event('GenerationCompleted', { object_key, pages: 1, size: 1, sha256: '' })
const exists = async (key: string) => (await objects.info(key)) !== undefined
/** Generations that have a key, beside those of objects. */
const keys = new Set<string>()
const erasedKeys: string[] = []
const released: string[] = []
/** When requests have last used the keys of generations. Default: long ago. */
const keyUsed = new Map<string, Date>()
const keptInputs = {
  keys: async () => new Set(keys),
  async eraseKey(id: string, unusedSince?: Date) {
    if (unusedSince && (keyUsed.get(id) ?? new Date(0)) >= unusedSince) return false
    erasedKeys.push(id)
    return true
  },
  async release(ownerId: string, id: string, { days, bytes }: { days: number; bytes: number }) {
    released.push(`${ownerId} ${id} ${days} ${bytes}`)
  },
}
const retention = { inputDays: 7, pdfDays: 0 }
const isQueued = async () => true
interface Sweep extends Partial<InputsAndLog> {
  now?: Date
  since?: Date
}
const sweep = ({ now: at = now, since, ...stores }: Sweep = {}) =>
  removeLeftovers(leftObjects({ objects, store, keptInputs, isQueued, retention, ...stores }, new Ages(at, since)))

t.test('PDFs older than an hour that no event names are deleted', async (t) => {
  const [won, failed, open, lost] = [newId('pdf'), newId('pdf'), newId('pdf'), newId('pdf')]
  const recorded = await pdf(won, 50)
  await record(won, completed(recorded))
  await record(failed, event('GenerationFailed', { code: 'RENDER_FAILED', message: 'no' }))
  await record(open)
  const orphans = [await pdf(won, 2), await pdf(failed, 2), await pdf(open, 2), await pdf(lost, 2)]
  const kept = [recorded, await pdf(failed, 0.9), await pdf(lost, 0), await put('pdfs/theirs.pdf', 9_000)]
  t.strictSame(await sweep(), { removed: { unnamedPdf: 3, unknownPdf: 1 }, kept: {} })
  for (const key of orphans) t.notOk(await exists(key))
  for (const key of kept) t.ok(await exists(key))
})

t.test(
  'PDFs are kept if the event store seems to be another one, or has a completion that is not understood',
  async (t) => {
    const id = newId('pdf')
    const newer = await pdf(id, 2)
    await record(id, event('GenerationCompleted', { files: [newer] }))
    const keys: string[] = []
    for (let at = 0; at < 21; at++) keys.push(await pdf(newId('pdf'), 2))
    t.strictSame(await sweep(), { removed: {}, kept: { unknownPdf: 21 } })
    t.ok(await exists(newer))
    await objects.delete(keys[0] ?? '')
    t.strictSame(await sweep(), { removed: { unknownPdf: 20 }, kept: {} })
  },
)

const erasure = () => event('ContentErased', { erased_by: 'key_1', erased_at: now.toISOString() })

t.test('a PDF of an erased document that comes back is deleted', async (t) => {
  const [erased, archived, unknown] = [newId('pdf'), newId('pdf'), newId('pdf')]
  const gone = [await pdf(erased, 50), await pdf(archived, 50)] as const
  await record(erased, completed(gone[0]), erasure())
  await record(archived, completed(gone[1]), event(movedToArchive, {}), erasure())
  const kept = await pdf(unknown, 50)
  await record(unknown, event(unreadable, {}), event('GenerationFailed', { code: 'RENDER_FAILED', message: 'no' }))
  t.strictSame(await sweep(), { removed: { erasedPdf: 2 }, kept: {} })
  t.strictSame(await Promise.all([...gone, kept].map(exists)), [false, false, true], 'what cannot be read may name it')
})

t.test('objects are deleted at the end of their retention', async (t) => {
  const [old, young] = [newId('pdf'), newId('pdf')]
  const keys = [await pdf(old, 50), await pdf(young, 40)] as const
  await record(old, completed(keys[0]))
  await record(young, completed(keys[1]))
  const input = (id: string, ageHours: number) => put(objectKeys.input(id, 'a'.repeat(16)), ageHours)
  const inputs = [await input(old, 24 * 7 + 1), await input(young, 24 * 7 - 1)] as const
  await put('inputs/.probe', 24 * 100)
  t.strictSame(await sweep(), { removed: { expiredInput: 1 }, kept: {} }, 'PDFs are kept forever by default')
  const { removed } = await sweep({ retention: { inputDays: 7, pdfDays: 2 } })
  t.notOk('expiredInput' in removed)
  t.same(await Promise.all([...keys, ...inputs, 'inputs/.probe'].map(exists)), [false, true, false, true, true])
})

t.test('a kept input is deleted at its own time, its key first, unless its document is not printed yet', async (t) => {
  const dayMs = 24 * hourMs
  const requestedAt = (days: number) => derivedId('pdf', now.getTime() - days * dayMs, newId('pdf'))
  const [over, young, open, queued, old] = [
    requestedAt(2.1),
    requestedAt(1.9),
    requestedAt(2.1),
    requestedAt(2.1),
    requestedAt(9),
  ]
  const kept = (id: string, ageHours: number) => put(objectKeys.keptInput(id, '0123456789abcdef', 2), ageHours)
  const gone = [
    await kept(over, 50),
    await kept(over, 50).then(() => put(`inputs/${over}.fedcba9876543210.2`, 50)),
    await kept(old, 216),
  ]
  const left = [await kept(young, 45), await kept(open, 50), await kept(queued, 50), await put(`inputs/${over}.2`, 900)]
  const failed = event('GenerationFailed', { code: 'RENDER_FAILED', message: 'no' })
  await record(over, failed)
  await record(young, failed)
  await record(open)
  t.match(await sweep(), { removed: { expiredInput: 3 } })
  for (const key of gone) t.notOk(await exists(key), key)
  for (const key of left) t.ok(await exists(key), key)
  t.strictSame(new Set(erasedKeys), new Set([over, old]))
})

t.test('a kept input that no event names is deleted after an hour, and not with the key of another one', async (t) => {
  erasedKeys.length = 0
  released.length = 0
  const [twice, erased, lost] = [newId('pdf'), newId('pdf'), newId('pdf')]
  const [repeated, queued, open] = [newId('pdf'), newId('pdf'), newId('pdf')]
  const kept = (id: string, digit: string, days = 30, ageHours = 2) =>
    put(objectKeys.keptInput(id, digit.repeat(16), days), ageHours)
  const requested = (object_key: string) => {
    const kept_input = { object_key, days: 30, bytes: 1, sha256: '' }
    return event('GenerationRequested', { owner_id: 'own_default', api_key_id: 'key_1', kept_input })
  }
  const failed = () => event('GenerationFailed', { code: 'RENDER_FAILED', message: 'no' })
  const named = await kept(twice, 'a')
  await store.append(`generation-${twice}`, [requested(named), failed()], 'none')
  const ofErased = await kept(erased, 'a')
  await store.append(`generation-${erased}`, [requested(ofErased), failed(), erasure()], 'none')
  await record(open)
  const gone = [ofErased, await kept(erased, 'b'), await kept(twice, 'b'), await kept(twice, 'c', 1)]
  gone.push(await kept(lost, 'a'), await kept(repeated, 'a'))
  const left = [named, await kept(repeated, 'b', 30, 0.9), await kept(queued, 'a'), await kept(open, 'a')]
  const isQueued = async (id: string) => id !== lost && id !== repeated
  keyUsed.set(repeated, new Date(now.getTime() - 0.9 * hourMs))
  t.strictSame((await sweep({ isQueued })).removed, { erasedInput: 2, unnamedInput: 2, unknownInput: 2 })
  for (const key of gone) t.notOk(await exists(key), key)
  for (const key of left) t.ok(await exists(key), key)
  t.strictSame(new Set(erasedKeys), new Set([erased, lost]))
  // Each of several equal requests has counted an input.
  const surplus = [objectKeys.keptInput(twice, 'c'.repeat(16), 1), objectKeys.keptInput(twice, 'b'.repeat(16), 30)]
  // A test object has its key as content.
  t.strictSame(
    released.sort(),
    surplus.map((key, at) => `own_default ${twice} ${[1, 30][at]} ${key.length}`),
  )

  const late = await kept(twice, 'd', 1)
  await sweep({ now: new Date(now.getTime() + 48 * hourMs) })
  t.strictSame(await Promise.all([late, named].map(exists)), [false, true])
  t.notOk(erasedKeys.includes(twice), 'the key of the recorded object is left')
})

t.test('a large input is deleted after an hour if nobody can use it', async (t) => {
  const input = (id: string, digit = 'a', ageHours = 2) => put(objectKeys.input(id, digit.repeat(16)), ageHours)
  const requested = (input_key?: string) =>
    event('GenerationRequested', { owner_id: 'own_default', api_key_id: 'key_1', ...(input_key && { input_key }) })
  const failed = () => event('GenerationFailed', { code: 'RENDER_FAILED', message: 'no' })
  const [ended, erased, cancelled] = [newId('pdf'), newId('pdf'), newId('pdf')]
  const [lost, queued, letter, open] = [newId('pdf'), newId('pdf'), newId('pdf'), newId('pdf')]
  const named = await input(ended)
  await store.append(`generation-${ended}`, [requested(named), failed()], 'none')
  const ofErased = await input(erased)
  await store.append(`generation-${erased}`, [requested(ofErased), failed(), erasure()], 'none')
  await store.append(`generation-${cancelled}`, [requested(), event('GenerationCancelled', {})], 'none')
  await store.append(`generation-${letter}`, [requested(), failed()], 'none')
  await record(open)
  const gone = [ofErased, await input(erased, 'b'), await input(ended, 'b'), await input(cancelled), await input(lost)]
  const left = [named, await input(queued), await input(letter), await input(open), await input(lost, 'b', 0.9)]
  const isQueued = async (id: string) => ![ended, erased, cancelled, lost].includes(id)
  t.strictSame((await sweep({ isQueued })).removed, { erasedInput: 2, unnamedInput: 2, unknownInput: 1 })
  for (const key of gone) t.notOk(await exists(key), key)
  for (const key of left) t.ok(await exists(key), key)
})

t.test('a key without its input is erased, unless it is new, or the log or a command names the input', async (t) => {
  const [left, unkept, used] = [newId('pdf'), newId('pdf'), newId('pdf')]
  const [lost, queued, stored] = [newId('pdf'), newId('pdf'), newId('pdf')]
  for (const id of [left, unkept, used, lost, queued, stored]) keys.add(id)
  t.teardown(() => keys.clear())
  await record(unkept)
  const kept_input = { object_key: objectKeys.keptInput(lost, 'a'.repeat(16), 30), days: 30, bytes: 1, sha256: '' }
  await store.append(
    `generation-${lost}`,
    [event('GenerationRequested', { owner_id: 'own_default', api_key_id: 'key_1', kept_input })],
    'none',
  )
  await put(objectKeys.keptInput(stored, 'a'.repeat(16), 30), 0.1)
  const usedFor = (id: string, ageHours: number) => keyUsed.set(id, new Date(now.getTime() - ageHours * hourMs))
  for (const id of keys) usedFor(id, id === used ? 0.9 : 2)
  erasedKeys.length = 0
  const { removed } = await sweep({ isQueued: async (id) => id === queued })
  t.match(removed, { unusedKey: 2 })
  const erased = erasedKeys.filter((id) => keys.has(id))
  t.strictSame(new Set(erased), new Set([left, unkept]), 'the store may have lost the input, and have it again')

  keys.clear()
  // More than a crash leaves: they may be of another log, until they are old.
  for (let at = 0; at < 22; at++) keys.add(newId('pdf'))
  for (const [at, id] of [...keys].entries()) usedFor(id, at === 0 ? 7 * 24 + 1 : 2)
  t.match(await sweep({ isQueued: async (id) => !keys.has(id) }), {
    removed: { expiredKey: 1 },
    kept: { unusedKey: 22 },
  })
})

t.test('kept inputs stay until their time if the event store seems to be another one', async (t) => {
  const isQueued = async () => false
  await sweep({ isQueued })
  const keys: string[] = []
  for (let at = 0; at < 21; at++) keys.push(await put(objectKeys.keptInput(newId('pdf'), 'a'.repeat(16), 30), 2))
  t.strictSame(await sweep({ isQueued }), { removed: {}, kept: { unknownInput: 21 } })
  await objects.delete(keys[0] ?? '')
  t.strictSame(await sweep({ isQueued }), { removed: { unknownInput: 20 }, kept: {} })
})

t.test('the items of a batch are kept until it has ended, however old they are', async (t) => {
  const [running, ended, refused] = [newId('bat'), newId('bat'), newId('bat')]
  // Of repeated requests: items that were moved to the id of the first one.
  const [moving, moved] = [`${newId('bat')}.${newId('bat')}`, `${newId('bat')}.${newId('bat')}`]
  const created = (name: string) =>
    event('BatchCreated', { owner_id: 'own_default', api_key_id: 'key_1', total: 1, input: { name, parts: 2 } })
  const end = event('BatchEnded', { status: 'completed', completed: 1, failed: 0, cancelled: 0 })
  for (const name of [running, moving]) await store.append(`batch-${name.slice(0, 30)}`, [created(name)], 'none')
  for (const name of [ended, moved]) await store.append(`batch-${name.slice(0, 30)}`, [created(name), end], 'none')
  const week = 7 * 24
  const parts = async (name: string, ageHours: number) => [
    await put(objectKeys.batchInput(name, 0), ageHours),
    await put(objectKeys.batchInput(name, 1), ageHours),
  ]
  const kept = [...(await parts(running, week + 1)), ...(await parts(moving, week + 1))]
  const gone = [
    ...(await parts(ended, week + 1)),
    ...(await parts(moved, week + 1)),
    ...(await parts(refused, week + 1)),
  ]
  t.match((await sweep()).removed, { expiredItems: 6 })
  for (const key of kept) t.ok(await exists(key))
  for (const key of gone) t.notOk(await exists(key))
  kept.push(...(await parts(ended, week - 1)))
  t.notOk('expiredItems' in (await sweep()).removed)
  for (const key of kept) t.ok(await exists(key))
})

t.test('items of a batch that was not recorded, or has others, are deleted after an hour', async (t) => {
  const [running, refused, young] = [newId('bat'), newId('bat'), newId('bat')]
  const other = `${running}.${newId('bat')}`
  const input = { name: running, parts: 1 }
  const created = event('BatchCreated', { owner_id: 'own_default', api_key_id: 'key_1', total: 1, input })
  await store.append(`batch-${running}`, [created], 'none')
  const part = (name: string, at: number, ageHours: number) => put(objectKeys.batchInput(name, at), ageHours)
  const gone = [await part(other, 0, 2)]
  // More parts than a crash leaves batches.
  for (let at = 0; at < 25; at++) gone.push(await part(refused, at, 2))
  const left = [await part(running, 0, 2), await part(young, 0, 0.9)]
  t.match((await sweep()).removed, { unnamedItems: 1, unknownItems: 25 })
  for (const key of gone) t.notOk(await exists(key), key)
  for (const key of left) t.ok(await exists(key), key)
})

t.test('a part of a batch that was written anew is as old as the batch, and goes with its key', async (t) => {
  const [old, young] = [7.1, 6.9].map((days) => derivedId('bat', Math.round(now.getTime() - days * 24 * hourMs), days))
  for (const id of [old, young]) await put(`inputs/${id}.3.${'a'.repeat(16)}`, 1)
  erasedKeys.length = 0
  t.match((await sweep()).removed, { expiredItems: 1 })
  t.strictSame(erasedKeys, [`${old}.3`])
  t.ok(await exists(`inputs/${young}.3.${'a'.repeat(16)}`))
})

t.test('a later sweep does not look up again what an earlier one has checked', async (t) => {
  const id = newId('pdf')
  const key = await pdf(id, 5)
  await record(id, completed(key))
  const looked: string[] = []
  const readStream = (stream: string) => {
    looked.push(stream)
    return store.readStream(stream)
  }
  const counting: EventStore = Object.assign(Object.create(store), { readStream })
  await sweep({ store: counting })
  t.ok(looked.includes(`generation-${id}`))
  looked.length = 0
  const orphan = await pdf(newId('pdf'), 1.5)
  await sweep({ store: counting, since: new Date(now.getTime() - hourMs) })
  t.notOk(looked.includes(`generation-${id}`))
  t.notOk(await exists(orphan), 'it was too young for the earlier sweep')
})

const sha256 = (digit: string) => digit.repeat(64)
const object = (digit: string) => digit.repeat(16)
const named = (digit: string) => event('AssetContentStored', { object: object(digit), type: 'image/png', bytes: 1 })
const asset = (owner: string, content: string, digit: string, ageHours: number) =>
  put(objectKeys.asset(owner, content, object(digit)), ageHours)
const upload = (owner: string) =>
  store.append(
    `asset-${owner}`,
    [
      event('AssetStored', {
        name: 'a.png',
        sha256: sha256('1'),
        type: 'image/png',
        bytes: 1,
        object: object('1'),
        version: 1,
        created_at: now.toISOString(),
      }),
    ],
    'none',
  )

t.test('bytes of assets are deleted only if no event of their owner names them', async (t) => {
  const owner = 'own_default'
  await upload(owner)
  await store.append(`assetcontent-${owner}.${sha256('1')}`, [named('1')], 'none')
  const kept = [
    await asset(owner, sha256('1'), '1', 9_000),
    await asset(owner, sha256('3'), '3', 0.9),
    // An asset of an owner whose events are in another event store.
    await asset('own_00000000000000000000000000', sha256('4'), '4', 9_000),
    await put('assets/theirs', 9_000),
  ]
  const orphans = [await asset(owner, sha256('5'), '5', 2), await asset(owner, sha256('1'), '2', 2)]
  t.match(await sweep({ retention: { inputDays: 1, pdfDays: 1 } }), { removed: { unnamedAsset: 1, unknownAsset: 1 } })
  for (const key of kept) t.ok(await exists(key), key)
  for (const key of orphans) t.notOk(await exists(key), key)
})

t.test('bytes of assets are kept if the event store seems to be an older one', async (t) => {
  const owner = 'own_11111111111111111111111111'
  await upload(owner)
  const keys: string[] = []
  for (let at = 0; at < 21; at++) keys.push(await asset(owner, `${at}`.padStart(64, 'a'), '1', 2))
  t.match(await sweep(), { kept: { unknownAsset: 21 } })
  for (const key of keys) t.ok(await exists(key), key)
  await objects.delete(keys[0] ?? '')
  t.match(await sweep(), { removed: { unknownAsset: 20 }, kept: {} })
})

t.test('an upload and a sweep that come together do not both succeed', async (t) => {
  const owner = 'own_22222222222222222222222222'
  await upload(owner)
  const early = await asset(owner, sha256('b'), 'b', 2)
  const late = await asset(owner, sha256('c'), 'c', 2)
  const recordUpload = (digit: string) => store.append(`assetcontent-${owner}.${sha256(digit)}`, [named(digit)], 'none')
  const uploading: InputsAndLog['objects'] = {
    async *list(category) {
      yield* objects.list(category)
      // The sweep has seen that no event names it.
      if (category === 'assets') await recordUpload('b')
    },
    async delete(key) {
      if (key === late) await t.rejects(recordUpload('c'), { name: 'WrongExpectedRevision' })
      await objects.delete(key)
    },
  }
  t.match(await sweep({ objects: uploading }), { removed: { unknownAsset: 1 } })
  t.strictSame(await Promise.all([exists(early), exists(late)]), [true, false])
})

t.test('a sweep that dies after it has given up an object leaves it to the next one', async (t) => {
  const owner = 'own_33333333333333333333333333'
  await upload(owner)
  const key = await asset(owner, sha256('d'), 'd', 2)
  const died = new Error('died')
  const objectsThatDie: InputsAndLog['objects'] = {
    list: (category) => objects.list(category),
    delete: async () => {
      throw died
    },
  }
  await t.rejects(sweep({ objects: objectsThatDie }), died)
  t.ok(await exists(key))
  t.match(await sweep(), { removed: { unknownAsset: 1 } })
  t.notOk(await exists(key))
})
