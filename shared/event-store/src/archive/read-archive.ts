import { createHash } from 'node:crypto'
import { buffer, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { archiveCategory, isManifestKey, parseSegment, type Segment } from './segment.ts'

const decompress = promisify(gunzip)

/** An archive is not what its manifests say. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive'
}

/** The segments of each event store, in the order of its log. Throws DamagedArchive if one is missing in between. */
export async function listSegments(objects: Pick<ObjectStore, 'list' | 'get'>): Promise<Segment[]> {
  const segments: Segment[] = []
  for await (const { key } of objects.list(archiveCategory)) {
    if (isManifestKey(key)) segments.push(parseSegment(key, await text(await objects.get(key))))
  }
  segments.sort((one, other) =>
    one.epoch === other.epoch ? one.number - other.number : one.epoch < other.epoch ? -1 : 1,
  )
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1]
    const expected = before?.epoch === segment.epoch ? before : undefined
    if (segment.number === (expected?.number ?? 0) + 1 && segment.after === (expected?.through ?? 'start')) continue
    throw new DamagedArchive(`the archive of ${segment.epoch} has a gap before its segment ${segment.number}`)
  }
  return segments
}

/** The lines of a segment, each an event as JSON. Throws DamagedArchive if they are not those that were archived. */
export async function readSegment(objects: Pick<ObjectStore, 'get'>, segment: Segment): Promise<string[]> {
  const { object_key, sha256, events } = segment
  const body = await buffer(await objects.get(object_key))
  const found = createHash('sha256').update(body).digest('hex')
  if (found !== sha256) throw new DamagedArchive(`${object_key} has the SHA-256 ${found}; its manifest says ${sha256}`)
  const lines = (await decompress(body)).toString().split('\n').slice(0, -1)
  if (lines.length !== events) {
    throw new DamagedArchive(`${object_key} has ${lines.length} events; its manifest says ${events}`)
  }
  return lines
}
