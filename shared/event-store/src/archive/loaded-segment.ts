import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createGunzip } from 'node:zlib'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { DamagedArchive } from './damaged-archive.ts'
import { lineStart, type Segment } from './segment.ts'

const lineBreak = 0x0a
const quote = 0x22

/** A segment in memory: at most 64 MiB of lines, and one event. */
export class LoadedSegment {
  readonly segment: Segment
  readonly #lines: Buffer
  #startsOf: Map<string, number[]> | undefined

  constructor(segment: Segment, lines: Buffer) {
    this.segment = segment
    this.#lines = lines
  }

  /** The events in the order of the log, each with its line, which is JSON. */
  *events(): Generator<{ stream: string; line: () => string }> {
    for (const at of this.#starts()) yield { stream: this.#streamAt(at), line: () => this.#lineAt(at) }
  }

  /** The streams that have events in the segment. */
  streams(): Iterable<string> {
    return this.#index().keys()
  }

  /** The lines of one stream, in the order of its revisions. */
  linesOf(stream: string): string[] {
    return (this.#index().get(stream) ?? []).map((at) => this.#lineAt(at))
  }

  #index(): Map<string, number[]> {
    if (this.#startsOf) return this.#startsOf
    const startsOf = new Map<string, number[]>()
    for (const at of this.#starts()) {
      const stream = this.#streamAt(at)
      const known = startsOf.get(stream)
      if (known) known.push(at)
      else startsOf.set(stream, [at])
    }
    this.#startsOf = startsOf
    return startsOf
  }

  *#starts(): Generator<number> {
    for (let at = 0; at < this.#lines.length; at = this.#lines.indexOf(lineBreak, at) + 1) yield at
  }

  #lineAt(at: number): string {
    return this.#lines.toString('utf8', at, this.#lines.indexOf(lineBreak, at))
  }

  /** Without the rest of the line, which is long. Names of streams have no characters that JSON escapes. */
  #streamAt(at: number): string {
    const start = at + lineStart.length
    return this.#lines.toString('latin1', start, this.#lines.indexOf(quote, start))
  }
}

/** Throws DamagedArchive unless the object has the lines that were archived, and ObjectNotFound. */
export async function loadSegment(objects: Pick<ObjectStore, 'get'>, segment: Segment): Promise<LoadedSegment> {
  const { object_key, sha256, events } = segment
  const body = await readBytes(await objects.get(object_key))
  const found = createHash('sha256').update(body).digest('hex')
  if (found !== sha256) throw new DamagedArchive(`${object_key} has the SHA-256 ${found}; its manifest says ${sha256}`)
  const lines = await decompressed(body)
  let count = 0
  for (let at = lines.indexOf(lineBreak); at >= 0; at = lines.indexOf(lineBreak, at + 1)) count++
  if (count !== events || lines.at(-1) !== lineBreak) {
    throw new DamagedArchive(`${object_key} has ${count} events; its manifest says ${events}`)
  }
  return new LoadedSegment(segment, lines)
}

/** RFC 1952, section 2.3.1: the last four bytes are the size of the content. Its parts are not collected first, as they are large. */
async function decompressed(body: Buffer): Promise<Buffer> {
  const lines = Buffer.allocUnsafeSlow(body.readUInt32LE(body.length - 4))
  const parts = createGunzip()
  let at = 0
  parts.on('data', (part: Buffer) => {
    at += part.copy(lines, at)
  })
  parts.end(body)
  await once(parts, 'end')
  return lines
}
