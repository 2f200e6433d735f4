import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, StorageType } from 'nats'
import { startFlushedNatsServer } from '../machine/flushed-nats.ts'
import { median } from '../machine/statistics.ts'

const blockBytes = 4_096

/** The median time of `fdatasync` after 4 KB were appended to a file. */
export async function measureFlush(samples = 100): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-scale-'))
  try {
    await using file = await open(join(folder, 'flushed'), 'a')
    const times: number[] = []
    for (let sample = 0; sample < samples; sample++) {
      await file.write(Buffer.alloc(blockBytes, sample))
      const startedAt = performance.now()
      await file.datasync()
      times.push(performance.now() - startedAt)
    }
    return median(times)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** As many as a relay has unconfirmed. */
const unconfirmed = 256
/** About an event of a generation. */
const payload = Buffer.alloc(900, 'x')

/** Messages a second that nats-server stores in one stream and flushes before each PubAck. */
export async function measureStream(seconds: number): Promise<number> {
  await using server = await startFlushedNatsServer()
  const nats = await connect({ servers: server.url.replace('nats://', '') })
  try {
    const jsm = await nats.jetstreamManager()
    await jsm.streams.add({ name: 'LIMIT', subjects: ['limit.>'], storage: StorageType.File })
    const js = nats.jetstream()
    const startedAt = performance.now()
    const until = startedAt + seconds * 1_000
    let stored = 0
    const work = async (worker: number) => {
      while (performance.now() < until) {
        await js.publish(`limit.${worker}`, payload)
        stored += 1
      }
    }
    await Promise.all(Array.from({ length: unconfirmed }, (_, worker) => work(worker)))
    return (stored * 1_000) / (performance.now() - startedAt)
  } finally {
    await nats.close()
  }
}
