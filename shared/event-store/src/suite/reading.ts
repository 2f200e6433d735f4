import { randomUUID } from 'node:crypto'
import { parseExact } from '@platen/foundation/json/exact-json.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import type { Test } from 'tap'
import type { Position, ReadOptions } from '../event-store.ts'
import { isBefore } from '../place-in-log.ts'
import { dataOf, givenStore, newEvent, numbered, type OpenStore, range, readAll } from './given-store.ts'

export async function testsOfReading(t: Test, open: OpenStore): Promise<void> {
  t.test('a read of the log returns the recorded events of its categories after a position, and ends', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    const categories = [category]
    t.strictSame(await dataOf(store.readLog({ after: 'start', categories })), [])
    const { position } = await store.append(stream, numbered(1, 700), 'none')
    await store.append(`${category}x-a`, numbered(1, 600), 'none')
    t.strictSame(await dataOf(store.readLog({ after: position, categories })), [])
    await store.append(`${category}y-a`, numbered(701, 701), 'none')
    await store.append(stream, numbered(702, 703), 699)
    t.strictSame(await dataOf(store.readLog({ after: 'start', categories })), [...range(1, 700), 702, 703])
    t.strictSame(
      await dataOf(store.readLog({ after: position, categories: [`${category}y`, category] })),
      [701, 702, 703],
    )
    await t.rejects(readAll(store.readLog({ after: 'elsewhere:7' as Position, categories })), {
      name: 'InvalidPosition',
    })
    await t.rejects(readAll(store.readLog({ after: 'start', categories: [] })), { name: 'InvalidName' })
    const signal = AbortSignal.abort()
    await t.rejects(readAll(store.readLog({ after: 'start', categories, signal })), { name: 'AbortError' })
  })

  t.test('positions have the order of the log', async (t) => {
    const { store, stream } = await givenStore(t, open)
    await store.append(stream, numbered(1, 12), 'none')
    const positions = (await readAll(store.readStream(stream))).map(({ position }) => position)
    for (const [at, position] of positions.entries()) {
      t.ok(isBefore('start', position))
      t.notOk(isBefore(position, 'start'))
      t.notOk(isBefore(position, position))
      const next = positions[at + 1]
      if (next) t.ok(isBefore(position, next) && !isBefore(next, position), `${position} before ${next}`)
    }
  })

  t.test('a read from a time on leaves out no event of that time or later', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    t.equal(await store.before(new Date(0)), 'start')
    const pause = () => new Promise((resolve) => setTimeout(resolve, 20))
    for (let at = 0; at < 6; at++) {
      await store.append(stream, numbered(2 * at, 2 * at + 1), at === 0 ? 'none' : 2 * at - 1)
      await pause()
    }
    const events = await readAll(store.readStream(stream))
    for (const { recordedAt } of events) {
      const after = await store.before(recordedAt)
      const read = await readAll(store.readLog({ after, categories: [category] }))
      const later = events.filter((event) => event.recordedAt >= recordedAt)
      t.strictSame(read.slice(-later.length), later)
    }
  })

  t.test('reads honour direction, start and limit', async (t) => {
    const { store, stream } = await givenStore(t, open)
    await store.append(stream, numbered(0, 5), 'none')
    const reads: [ReadOptions, number[]][] = [
      [{}, [0, 1, 2, 3, 4, 5]],
      [{ from: 'start' }, [0, 1, 2, 3, 4, 5]],
      [{ from: 4 }, [4, 5]],
      [{ from: 5 }, [5]],
      [{ from: 6 }, []],
      [{ from: 'end' }, []],
      [{ limit: 2 }, [0, 1]],
      [{ limit: 0 }, []],
      [{ from: 3, limit: 2 }, [3, 4]],
      [{ limit: 100 }, [0, 1, 2, 3, 4, 5]],
      [{ backwards: true }, [5, 4, 3, 2, 1, 0]],
      [{ backwards: true, from: 'end', limit: 1 }, [5]],
      [{ backwards: true, from: 2 }, [2, 1, 0]],
      [{ backwards: true, from: 0 }, [0]],
      [{ backwards: true, from: 'start' }, [0]],
      [{ backwards: true, from: 99, limit: 2 }, [5, 4]],
    ]
    for (const [options, expected] of reads) {
      t.strictSame(await dataOf(store.readStream(stream, options)), expected, JSON.stringify(options))
    }
  })

  t.test('a read without data has all else of each event', async (t) => {
    const { store, stream } = await givenStore(t, open)
    await store.append(stream, numbered(0, 5), 'none')
    for (const options of [{}, { backwards: true, from: 3 }]) {
      const whole = await readAll(store.readStream(stream, options))
      const read = await readAll(store.readStream(stream, { ...options, withoutData: true }))
      t.strictSame(
        read,
        whole.map((event) => ({ ...event, data: null })),
      )
    }
  })

  t.test('an unknown stream has no events', async (t) => {
    const { store, stream } = await givenStore(t, open)
    t.strictSame(await dataOf(store.readStream(stream)), [])
    t.strictSame(await dataOf(store.readStream(stream, { from: 3 })), [])
    t.strictSame(await dataOf(store.readStream(stream, { backwards: true })), [])
  })

  t.test('a stream longer than a page is read completely', async (t) => {
    const { store, stream } = await givenStore(t, open)
    await store.append(stream, numbered(0, 599), 'none')
    await store.append(stream, numbered(600, 1_199), 599)
    t.strictSame(await dataOf(store.readStream(stream)), range(0, 1_199))
    t.strictSame(await dataOf(store.readStream(stream, { backwards: true })), range(0, 1_199).reverse())
    t.strictSame(await dataOf(store.readStream(stream, { from: 400, limit: 700 })), range(400, 1_099))
  })

  t.test('an early break releases the resources of the read', async (t) => {
    const { store, stream } = await givenStore(t, open)
    await store.append(stream, numbered(0, 599), 'none')
    for (let round = 0; round < 50; round++) {
      for await (const { data } of store.readStream(stream)) if (data === round) break
    }
    t.equal((await store.append(stream, [newEvent()], 599)).revision, 600)
    await store.close()
  })

  t.test('an aborted read throws', async (t) => {
    const { store, stream } = await givenStore(t, open)
    await store.append(stream, numbered(0, 9), 'none')
    const aborting = new AbortController()
    const read = async () => {
      for await (const { data } of store.readStream(stream, { signal: aborting.signal })) {
        if (data === 3) aborting.abort()
      }
    }
    await t.rejects(read(), { name: 'AbortError' })
    await t.rejects(readAll(store.readStream(stream, { signal: AbortSignal.abort() })), { name: 'AbortError' })
  })

  t.test('an event is read back unchanged', async (t) => {
    const { store, stream } = await givenStore(t, open)
    const values: Json[] = [
      'żółć 漢字 🖨️ \u0000 \u2028 "quoted" \\ </script>',
      { a: [{ b: { c: [null, true, false, [], {}] } }], 'key with space': '', ключ: 1 },
      null,
      [2 ** 53 - 1, -(2 ** 53 - 1), 0.1, 1e-300, -1.5e300],
      nested(200),
    ]
    const [first, ...rest] = values.map((data) => newEvent(data))
    if (!first) return
    await store.append(stream, [first, ...rest], 'none')
    t.strictSame(await dataOf(store.readStream(stream)), values)

    const deep = nested(2_000)
    await store.append(stream, [newEvent(deep)], 'any')
    const [deepest] = await dataOf(store.readStream(stream, { backwards: true, limit: 1 }))
    t.ok(JSON.stringify(deepest) === JSON.stringify(deep), '2,000 levels')

    const exact = parseExact('{"id":12345678901234567890,"rows":[[1,{"n":-9007199254740993}]]}') as Json
    const exactStream = `${stream}-exact`
    await store.append(exactStream, [newEvent(exact)], 'none')
    t.strictSame(await dataOf(store.readStream(exactStream)), [exact], 'integers beyond those of a number')

    const id = randomUUID()
    const metadata = { correlationId: 'req_1', causationId: null, hop: { count: 2 } }
    const before = Date.now()
    const { position } = await store.append(stream, [{ id, type: 'NoteTaken', data: {}, metadata }], 'any')
    const [event] = await readAll(store.readStream(stream, { backwards: true, limit: 1 }))
    t.strictSame(
      { ...event, recordedAt: null },
      { stream, revision: 6, position, id, type: 'NoteTaken', data: {}, metadata, recordedAt: null },
    )
    // The server's clock may differ.
    t.ok(event && Math.abs(event.recordedAt.getTime() - before) < 3_600_000, 'with the time of recording')
    t.strictSame(
      (await readAll(store.readStream(stream, { limit: 1 })))[0]?.metadata,
      {},
      'missing metadata is read as empty',
    )
  })
}

function nested(levels: number): Json {
  let value: Json = 'core'
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { in: value }
  return value
}
