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

type Archive = Pick<ObjectStore, 'list' | 'get'>

/**
 * The segments of each event store in log order. Each continues where the one before ends. Throws DamagedArchive if one
 * is missing in between.
 */
export async function listSegments(objects: Archive): Promise<Segment[]> {
  for (let seen = -1; ; ) {
    const manifests = await readManifests(objects)
    try {
      const ofEpochs = Map.groupBy(manifests, ({ epoch }) => epoch)
      return [...ofEpochs.keys()].sort().flatMap((epoch) => longestChain(ofEpochs.get(epoch) ?? []))
    } catch (err) {
      // While another process archives, a listing may contain new segments and lack older ones.
      if (manifests.length === seen) throw err
      seen = manifests.length
    }
  }
}

/** The manifests, in the order of their numbers. */
async function readManifests(objects: Archive): Promise<Segment[]> {
  const manifests: Segment[] = []
  for await (const { key } of objects.list(archiveCategory)) {
    if (isManifestKey(key)) manifests.push(parseSegment(key, await text(await objects.get(key))))
  }
  return manifests.sort((one, other) => one.number - other.number || (one.object_key < other.object_key ? -1 : 1))
}

/** Segments that follow each other from the start of the log. */
interface Chain {
  segment: Segment
  before: Chain | undefined
  events: number
}

/**
 * The segments that have the most of the log. Others were written by processes that archived at the same time: the longest
 * chain has their events, too. Of two with as many events, all readers take the same.
 */
function longestChain(sorted: readonly Segment[]): Segment[] {
  /** The longest chain that the segment with this number and position can continue. */
  const chains = new Map<string, Chain>()
  let longest: Chain | undefined
  for (const segment of sorted) {
    const { number, after, through } = segment
    const before = chains.get(`${number - 1} ${after}`)
    if (before === undefined && !(number === 1 && after === 'start')) {
      throw new DamagedArchive(`the archive of ${segment.epoch} has a gap before its segment ${number}`)
    }
    const chain = { segment, before, events: (before?.events ?? 0) + segment.events }
    const end = `${number} ${through}`
    if (chain.events > (chains.get(end)?.events ?? 0)) chains.set(end, chain)
    if (chain.events > (longest?.events ?? 0)) longest = chain
  }
  const segments: Segment[] = []
  for (let chain = longest; chain !== undefined; chain = chain.before) segments.push(chain.segment)
  return segments.reverse()
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
