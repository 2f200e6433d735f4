import { join } from 'node:path'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import t from 'tap'
import { openEventStore } from '../adapters/open-event-store.ts'
import type { EventStore, Position } from '../event-store.ts'
import { type ArchiveOptions, archiveLog } from './archive-log.ts'
import { listSegments, readSegment } from './read-archive.ts'

// Each object is flushed.
t.setTimeout(240_000)

const categories = ['owner']

async function append(store: EventStore, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const event = { id: crypto.randomUUID(), type: 'OwnerRenamed', data: { name: `${at}` } }
    await store.append('owner-own_1', [event], 'any')
  }
}

async function positions(store: EventStore): Promise<Position[]> {
  const found: Position[] = []
  for await (const { position } of store.readLog({ after: 'start', categories })) found.push(position)
  return found
}

async function archive(options: Omit<ArchiveOptions, 'categories'>): Promise<void> {
  for await (const { events } of archiveLog({ ...options, categories })) if (events === 0) throw new Error('no events')
}

async function archived(objects: ObjectStore): Promise<string[]> {
  const lines: string[] = []
  for (const segment of await listSegments(objects)) lines.push(...(await readSegment(objects, segment)))
  return lines.map((line) => JSON.parse(line).position)
}

/** Calls `before` before each list and each put. */
function watched(objects: ObjectStore, before: () => Promise<void>): ObjectStore {
  return {
    info: objects.info,
    delete: objects.delete,
    publicUrl: objects.publicUrl,
    check: () => objects.check(),
    close: () => objects.close(),
    get: (key, range) => objects.get(key, range),
    async *list(category) {
      await before()
      yield* objects.list(category)
    },
    async put(key, body, contentType) {
      await before()
      return objects.put(key, body, contentType)
    },
  }
}

/** A run that takes one step at a time. */
class Stepped {
  #waiting: PromiseWithResolvers<void> | undefined
  #noticed = Promise.withResolvers<void>()
  readonly done: Promise<void>
  ended = false

  constructor(run: (turn: () => Promise<void>) => Promise<void>) {
    this.done = run(() => this.#turn()).finally(() => {
      this.ended = true
      this.#noticed.resolve()
    })
  }

  #turn(): Promise<void> {
    this.#waiting = Promise.withResolvers()
    this.#noticed.resolve()
    return this.#waiting.promise
  }

  /** Resolves when the step is done and the run waits again, or has ended. */
  async step(): Promise<void> {
    await this.#noticed.promise
    if (this.ended) return
    this.#noticed = Promise.withResolvers()
    this.#waiting?.resolve()
    await this.#noticed.promise
  }
}

/** All orders of so many steps of a first and a second run: `true` is a step of the first. */
function orders(first: number, second: number): boolean[][] {
  if (first === 0 || second === 0) return [Array.from({ length: first + second }, () => first > 0)]
  return [
    ...orders(first - 1, second).map((rest) => [true, ...rest]),
    ...orders(first, second - 1).map((rest) => [false, ...rest]),
  ]
}

t.test('two archives at once leave a whole one, in any order of their steps', async (t) => {
  const folder = t.testdir()
  const store = await openEventStore(`sqlite:${folder}/events.db`)
  t.teardown(() => store.close())
  await append(store, 7)
  const [, , third] = await positions(store)
  // One saw three events, the other one seven. Each lists what there is, and writes objects and manifests.
  const all = orders(1 + 2, 1 + 4)
  t.equal(all.length, 56)
  for (const [at, order] of all.entries()) {
    const objects = await openObjectStore(`file:${join(folder, `objects-${at}`)}`)
    const slow = new Stepped((turn) => archive({ store, objects: watched(objects, turn), through: third }))
    const quick = new Stepped((turn) => archive({ store, objects: watched(objects, turn), segmentEvents: 4 }))
    for (const isSlow of order) await (isSlow ? slow : quick).step()
    await Promise.all([slow.done, quick.done])
    t.strictSame(await archived(objects), await positions(store), `order ${at}`)
    await objects.close()
  }
  // The log goes on, and so does each of these archives.
  await append(store, 1)
  for (const at of all.keys()) {
    const objects = await openObjectStore(`file:${join(folder, `objects-${at}`)}`)
    await archive({ store, objects })
    t.strictSame(await archived(objects), await positions(store), `order ${at}, continued`)
    await objects.close()
  }
})

t.test('an archive that is interrupted at any step is continued, and has the same events', async (t) => {
  const folder = t.testdir()
  const store = await openEventStore(`sqlite:${folder}/events.db`)
  t.teardown(() => store.close())
  await append(store, 5)
  let steps = 0
  const count = async () => void steps++
  await archive({ store, objects: watched(await openObjectStore(`file:${folder}/whole`), count), segmentEvents: 2 })
  t.equal(steps, 1 + 6)
  for (let last = 0; last < steps; last++) {
    const objects = await openObjectStore(`file:${join(folder, `objects-${last}`)}`)
    let taken = 0
    const interrupted = watched(objects, async () => {
      if (taken++ === last) throw new Error('killed')
    })
    await t.rejects(archive({ store, objects: interrupted, segmentEvents: 2 }), { message: 'killed' })
    await archive({ store, objects, segmentEvents: 3 })
    t.strictSame(await archived(objects), await positions(store), `interrupted at step ${last}`)
    await objects.close()
  }
})
