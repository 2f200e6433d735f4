import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createZstdDecompress } from 'node:zlib'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { untilAvailable } from '@platen/foundation/runtime/until-available.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { garbageCollector } from '@platen/service-kit/host/garbage-collector.ts'
import { readChunks } from './list-snapshots.ts'
import { partBytes, partKey, type Snapshot, UnusableSnapshot } from './snapshot.ts'

export interface WriteFile {
  objects: Pick<ObjectStore, 'get'>
  stem: string
  snapshot: Snapshot
  /** New and empty. It is not flushed. */
  file: FileHandle
  /** Called with the bytes of the parts that were read and verified, and with those of all parts. */
  onVerified: (bytes: number, ofBytes: number) => void
  /** How long a part is asked for again while the object store is unavailable. Default: 30 s. */
  patienceMs?: number | undefined
  log: Pick<Logger, 'warn'>
}

/** An object store that is restarted is unavailable for some seconds. To read all events instead takes minutes. */
const defaultPatienceMs = 30_000

/** Read while a part is decompressed. An object store answers after some time, which is as long for each. */
const partsAhead = 2
const chunkBytes = 2 ** 20
/** V8 counts the memory of chunks late: without collections, a start would take 100 MB more. */
const collectAfterBytes = 8 * chunkBytes

/**
 * Writes the file of a snapshot. Each part is compared with its SHA-256 before anything of it is decompressed. Memory does not depend on the
 * size: there are three parts, and some chunks of what they contain. Throws UnusableSnapshot, ObjectNotFound, ObjectStoreUnavailable.
 */
export async function writeFile(options: WriteFile): Promise<void> {
  const { snapshot, file } = options
  const collect = garbageCollector()
  let size = 0
  let uncollected = 0
  await pipeline(
    verifiedParts(options),
    createZstdDecompress({ chunkSize: chunkBytes }),
    async (chunks: AsyncIterable<Buffer>) => {
      // A chunk is written while the next one is decompressed.
      let writing = Promise.resolve()
      for await (const chunk of chunks) {
        size += chunk.length
        if (size > snapshot.size) throw wrongSize(snapshot)
        await writing
        writing = file.writeFile(chunk)
        // Awaited with the next chunk.
        writing.catch(() => {})
        uncollected += chunk.length
        if (uncollected < collectAfterBytes) continue
        uncollected = 0
        collect({ type: 'minor' })
      }
      await writing
    },
  )
  if (size !== snapshot.size) throw wrongSize(snapshot)
}

/**
 * Frees the parts and the decompressor of a file that was written, 27 MB, so that a start goes on without them. The first collection finds that
 * nothing uses the decompressor any more, and the second one frees it.
 */
export async function freeBuffers(): Promise<void> {
  const collect = garbageCollector()
  for (let collections = 0; collections < 2; collections++) {
    await nextTurn()
    collect()
  }
}

const wrongSize = ({ size }: Snapshot) => new UnusableSnapshot(`its file does not have ${size} bytes`)

/** A part is only valid until the next one is requested. */
async function* verifiedParts({ objects, stem, snapshot, onVerified, ...options }: WriteFile): AsyncGenerator<Buffer> {
  const { parts } = snapshot
  const { patienceMs = defaultPatienceMs, log } = options
  const ofBytes = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const buffers = Array.from({ length: Math.min(parts.length, partsAhead + 1) }, () =>
    Buffer.allocUnsafeSlow(partBytes),
  )
  const reading: Promise<Buffer>[] = []
  const readNext = () => {
    const number = reading.length
    const [part, buffer] = [parts[number], buffers[number % buffers.length]]
    if (!part || !buffer) return
    const wanted = { key: partKey(stem, number), number, part, into: buffer }
    const waiting = { log, name: 'object store', signal: AbortSignal.timeout(patienceMs) }
    const read = untilAvailable(() => readPart(objects, wanted), waiting)
    // If the reader stops, nobody awaits it.
    read.catch(() => {})
    reading.push(read)
  }
  for (let ahead = 0; ahead < partsAhead; ahead++) readNext()
  let verified = 0
  for (let number = 0; number < parts.length; number++) {
    readNext()
    const part = await reading[number]
    if (!part) return
    verified += part.length
    onVerified(verified, ofBytes)
    yield part
  }
}

interface ReadPart {
  key: string
  number: number
  part: Snapshot['parts'][number]
  into: Buffer
}

/** The beginning of `into`, with the part. */
async function readPart(objects: Pick<ObjectStore, 'get'>, { key, number, part, into }: ReadPart): Promise<Buffer> {
  const hash = createHash('sha256')
  let bytes = 0
  await readChunks(objects, key, part.bytes, (chunk) => {
    hash.update(chunk)
    if (bytes + chunk.length <= into.length) chunk.copy(into, bytes)
    bytes += chunk.length
  })
  if (bytes === part.bytes && hash.digest('hex') === part.sha256) return into.subarray(0, bytes)
  throw new UnusableSnapshot(`its part ${number} is not the one whose SHA-256 its manifest has`)
}
