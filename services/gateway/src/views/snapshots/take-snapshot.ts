import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { constants, createZstdCompress } from 'node:zlib'
import { makePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { garbageCollector } from '@platen/service-kit/host/garbage-collector.ts'
import { removeDatabase } from '@platen/service-kit/projections/prepared-view.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'
import { viewSchema } from '../open-views.ts'
import { describeViews } from './describe-views.ts'
import {
  encodeManifest,
  manifestKey,
  maxParts,
  newStem,
  partBytes,
  partKey,
  release,
  type Snapshot,
  schemaHash,
  sha256Of,
  UnusableSnapshot,
} from './snapshot.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('copy-views-process.ts', import.meta.url))

/**
 * Copies the state of a file of views at one moment to a new file, without pages that were freed. In a process of its own, with the lowest
 * priority: requests are answered and events are applied meanwhile, and it is killed when the signal aborts.
 */
async function copyViews(from: string, to: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await run(process.execPath, [program, from, to], { signal, killSignal: 'SIGKILL', env: {} })
}

export interface TakeSnapshot {
  /** The file of the views. A gateway may use it meanwhile. */
  path: string
  objects: Pick<ObjectStore, 'put'>
  signing: Pick<Signing, 'snapshotSignature'>
  retentionDays: number
  signal: AbortSignal
}

/** The copy of the views beside their file, of a gateway that takes a snapshot. */
export const copyPath = (path: string) => `${path}.snapshot`

/** What is left on the disk. */
const reserveBytes = 256 * 2 ** 20
const contentType = 'application/zstd'

/**
 * Copies the views to the object store, part by part, and last the manifest. Until then there is no snapshot. Throws
 * ObjectStoreUnavailable, and UnusableSnapshot if there is no space for the copy.
 */
export async function takeSnapshot(options: TakeSnapshot): Promise<{ stem: string; snapshot: Snapshot }> {
  const { path, objects, signing, retentionDays, signal } = options
  const copy = copyPath(path)
  removeDatabase(copy)
  // Afterwards at least as much is free.
  await requireSpace(path, 2 * (await stat(path)).size)
  try {
    makePrivateFile(copy)
    await copyViews(path, copy, signal)
    const described = { ...describeViews(copy), schema: schemaHash(viewSchema) }
    const stem = newStem(described)
    const parts: Snapshot['parts'] = []
    const collect = garbageCollector()
    for await (const part of compressed(copy)) {
      signal.throwIfAborted()
      if (parts.length === maxParts) throw new UnusableSnapshot(`it has more than ${maxParts} parts`)
      await objects.put(partKey(stem, parts.length), part, contentType)
      parts.push({ bytes: part.length, sha256: sha256Of(part) })
      // V8 counts the memory of chunks late.
      collect({ type: 'minor' })
    }
    signal.throwIfAborted()
    const snapshot: Snapshot = {
      format: 'platen-views-1',
      ...described,
      release,
      retention_days: retentionDays,
      taken_at: new Date().toISOString(),
      size: (await stat(copy)).size,
      parts,
    }
    await objects.put(manifestKey(stem), encodeManifest(snapshot, signing), 'application/json')
    return { stem, snapshot }
  } finally {
    removeDatabase(copy)
  }
}

/** Throws UnusableSnapshot if a file of this size does not fit beside the views. */
export async function requireSpace(path: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path))
  const free = bavail * bsize
  if (free > bytes + reserveBytes) return
  const inMb = (number: number) => Math.round(number / 1e6)
  throw new UnusableSnapshot(`${inMb(bytes)} MB do not fit into ${dirname(path)}, which has ${inMb(free)} MB`)
}

async function* compressed(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: 2 ** 20 })
  const compress = createZstdCompress({ chunkSize: 2 ** 20, params: { [constants.ZSTD_c_compressionLevel]: 3 } })
  file.on('error', (err) => compress.destroy(err))
  try {
    yield* inParts(file.pipe(compress))
  } finally {
    file.destroy()
    compress.destroy()
  }
}

/** At most one part is in memory. */
async function* inParts(source: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (let chunk of source as AsyncIterable<Buffer>) {
    while (bytes + chunk.length >= partBytes) {
      const rest = partBytes - bytes
      yield Buffer.concat([...chunks, chunk.subarray(0, rest)])
      chunk = chunk.subarray(rest)
      chunks = []
      bytes = 0
    }
    if (chunk.length > 0) chunks.push(chunk)
    bytes += chunk.length
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}
