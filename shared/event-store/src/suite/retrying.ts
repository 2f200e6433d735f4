import type { Test } from 'tap'
import { dataOf, givenStore, newEvent, numbered, type OpenStore } from './given-store.ts'

/** A client that received no answer appends the same events again. */
export async function testsOfRetrying(t: Test, open: OpenStore): Promise<void> {
  t.test('a retry returns the first result and writes nothing', async (t) => {
    const { store, stream } = await givenStore(t, open)
    const first = newEvent(1)
    const second = newEvent(2)
    const answer = await store.append(stream, [first], 'none')
    t.equal((await store.append(stream, [first], 'none')).revision, 0)
    await store.append(stream, [second], 0)
    t.strictSame(await store.append(stream, [first], 'none'), answer, 'also after a later append')
    t.equal((await store.append(stream, [second], 0)).revision, 1)
    t.strictSame(await dataOf(store.readStream(stream)), [1, 2])
  })

  t.test('a retry of several events', async (t) => {
    const { store, stream } = await givenStore(t, open)
    const batch = numbered(1, 3)
    const answer = await store.append(stream, batch, 'none')
    t.strictSame(await store.append(stream, batch, 'none'), answer)
    await store.append(stream, [newEvent(4)], 2)
    t.strictSame(await store.append(stream, batch, 'none'), answer)
    t.strictSame(await dataOf(store.readStream(stream)), [1, 2, 3, 4])
  })

  t.test('the same append twice at once', async (t) => {
    const { store, stream } = await givenStore(t, open)
    const batch = numbered(1, 3)
    const answers = await Promise.all([store.append(stream, batch, 'none'), store.append(stream, batch, 'none')])
    t.strictSame(answers[0], answers[1])
    t.strictSame(await dataOf(store.readStream(stream)), [1, 2, 3])
  })

  t.test('other ids or a part of them are a wrong expected revision', async (t) => {
    const { store, stream } = await givenStore(t, open)
    const [first, second, third] = [newEvent(1), newEvent(2), newEvent(3)]
    await store.append(stream, [first, second], 'none')
    const wrong = { name: 'WrongExpectedRevision', actual: 1 }
    await t.rejects(store.append(stream, [newEvent(1)], 'none'), wrong, 'other ids')
    await t.rejects(store.append(stream, [first, third], 'none'), wrong, 'one of two')
    await t.rejects(store.append(stream, [first, second, third], 'none'), wrong, 'two of three')
    await t.rejects(store.append(stream, [second, first], 'none'), wrong, 'in another order')
    await t.rejects(store.append(stream, [first], 0), wrong, 'at another place')
    t.strictSame(await dataOf(store.readStream(stream)), [1, 2])
  })

  t.test('another stream may use the same id', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    const event = newEvent(1)
    await store.append(stream, [event], 'none')
    t.equal((await store.append(`${category}-b`, [event], 'none')).revision, 0)
    t.strictSame(await dataOf(store.readStream(`${category}-b`)), [1])
  })
}
