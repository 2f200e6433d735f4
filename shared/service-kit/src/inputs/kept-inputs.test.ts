import { execFileSync } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { keptInputOf } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { ObjectStoreUnavailable } from '@platen/object-store/object-store.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { DiscardPolicy } from 'nats'
import t from 'tap'
import { KeptInputs } from './kept-inputs.ts'

const { services, folder, nats, ...running } = await startBackingServices()
t.teardown(() => running[Symbol.asyncDispose]())
const { bus, objects } = services
const keptInputs = new KeptInputs({ bus, objects })

const canary = 'Zimtschneckenverordnung'
const options = { landscape: true }
const content = (text = canary) => ({
  input: { html: `<p>${text}</p>`, data: { text }, options: resolvePdfOptions(options) },
  options,
})
const keep = (generationId: string, days = 7, ownerId = 'own_default', text?: string) =>
  keptInputs.keep({ generationId, ownerId, days, ...content(text) })
/** Files of the stores that contain a text. */
const filesWith = (text: string) => {
  try {
    return execFileSync('grep', ['-rlaF', text, folder, nats.storeDir], { encoding: 'utf8' }).trim().split('\n')
  } catch {
    return []
  }
}

t.test('an input is kept encrypted, and read until its key is deleted', async (t) => {
  const id = newId('pdf')
  const kept = await keep(id)
  t.match(kept, { object_key: new RegExp(`^inputs/${id}\\.[0-9a-f]{16}\\.7$`), days: 7, sha256: /^[0-9a-f]{64}$/ })
  t.strictSame(keptInputOf(kept?.object_key ?? ''), { generationId: id, days: 7 })
  t.strictSame(await keptInputs.read(kept?.object_key ?? ''), content())
  t.strictSame(filesWith(canary), [], 'no file has its text')

  const bucket = await bus.js.views.kv('INPUT_KEYS')
  const key = (await bucket.get(id))?.string() ?? ''
  t.match(key, /^[A-Za-z0-9+/]{43}=$/)
  t.not(filesWith(key).length, 0, 'its key is in the store of NATS')
  t.strictSame(await keptInputs.keys(), new Set([id]))
  await keptInputs.eraseKey(id)
  t.strictSame(await keptInputs.keys(), new Set())
  t.strictSame(filesWith(key), [], 'a deleted key is overwritten on the disk')
  t.ok(await objects.info(kept?.object_key ?? ''))
  t.equal(await keptInputs.read(kept?.object_key ?? ''), undefined)
  await keptInputs.eraseKey(id)
  await keptInputs.eraseKey(newId('pdf'))
})

t.test('equal requests at once have an object each and one key', async (t) => {
  const id = newId('pdf')
  const kept = await Promise.all(Array.from({ length: 8 }, () => keep(id)))
  t.equal(new Set(kept.map((one) => one?.object_key)).size, 8)
  for (const one of kept) t.strictSame(await keptInputs.read(one?.object_key ?? ''), content())
})

t.test('a key that a repeated request has used is not erased with what the first one has left', async (t) => {
  const id = newId('pdf')
  await keep(id)
  await delay(50)
  const between = new Date()
  await delay(50)
  const repeated = await keep(id)
  t.equal(await keptInputs.eraseKey(id, between), false)
  t.strictSame(await keptInputs.read(repeated?.object_key ?? ''), content())
  await delay(50)
  t.equal(await keptInputs.eraseKey(id, new Date()), true)
  t.equal(await keptInputs.read(repeated?.object_key ?? ''), undefined)
})

t.test('an object cannot take the place of another one', async (t) => {
  const [one, two] = [await keep(newId('pdf')), await keep(newId('pdf'), 7, 'own_default', 'other')]
  const bytes = await buffer(await objects.get(two?.object_key ?? ''))
  await objects.put(one?.object_key ?? '', bytes, 'application/octet-stream')
  await t.rejects(keptInputs.read(one?.object_key ?? ''))
  await objects.delete(one?.object_key ?? '')
  t.equal(await keptInputs.read(one?.object_key ?? ''), undefined)
  t.equal(await keptInputs.read('inputs/x'), undefined)
})

t.test('an owner keeps its share, and as much again when some is released', async (t) => {
  const few = new KeptInputs({ bus, objects, mostBytesOfOwner: 5 * 16 * 1_024 })
  const ids = Array.from({ length: 8 }, () => newId('pdf'))
  const keep = (generationId: string, ownerId: string) => few.keep({ generationId, ownerId, days: 1, ...content() })
  const kept = await Promise.all(ids.map((id) => keep(id, 'own_a')))
  t.equal(kept.filter((one) => one !== undefined).length, 5)
  t.ok(await keep(newId('pdf'), 'own_b'), 'another owner has a share of its own')
  const [at, first] = [...kept.entries()].find(([, one]) => one !== undefined) ?? []
  if (at === undefined || first === undefined) throw new Error('nothing was kept')
  await few.release('own_a', ids[at] ?? '', first)
  t.ok(await keep(newId('pdf'), 'own_a'))
  t.equal(await keep(newId('pdf'), 'own_a'), undefined)
})

