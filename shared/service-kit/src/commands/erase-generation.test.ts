import { buffer } from 'node:stream/consumers'
import { itemGenerationId } from '@platen/domain/batch/batch.ts'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { Position } from '@platen/event-store/event-store.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import t from 'tap'
import { EndedItems } from '../inputs/ended-items.ts'
import { ItemWriter, type StoredItems } from '../inputs/stored-items.ts'
import { eraseGeneration, nothingErased } from './erase-generation.ts'

const { services, ...running } = await startBackingServices()
t.teardown(() => running[Symbol.asyncDispose]())
const { bus, objects } = services

const secretOf = (batch: string, index: number) => `Lebkuchen-${batch}-${index}.`

/** A batch that has ended, with items of this size. */
async function ended(count: number, bytes = 0) {
  const batch = newId('bat')
  const writer = new ItemWriter(objects, batch)
  const html = (index: number) => `<p>${secretOf(batch, index)}${'x'.repeat(bytes)}`
  for (let index = 1; index <= count; index++)
    await writer.add({ index, request: {}, input: { html: html(index), options: resolvePdfOptions() } })
  const items = await writer.end()
  return { batch, items, html, count }
}
type Ended = Awaited<ReturnType<typeof ended>>

async function erase({ batch, items }: { batch: string; items: StoredItems }, index: number, through = objects) {
  const data = { owner_id: 'own_default', api_key_id: 'key_1', batch: { id: batch, index } }
  const place = { stream: '', revision: 0, position: '' as Position, recordedAt: new Date(), metadata: {} }
  const events = [{ ...place, id: '', type: 'GenerationRequested', data }]
  const generation = { id: itemGenerationId(batch, index), owner: 'own_default', events }
  const erased = nothingErased(generation)
  const erasing = {
    bus,
    objects: through,
    batches: new Map([[batch, items]]),
    attempts: new Map(),
    isDry: false,
    eraseDeadLetters: async () => 0,
    onUnreleased: () => t.fail(),
  }
  await eraseGeneration(erasing, generation, erased)
  return erased.objects.map(({ key }) => key)
}

/** The items that can be rendered again. */
async function left({ items, html, count }: Ended) {
  const stored = new EndedItems({ bus, objects })
  const indexes = Array.from({ length: count }, (_, at) => at + 1)
  const read = await Promise.all(indexes.map((index) => stored.read(items, index)))
  return indexes.filter((index, at) => read[at]?.input.html === html(index))
}

/** Whether a stored object has the item as it is. */
async function isStored({ batch }: Ended, index: number) {
  for await (const { key } of objects.list('inputs', new Set([batch])))
    if ((await buffer(await objects.get(key))).includes(secretOf(batch, index))) return true
  return false
}

t.test('an item of a batch is erased, and the others can be rendered again', async (t) => {
  const batch = await ended(12, 300 * 1024)
  t.equal(batch.items.parts, 3)
  const accepted = (part: number) => `inputs/${batch.batch}.${part}`
  t.strictSame(await erase(batch, 1), [accepted(0)])
  t.strictSame(await erase(batch, 12), [accepted(batch.items.parts - 1)])
  const [replaced = ''] = await erase(batch, 2)
  t.match(replaced, /^inputs\/bat_\w+\.0\.[0-9a-f]{16}$/, 'a part is replaced as often as it has erased items')
  t.strictSame(await erase(batch, 2), [], 'a repetition finds nothing')
  t.strictSame(
    await left(batch),
    Array.from({ length: 9 }, (_, at) => at + 3),
  )
  for (const index of [1, 2, 12]) t.notOk(await isStored(batch, index))
})

/** Calls `between` at this step: each use of an object begins and ends with one. */
function stepping(at: number, between: () => Promise<void>) {
  let count = 0
  const step = async () => {
    if (++count === at) await between()
  }
  const around = async <Result>(use: () => Promise<Result>) => {
    await step()
    return use().finally(step)
  }
  const stepped: ObjectStore = Object.assign(Object.create(null), {
    list: (...asked: Parameters<ObjectStore['list']>) => objects.list(...asked),
    info: (key: string) => around(() => objects.info(key)),
    get: (key: string) => around(() => objects.get(key)),
    put: (...object: Parameters<ObjectStore['put']>) => around(() => objects.put(...object)),
    delete: (key: string) => around(() => objects.delete(key)),
  })
  return { stepped, wasReached: () => count >= at }
}

for (const { name, crashes, others } of [
  { name: 'an erasure at the same time brings back no item', crashes: false, others: [2] },
  { name: 'an erasure that crashes brings back no item of another', crashes: true, others: [2] },
  { name: 'an erasure that crashed is done when it is repeated', crashes: true, others: [] },
]) {
  t.test(`${name}, at whichever step`, async (t) => {
    for (let at = 1; ; at++) {
      const batch = await ended(3)
      const { stepped, wasReached } = stepping(at, async () => {
        for (const index of others) await erase(batch, index)
        if (crashes) throw new Error('crash')
      })
      await erase(batch, 1, stepped).catch((err) => {
        if (err.message !== 'crash') throw err
      })
      if (!wasReached()) return t.ok(at > 8, `${at} steps`)
      for (const index of others) t.notOk(await isStored(batch, index), `step ${at}`)
      if (crashes) await erase(batch, 1)
      t.notOk(await isStored(batch, 1), `step ${at}`)
      t.strictSame(
        await left(batch),
        [2, 3].filter((index) => !others.includes(index)),
        `step ${at}`,
      )
    }
  })
}

t.test('of many erasures at once none brings back the item of another', async (t) => {
  const batch = await ended(12)
  await Promise.all(Array.from({ length: 11 }, (_, at) => erase(batch, at + 1)))
  t.strictSame(await left(batch), [12])
  for (let index = 1; index <= 11; index++) t.notOk(await isStored(batch, index))
  const stored: string[] = []
  for await (const { key } of objects.list('inputs', new Set([batch.batch]))) stored.push(key)
  t.equal(stored.length, 1, 'what was replaced is deleted')
})

t.test('what a crashed request has stored for the same batch is deleted', async (t) => {
  const batch = await ended(2)
  const copy = `inputs/${batch.batch}.${newId('bat')}.0`
  await objects.put(copy, Buffer.from('{}'), 'application/x-ndjson')
  t.ok((await erase(batch, 1)).includes(copy))
  t.strictSame(await left(batch), [2])
})

t.test('if a part is missing, nothing of the batch is left: which part has the item is not known', async (t) => {
  const batch = await ended(12, 300 * 1024)
  await objects.delete(`inputs/${batch.batch}.2`)
  t.equal((await erase(batch, 12)).length, batch.items.parts - 1)
})
