import type { Test } from 'tap'
import { appendBytes } from '../appendable.ts'
import { maxAppendBytes, type NewEvent } from '../event-store.ts'
import { dataOf, givenStore, newEvent, numbered, type OpenStore, range, readAll } from './given-store.ts'

export async function testsOfAppending(t: Test, open: OpenStore): Promise<void> {
  t.test('revisions count the events from 0', async (t) => {
    const { store, stream } = await givenStore(t, open)
    t.equal((await store.append(stream, [newEvent()], 'none')).revision, 0)
    t.equal((await store.append(stream, [newEvent()], 0)).revision, 1)
    t.equal((await store.append(stream, numbered(1, 3), 1)).revision, 4)
    t.equal((await store.append(stream, [newEvent()], 'any')).revision, 5)
    t.strictSame(
      (await readAll(store.readStream(stream))).map(({ revision }) => revision),
      range(0, 5),
    )
  })

  t.test('`any` can create a stream', async (t) => {
    const { store, stream } = await givenStore(t, open)
    t.equal((await store.append(stream, [newEvent()], 'any')).revision, 0)
  })

  t.test('an append returns the position of its last event', async (t) => {
    const { store, stream } = await givenStore(t, open)
    const { position } = await store.append(stream, numbered(1, 3), 'none')
    t.equal((await readAll(store.readStream(stream))).at(-1)?.position, position)
  })

  t.test('a wrong expected revision reports the actual one and writes nothing', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    await store.append(stream, numbered(1, 3), 'none')
    const missing = `${category}-missing`
    const wrong = (expected: number | 'none', actual: number | 'none') => ({
      name: 'WrongExpectedRevision',
      expected,
      actual,
    })
    await t.rejects(store.append(stream, [newEvent()], 1), wrong(1, 2), 'too low')
    await t.rejects(store.append(stream, [newEvent()], 3), wrong(3, 2), 'too high')
    await t.rejects(store.append(stream, numbered(4, 6), 'none'), wrong('none', 2), 'the stream exists')
    await t.rejects(store.append(missing, [newEvent()], 0), wrong(0, 'none'), 'no such stream')
    t.strictSame(await dataOf(store.readStream(stream)), [1, 2, 3])
    t.strictSame(await dataOf(store.readStream(missing)), [])
  })

  t.test('of several appends at one revision exactly one succeeds', async (t) => {
    const { store, reopen, stream } = await givenStore(t, open)
    const other = await reopen?.()
    // A slow disk may keep the file of the other one locked for long.
    const patient = { timeoutMs: 120_000 }
    for (let revision = 0; revision < 10; revision++) {
      const expected = revision === 0 ? 'none' : revision - 1
      const outcomes = await Promise.allSettled([
        store.append(stream, [newEvent('first')], expected, patient),
        (other ?? store).append(stream, [newEvent('second')], expected, patient),
        store.append(stream, [newEvent('third')], expected, patient),
      ])
      t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') t.match(outcome.reason, { name: 'WrongExpectedRevision', actual: revision })
      }
    }
    t.equal((await readAll(store.readStream(stream))).length, 10)
    await other?.close()
  })

  t.test('a refused append does not affect concurrent ones', async (t) => {
    const { store, category } = await givenStore(t, open)
    const outcomes = await Promise.allSettled(
      range(0, 19).map((n) => store.append(`${category}-${n}`, [newEvent(n)], n % 2 ? 7 : 'none')),
    )
    t.strictSame(
      outcomes.map(({ status }) => status),
      range(0, 19).map((n) => (n % 2 ? 'rejected' : 'fulfilled')),
    )
    t.strictSame(await dataOf(store.readStream(`${category}-8`)), [8])
  })

  t.test('an append may have 1,000,000 bytes', async (t) => {
    const { store, stream } = await givenStore(t, open)
    const ofBytes = (bytes: number): NewEvent => {
      const empty = newEvent('')
      return { ...empty, data: 'x'.repeat(bytes - appendBytes([empty])) }
    }
    await t.rejects(store.append(stream, [ofBytes(maxAppendBytes + 1)], 'none'), { name: 'AppendTooLarge' })
    const half = ofBytes(maxAppendBytes / 2)
    await t.rejects(store.append(stream, [half, ofBytes(maxAppendBytes / 2 + 10)], 'none'), { name: 'AppendTooLarge' })
    const largest = ofBytes(maxAppendBytes)
    await store.append(stream, [largest], 'none')
    const [stored] = await readAll(store.readStream(stream))
    t.ok(stored?.data === largest.data, 'is read back unchanged')
  })

  t.test('an invalid name is refused', async (t) => {
    const { store } = await givenStore(t, open)
    for (const name of ['', 'note', 'note-', 'Note-a', '$all', 'note-a b', `note-${'x'.repeat(201)}`]) {
      await t.rejects(store.append(name, [newEvent()], 'any'), { name: 'InvalidName' }, JSON.stringify(name))
      await t.rejects(readAll(store.readStream(name)), { name: 'InvalidName' }, JSON.stringify(name))
    }
    await t.rejects(store.append('note-a', [{ ...newEvent(), id: 'evt_1' }], 'any'), { name: 'InvalidName' }, 'id')
  })
}
