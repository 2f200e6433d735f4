import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { openEventStore } from './adapters/open-event-store.ts'
import { ArchiveDamaged, type ReadOptions, type StoredEvent, StoreUnavailable } from './event-store.ts'
import { readingInTime } from './read-in-time.ts'

const folder = await mkdtemp(join(tmpdir(), 'platen-read-in-time-'))
const store = await openEventStore(`sqlite:${join(folder, 'events.db')}`)
t.teardown(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})
for (let n = 0; n < 5; n++) {
  await store.append('note-a', [{ id: randomUUID(), type: 'NoteWritten', data: { n }, metadata: {} } as never], 'any')
}

/** Each read of it fails after two events; the first one at once. */
function interrupted() {
  let reads = 0
  return {
    async *readStream(stream: string, options?: ReadOptions) {
      reads += 1
      if (reads === 1) throw new StoreUnavailable('reset')
      let events = 0
      for await (const event of store.readStream(stream, options)) {
        if (events++ === 2) throw new StoreUnavailable('reset')
        yield event
      }
    },
  }
}

async function revisionsOf(events: AsyncIterable<StoredEvent>): Promise<number[]> {
  const found: number[] = []
  for await (const { revision } of events) found.push(revision)
  return found
}

async function revisions(options: ReadOptions): Promise<number[]> {
  const reader = readingInTime(interrupted(), 5_000)
  return revisionsOf(reader.readStream('note-a', options))
}

t.test('a read that is interrupted continues after the last event', async (t) => {
  t.same(await revisions({}), [0, 1, 2, 3, 4])
  t.same(await revisions({ from: 1, limit: 3 }), [1, 2, 3])
  t.same(await revisions({ backwards: true }), [4, 3, 2, 1, 0])
  t.same(await revisions({ backwards: true, limit: 4 }), [4, 3, 2, 1])
})

t.test('a read that never succeeds ends in time', async (t) => {
  const reader = readingInTime(
    {
      // biome-ignore lint/correctness/useYield: it fails before the first event
      async *readStream() {
        throw new StoreUnavailable('reset')
      },
    },
    200,
  )
  await t.rejects(revisionsOf(reader.readStream('note-a')), {
    name: 'StoreUnavailable',
    message: /does not answer/,
  })
})

t.test('a read of a damaged archive is not repeated', async (t) => {
  let reads = 0
  const reader = readingInTime(
    {
      // biome-ignore lint/correctness/useYield: it fails before the first event
      async *readStream() {
        reads += 1
        throw new ArchiveDamaged('a segment is missing')
      },
    },
    60_000,
  )
  await t.rejects(revisionsOf(reader.readStream('note-a')), { name: 'ArchiveDamaged' })
  t.equal(reads, 1)
})
