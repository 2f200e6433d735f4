import { type EventStore, type StoredEvent, WrongExpectedRevision } from '@platen/event-store/event-store.ts'
import { domainEvent, newEvent } from '@platen/event-store/handle-command.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { type AssetEvent, assetStream } from './asset-events.ts'
import { AssetLibrary } from './asset-library.ts'

const maxCached = 500
/** Each conflict is another change that was recorded: at most one for each request at the same time. More are a bug. */
const maxConflicts = 1_000

/**
 * The assets of all owners. Each call reads what was recorded since the last one, so it sees every change that was
 * acknowledged before. Throws StoreUnavailable.
 */
export class AssetLibraries {
  readonly #store: Pick<EventStore, 'readStream'>
  readonly #cache = new LruCache<AssetLibrary>({ maxCount: maxCached, maxWeight: Number.POSITIVE_INFINITY })

  constructor(store: Pick<EventStore, 'readStream'>) {
    this.#store = store
  }

  async of(ownerId: string): Promise<AssetLibrary> {
    const library = this.#cache.get(ownerId) ?? new AssetLibrary()
    const from = library.revision + 1
    for await (const event of this.#store.readStream(assetStream(ownerId), { from })) {
      library.apply(domainEvent<AssetEvent>(event), { revision: event.revision, at: timeOf(event) })
    }
    this.#cache.set(ownerId, library)
    return library
  }
}

export interface AssetChange {
  store: Pick<EventStore, 'append'>
  libraries: AssetLibraries
  ownerId: string
  metadata: CommandMetadata
  /** At most one event; undefined if there is nothing to change. May throw a DomainError. */
  decide: (library: AssetLibrary) => AssetEvent | undefined
}

export interface ChangedAssets {
  /** With this change, and maybe with later ones. */
  library: AssetLibrary
  /** Of the event; undefined if nothing had to be changed. */
  revision: number | undefined
}

/** Records what `decide` returns. Throws its DomainError, and the errors of the store. */
export async function changeAssets({
  store,
  libraries,
  ownerId,
  metadata,
  decide,
}: AssetChange): Promise<ChangedAssets> {
  const stream = assetStream(ownerId)
  for (let conflicts = 0; ; conflicts++) {
    const library = await libraries.of(ownerId)
    const { revision } = library
    const event = decide(library)
    if (event === undefined) return { library, revision: undefined }
    const recorded = newEvent(event, { command: { metadata }, attempt: undefined, stream, time: metadata.time })
    try {
      const appended = await store.append(stream, [recorded], revision === -1 ? 'none' : revision)
      library.apply(event, { revision: appended.revision, at: metadata.time })
      return { library, revision: appended.revision }
    } catch (err) {
      if (!(err instanceof WrongExpectedRevision) || conflicts >= maxConflicts) throw err
    }
  }
}

function timeOf({ metadata, recordedAt }: StoredEvent): string {
  return typeof metadata.time === 'string' ? metadata.time : recordedAt.toISOString()
}
