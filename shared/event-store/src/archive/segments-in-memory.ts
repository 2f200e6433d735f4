import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { type LoadedSegment, loadSegment } from './loaded-segment.ts'
import type { Archive } from './read-archive.ts'
import type { Segment } from './segment.ts'

/** The one that is read, and the one before it, as streams continue from one to the next. */
const keptSegments = 2
/** A loaded segment takes up to 64 MiB. */
const keptForMs = 30_000

/** The last load of this process. Many requests may want as many segments: the next load begins when this one has ended. */
let lastLoad: Promise<void> = Promise.resolve()

interface Load {
  segment: Promise<LoadedSegment>
  /** Callers that wait for it. */
  waiting: number
  isBegun: boolean
}

/** The segments that were read last. The process loads one at a time. */
export class SegmentsInMemory {
  readonly #archive: () => Promise<Archive>
  /** By the keys of their objects, the oldest first. */
  readonly #loads = new Map<string, Load>()
  #forget: NodeJS.Timeout | undefined

  constructor(archive: () => Promise<Archive>) {
    this.#archive = archive
  }

  /** Of calls at once, one loads the segment. A call whose signal aborts waits no longer, and what nobody waits for is not loaded. */
  async load(segment: Segment, signal?: AbortSignal): Promise<LoadedSegment> {
    signal?.throwIfAborted()
    const { object_key } = segment
    const load = this.#loads.get(object_key) ?? this.#begin(segment)
    this.#loads.delete(object_key)
    this.#loads.set(object_key, load)
    const [oldest] = this.#loads.keys()
    if (oldest !== undefined && this.#loads.size > keptSegments) this.#loads.delete(oldest)
    clearTimeout(this.#forget)
    this.#forget = setTimeout(() => this.#loads.clear(), keptForMs).unref()
    load.waiting++
    try {
      return await (signal ? untilAborted(load.segment, signal) : load.segment)
    } finally {
      load.waiting--
      // The next caller begins another one.
      if (load.waiting === 0 && !load.isBegun) this.#drop(object_key, load)
    }
  }

  #begin(segment: Segment): Load {
    const { promise, resolve, reject } = Promise.withResolvers<LoadedSegment>()
    const load: Load = { segment: promise, waiting: 0, isBegun: false }
    promise.catch(() => this.#drop(segment.object_key, load))
    lastLoad = lastLoad.then(async () => {
      if (load.waiting === 0) return
      load.isBegun = true
      try {
        resolve(await loadSegment(await this.#archive(), segment))
      } catch (err) {
        reject(err)
      }
    })
    return load
  }

  #drop(key: string, load: Load): void {
    if (this.#loads.get(key) === load) this.#loads.delete(key)
  }
}