t.test('what is not stored after all does not count', async (t) => {
  const broken = { get: objects.get.bind(objects), delete: objects.delete.bind(objects) }
  const put = async () => {
    throw new Error('the disk is full')
  }
  const mostBytesOfOwner = 16 * 1_024
  const [failing, few] = [
    new KeptInputs({ bus, objects: { ...broken, put }, mostBytesOfOwner }),
    new KeptInputs({ bus, objects, mostBytesOfOwner }),
  ]
  const ofOwner = (generationId: string) => ({ generationId, ownerId: 'own_c', days: 1, ...content() })
  await t.rejects(failing.keep(ofOwner(newId('pdf'))), { message: 'the disk is full' })
  for (const mayShareKey of [false, true]) {
    const generationId = newId('pdf')
    const kept = await few.keep(ofOwner(generationId))
    if (!kept) return t.fail('it is not kept')
    t.equal(await few.keep(ofOwner(newId('pdf'))), undefined)
    await few.discard({ generationId, ownerId: 'own_c', kept, mayShareKey, sinceMs: Date.now() })
    t.equal(await objects.info(kept.object_key), undefined)
    t.equal(await keptInputs.eraseKey(generationId), mayShareKey, 'a key that another request may use is left')
  }
})

t.test('what the janitor may have given back is not given back again', async (t) => {
  const few = new KeptInputs({ bus, objects, mostBytesOfOwner: 16 * 1_024 })
  const ofOwner = { ownerId: 'own_e', days: 1, ...content() }
  const generationId = newId('pdf')
  const kept = await few.keep({ generationId, ...ofOwner })
  if (!kept) return t.fail('it is not kept')
  const sinceMs = Date.now() - 3_600_000
  await few.discard({ generationId, ownerId: 'own_e', kept, mayShareKey: false, sinceMs })
  t.equal(await few.keep({ generationId: newId('pdf'), ...ofOwner }), undefined, 'it counts until its day')
})

t.test('an input whose write was not answered does not count, and is not left', async (t) => {
  const generationId = newId('pdf')
  const lossy = {
    get: objects.get.bind(objects),
    delete: objects.delete.bind(objects),
    async put(...object: Parameters<typeof objects.put>) {
      await objects.put(...object)
      throw new ObjectStoreUnavailable('the answer was lost')
    },
  }
  const failing = new KeptInputs({ bus, objects: lossy, mostBytesOfOwner: 16 * 1_024 })
  for (let time = 0; time < 2; time++) {
    const toKeep = { generationId, ownerId: 'own_lossy', days: 1, ...content() }
    await t.rejects(failing.keep(toKeep), { name: 'ObjectStoreUnavailable' })
  }
  for await (const { key } of objects.list('inputs', new Set([generationId]))) t.fail(`${key} is left`)
})

t.test('the bytes that are stored count, and as many are released', async (t) => {
  const input = { html: 'x'.repeat(20_000), options: resolvePdfOptions() }
  const large = (generationId: string) => ({ generationId, ownerId: 'own_d', days: 1, input, options: undefined })
  const size = (await keptInputs.keep({ ...large(newId('pdf')), ownerId: 'own_e' }))?.bytes ?? 0
  const [less, enough] = [size - 1, size].map((mostBytesOfOwner) => new KeptInputs({ bus, objects, mostBytesOfOwner }))
  t.equal(await less?.keep(large(newId('pdf'))), undefined)
  for (let time = 0; time < 2; time++) {
    const id = newId('pdf')
    const kept = await enough?.keep(large(id))
    if (!kept) return t.fail(`it is not kept, time ${time}`)
    await enough?.release('own_d', id, kept)
  }
})

t.test('of erasures at once, one has deleted the key', async (t) => {
  const id = newId('pdf')
  await keep(id)
  const erased = await Promise.all(Array.from({ length: 8 }, () => keptInputs.eraseKey(id)))
  t.equal(erased.filter((isMine) => isMine).length, 1)
})

t.test('a full store of keys keeps no more, and says nothing of the disk', async (t) => {
  const stream = 'KV_INPUT_KEYS'
  const { config } = await bus.jsm.streams.info(stream)
  await bus.jsm.streams.update(stream, { ...config, max_bytes: 1_000, discard: DiscardPolicy.New })
  const kept = await Promise.all(Array.from({ length: 12 }, () => keep(newId('pdf'), 7, 'own_full')))
  t.ok(kept.some((one) => one === undefined))
  await t.resolves(bus.check())
  await bus.jsm.streams.update(stream, config)
  t.ok(await keep(newId('pdf'), 7, 'own_full'))
})

t.test(
  'as the bucket of the keys fills, the share of each owner shrinks, and others can keep inputs still',
  async (t) => {
    const stream = 'KV_INPUT_KEYS'
    const { config, state } = await bus.jsm.streams.info(stream)
    const most = 16_384
    await bus.jsm.streams.update(stream, { ...config, max_bytes: state.bytes + most, discard: DiscardPolicy.New })
    const keepAll = async (ownerId: string) => {
      let count = 0
      while (await keep(newId('pdf'), 7, ownerId)) count++
      return count
    }
    const first = await keepAll('own_first')
    t.ok(first > 20 && first < 45, `one owner leaves about half of the bucket: ${first} keys of 64`)
    const second = await keepAll('own_second')
    t.ok(second > 5 && second < first, `the next one has ${second} keys`)
    t.ok(await keep(newId('pdf'), 7, 'own_third'), 'and there is room for another one')
    t.equal(await keep(newId('pdf'), 7, 'own_first'), undefined)
    await bus.jsm.streams.update(stream, config)
  },
)

t.test('nothing is created by reading and deleting', async (t) => {
  await bus.jsm.streams.delete('KV_INPUT_KEYS')
  const later = new KeptInputs({ bus, objects })
  t.equal(await later.read(`inputs/${newId('pdf')}.0123456789abcdef.7`), undefined)
  await later.eraseKey(newId('pdf'))
  t.strictSame(await later.keys(), new Set())
  await t.rejects(bus.jsm.streams.info('KV_INPUT_KEYS'), { message: /not found/ })
  const first = { generationId: newId('pdf'), ownerId: 'own_default', days: 7, ...content() }
  t.ok(await later.keep(first), 'and what is kept next creates the bucket')
})
