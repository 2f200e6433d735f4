import type { Unreadable } from '@platen/event-store/decider.ts'
import {
  type EventStore,
  type NewEvent,
  type StoredEvent,
  WrongExpectedRevision,
} from '@platen/event-store/event-store.ts'
import { placeOf } from '@platen/event-store/event-time.ts'
import { domainEvent, newEvent } from '@platen/event-store/handle-command.ts'
import { readBack } from '@platen/event-store/read-back.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { type AssetEvent, assetStream } from './asset-events.ts'
import { AssetLibrary, assetFoldId } from './asset-library.ts'

const maxCached = 500
/** Names and references of all owners: about 50 MB. */
const maxCachedSize = 200_000
/** A library that lacks more events is read anew, from the last listing on. */
const maxLacking = 500
/** Each conflict is another change that was recorded: at most one for each request at the same time. More are a bug. */
const maxConflicts = 1_000

/**
 * The assets of all owners. Each call reads the events since the last one, and so sees every change that was
 * acknowledged before. Throws StoreUnavailable.
 */
export class AssetLibraries {
  readonly #store: Pick<EventStore, 'readStream'>
  readonly #cache = new LruCache<AssetLibrary>({
    maxCount: maxCached,
    maxWeight: maxCachedSize,
    weightOf: (_key, { size }) => size,
  })

  constructor(store: Pick<EventStore, 'readStream'>) {
    this.#store = store
  }

  async of(ownerId: string): Promise<AssetLibrary> {
    const known = this.#cache.get(ownerId)
    const library = (known && (await this.#goOn(known, ownerId))) ?? (await this.#read(ownerId))
    this.#cache.set(ownerId, library)
    return library
  }

  /** Undefined if it lacks too much, or is not what was recorded: the log was replaced by an older copy. */
  async #goOn(library: AssetLibrary, ownerId: string, isConfirmed = false): Promise<AssetLibrary | undefined> {
    const { revision, eventId } = library
    const isLast = (event: StoredEvent) => event.revision === revision && event.id === eventId
    const stream = assetStream(ownerId)
    let read = 0
    for await (const event of this.#store.readStream(stream, { from: Math.max(revision, 0), limit: maxLacking })) {
      if (read === 0 && revision >= 0 && !isLast(event)) return undefined
      read++
      apply(library, event)
    }
    if (read > 0 || revision < 0) return read < maxLacking ? library : undefined
    if (isConfirmed) return undefined
    // The answer may be that of a deposed leader. One to a read back is confirmed.
    for await (const event of this.#store.readStream(stream, { from: revision, backwards: true, limit: 1 })) {
      if (isLast(event)) return this.#goOn(library, ownerId, true)
    }
    return undefined
  }

  /** The last listing, and what came after it. */
  async #read(ownerId: string): Promise<AssetLibrary> {
    const newestFirst: StoredEvent[] = []
    for await (const event of readBack(this.#store, assetStream(ownerId))) {
      newestFirst.push(event)
      if (isListing(event)) break
    }
    const library = new AssetLibrary()
    for (const event of newestFirst.reverse()) apply(library, event)
    return library
  }
}

/** A listing without an id was recorded before listings had one, of the same events. */
function isListing({ type, metadata }: StoredEvent): boolean {
  return type === 'AssetsListed' && (metadata.fold === undefined || metadata.fold === assetFoldId())
}

function apply(library: AssetLibrary, event: StoredEvent): void {
  // Only the revision of a listing of another version counts.
  const change: AssetEvent | Unreadable =
    event.type === 'AssetsListed' && !isListing(event)
      ? { type: '$unreadable', data: null }
      : domainEvent<AssetEvent>(event)
  library.apply(change, { ...placeOf(event), id: event.id })
}

export interface AssetChange {
  store: Pick<EventStore, 'append'>
  libraries: AssetLibraries
  ownerId: string
  metadata: CommandMetadata
  /** At most one event; undefined if there is nothing to change. May throw a DomainError. */
  decide: (library: AssetLibrary) => AssetEvent | undefined
}

/**
 * Records what `decide` returns, and before it a listing if one is due. Resolves to the event. Throws the DomainError of `decide`,
 * and the errors of the store.
 */
export async function changeAssets({
  store,
  libraries,
  ownerId,
  metadata,
  decide,
}: AssetChange): Promise<AssetEvent | undefined> {
  const stream = assetStream(ownerId)
  const { time } = metadata
  const recorded = (event: AssetEvent): NewEvent =>
    newEvent(event, { command: { metadata }, attempt: undefined, stream, time })
  for (let conflicts = 0; ; conflicts++) {
    const library = await libraries.of(ownerId)
    // Other calls use the same library while this one waits.
    const { revision } = library
    const event = decide(library)
    if (event === undefined) return undefined
    const listing = library.isListingDue ? library.listing() : undefined
    const change = recorded(event)
    const events: [NewEvent, ...NewEvent[]] = listing ? [withFold(recorded(listing)), change] : [change]
    try {
      const appended = await store.append(stream, events, revision === -1 ? 'none' : revision)
      if (listing) library.apply(listing, { revision: appended.revision - 1, time })
      library.apply(event, { revision: appended.revision, time, id: change.id })
      return event
    } catch (err) {
      if (!(err instanceof WrongExpectedRevision) || conflicts >= maxConflicts) throw err
    }
  }
}

const withFold = (listing: NewEvent): NewEvent => ({
  ...listing,
  metadata: { ...listing.metadata, fold: assetFoldId() },
})
