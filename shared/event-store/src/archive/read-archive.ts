import { text } from 'node:stream/consumers'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import type { Position } from '../event-store.ts'
import { DamagedArchive } from './damaged-archive.ts'
import { loadSegment } from './loaded-segment.ts'
import { archiveCategory, isManifestKey, keyPrefixOf, manifestKey, parseSegment, type Segment } from './segment.ts'

/** What reading an archive needs. */
export type Archive = Pick<ObjectStore, 'list' | 'get'>

/**
 * The segments of each event store in log order. Each continues where the one before ends. Throws DamagedArchive if one
 * is missing in between, or its manifest is damaged.
 */
export async function listSegments(objects: Archive, options: Listing = {}): Promise<Segment[]> {
  const { known = new Map(), epoch, through } = options
  const prefix = epoch === undefined ? '' : keyPrefixOf(epoch)
  for (let seen = -1; ; ) {
    const manifests = await readManifests(objects, { known, prefix })
    try {
      const ofEpochs = Map.groupBy(manifests, ({ epoch }) => epoch)
      return [...ofEpochs.keys()].sort().flatMap((epoch) => longestChain(ofEpochs.get(epoch) ?? [], through))
    } catch (err) {
      // While another process archives, a listing may contain new segments and lack older ones.
      if (manifests.length === seen) throw err
      seen = manifests.length
    }
  }
}

interface Listing {
  /** Keeps manifests from call to call, as they never change. By their keys. */
  known?: Map<string, Segment>
  /** Only those of one event store: what is wrong with those of another one is not seen. */
  epoch?: string
  /** Only segments up to one that ends at this position. */
  through?: Position
}

/** The manifests, in the order of their numbers. */
async function readManifests(
  objects: Archive,
  { known, prefix }: { known: Map<string, Segment>; prefix: string },
): Promise<Segment[]> {
  const manifests: Segment[] = []
  for await (const { key } of objects.list(archiveCategory)) {
    if (key.startsWith(prefix) && isManifestKey(key))
      manifests.push(known.get(key) ?? (await readManifest(objects, key)))
  }
  for (const segment of manifests) known.set(manifestKey(segment), segment)
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
function longestChain(sorted: readonly Segment[], last?: Position): Segment[] {
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
    if (chain.events > (longest?.events ?? 0) && (last ?? through) === through) longest = chain
  }
  const segments: Segment[] = []
  for (let chain = longest; chain !== undefined; chain = chain.before) segments.push(chain.segment)
  return segments.reverse()
}

/** Throws ObjectNotFound, and DamagedArchive with the key if it is no manifest of this version. */
export async function readManifest(objects: Pick<ObjectStore, 'get'>, key: string): Promise<Segment> {
  return parseSegment(key, await text(await objects.get(key)))
}

/** The lines of a segment, each an event as JSON. Throws DamagedArchive if they are not those that were archived. */
export async function readSegment(objects: Pick<ObjectStore, 'get'>, segment: Segment): Promise<string[]> {
  return [...(await loadSegment(objects, segment)).events()].map(({ line }) => line())
}
