import type { EventPlace, Unreadable } from '@platen/event-store/decider.ts'
import { foldIdOf } from '../events/fold-id.ts'
import { type AssetEvent, type AssetStored, type AssetsListed, assetEvents } from './asset-events.ts'

/** The content of a name. */
export interface AssetContent {
  version: number
  sha256: string
  /** The last part of the key of its bytes. */
  object: string
  /** Media type. */
  type: string
  bytes: number
  /** The assets that a style sheet names. */
  references: readonly string[]
  /** When the name got its first content, and this one. RFC 3339. */
  createdAt: string
  updatedAt: string
}

/** Names without a content whose versions are remembered. */
const maxDeleted = 1_000
/** The characters of them together: a listing must fit into an event. */
const maxDeletedChars = 100_000
/** A listing has one entry for each name and reference: after as many changes, it costs no more than these. */
const leastChanges = 100

/**
 * The assets of an owner, folded from its stream. Earlier contents are not kept in memory, as their number is
 * unlimited. It is changed in place, because a copy for each event would take quadratic time.
 */
export class AssetLibrary {
  /** The revision of the last event; -1 without one. */
  revision = -1
  /** The id of that event, if it is known. */
  eventId: string | undefined
  /** The bytes of all contents together. */
  bytes = 0
  references = 0
  /** The characters of all names and references together. */
  nameChars = 0
  readonly #contents = new Map<string, AssetContent>()
  /** The last versions of names without a content, the last deleted one at the end. */
  readonly #deleted = new Map<string, number>()
  #deletedChars = 0
  /** The latest version of names that are not remembered any more. */
  #forgotten = 0
  /** Changes since the last listing. */
  #changes = 0

  /** The names that have a content. */
  get count(): number {
    return this.#contents.size
  }

  /** How much there is to remember. */
  get size(): number {
    return this.#contents.size + this.#deleted.size + this.references
  }

  /** Undefined for an unknown or deleted name. */
  find(name: string): AssetContent | undefined {
    return this.#contents.get(name)
  }

  /** The names that have a content, in alphabetical order. */
  names(): string[] {
    return [...this.#contents.keys()].sort()
  }

  /** The next version of a name. Versions ascend even after a deletion. Names deleted long ago may skip some. */
  nextVersion(name: string): number {
    return (this.#contents.get(name)?.version ?? this.#deleted.get(name) ?? this.#forgotten) + 1
  }

  get isListingDue(): boolean {
    return this.#changes >= Math.max(leastChanges, this.size)
  }

  listing(): AssetsListed {
    const assets = [...this.#contents].map(([name, content]) => {
      const { createdAt: created_at, updatedAt: updated_at, references, ...rest } = content
      return { name, ...rest, created_at, updated_at, ...(references.length > 0 && { references: [...references] }) }
    })
    const deleted = [...this.#deleted].map(([name, version]) => ({ name, version }))
    return { type: 'AssetsListed', data: { assets, deleted, forgotten: this.#forgotten } }
  }

  /** Applies an event. Events at or before `this.revision` are ignored. One that cannot be read changes only the revision. */
  apply(event: AssetEvent | Unreadable, { revision, time, id }: EventPlace & { id?: string }): void {
    if (revision <= this.revision) return
    this.revision = revision
    this.eventId = id
    this.#changes = this.#changesAfter(event, time)
  }

  #changesAfter({ type, data }: AssetEvent | Unreadable, time: string): number {
    switch (type) {
      case 'AssetStored':
        this.#set(data.name, contentOf(data, time))
        return this.#changes + 1 + (data.references?.length ?? 0)
      case 'AssetDeleted':
        this.#delete(data.name)
        return this.#changes + 1
      case 'AssetsListed':
        this.#become(data)
        return 0
      case '$unreadable':
        return this.#changes + 1
    }
  }

  #set(name: string, content: AssetContent): void {
    this.#remove(name)
    this.#forget(name)
    this.#contents.set(name, content)
    this.bytes += content.bytes
    this.references += content.references.length
    this.nameChars += namedChars(name, content)
  }

  #delete(name: string): void {
    const version = this.#contents.get(name)?.version
    if (version === undefined) return
    this.#remove(name)
    this.#rememberDeleted(name, version)
    for (const [oldest, version] of this.#deleted) {
      if (this.#deleted.size <= maxDeleted && this.#deletedChars <= maxDeletedChars) return
      this.#forget(oldest)
      this.#forgotten = Math.max(this.#forgotten, version)
    }
  }

  #remove(name: string): void {
    const content = this.#contents.get(name)
    if (!content) return
    this.#contents.delete(name)
    this.bytes -= content.bytes
    this.references -= content.references.length
    this.nameChars -= namedChars(name, content)
  }

  #rememberDeleted(name: string, version: number): void {
    this.#deleted.set(name, version)
    this.#deletedChars += name.length
  }

  #forget(name: string): void {
    if (this.#deleted.delete(name)) this.#deletedChars -= name.length
  }

  #become({ assets, deleted, forgotten }: AssetsListed['data']): void {
    this.#contents.clear()
    this.#deleted.clear()
    this.bytes = 0
    this.references = 0
    this.nameChars = 0
    this.#deletedChars = 0
    for (const asset of assets) this.#set(asset.name, contentOf(asset, asset.updated_at))
    for (const { name, version } of deleted) this.#rememberDeleted(name, version)
    this.#forgotten = forgotten
  }
}

/** The characters that a listing has of a name and of what its content refers to. */
export function namedChars(name: string, { references = [] }: { references?: readonly string[] | undefined }): number {
  return references.reduce((chars, reference) => chars + reference.length, name.length)
}

/** The current content of the name, from the event. */
export function contentOf(stored: AssetStored['data'], updatedAt: string): AssetContent {
  const { version, sha256, object, type, bytes, references = [], created_at: createdAt } = stored
  return { version, sha256, object, type, bytes, references, createdAt, updatedAt }
}

/** Identifies what listings have: one that another version of the program has recorded is passed over. */
export const assetFoldId = foldIdOf({
  events: assetEvents,
  initialState: new AssetLibrary().listing(),
  evolve(listing: AssetsListed, event: AssetEvent | Unreadable, { time }) {
    const library = new AssetLibrary()
    library.apply(listing, { revision: 0, time })
    library.apply(event, { revision: 1, time })
    return library.listing()
  },
})
