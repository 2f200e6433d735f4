import type { AssetEvent } from './asset-events.ts'

/** One content of a name. */
export interface AssetContent {
  version: number
  sha256: string
  /** Media type. */
  type: string
  bytes: number
  /** Of a style sheet: the assets that it names. */
  references: readonly string[]
  /** RFC 3339. */
  at: string
  /** Of its event in the stream of the owner. */
  revision: number
}

export interface AssetHistory {
  name: string
  /** Oldest first; version N is at N - 1. */
  versions: readonly AssetContent[]
  /** Undefined while the name is deleted. */
  current: AssetContent | undefined
}

/**
 * The assets of an owner, folded from its stream. It is changed in place: the stream may be long, and a copy for each event
 * would take time quadratic to it.
 */
export class AssetLibrary {
  /** Of the last event; -1 without one. */
  revision = -1
  /** The names that have a content, and how many bytes they have together. */
  count = 0
  bytes = 0
  readonly #histories = new Map<string, AssetHistory & { versions: AssetContent[] }>()
  readonly #contents = new Map<string, AssetContent>()

  /** Undefined for an unknown or deleted name. */
  find(name: string): AssetContent | undefined {
    return this.#histories.get(name)?.current
  }

  /** Also of a deleted name. */
  history(name: string): AssetHistory | undefined {
    return this.#histories.get(name)
  }

  /** The names that have a content, in alphabetical order. */
  names(): string[] {
    return [...this.#histories.values()]
      .filter(({ current }) => current !== undefined)
      .map(({ name }) => name)
      .sort()
  }

  /** A content that a name has or had. */
  content(sha256: string): AssetContent | undefined {
    return this.#contents.get(sha256)
  }

  /** Every content that a name has or had, each once. */
  contents(): Iterable<AssetContent> {
    return this.#contents.values()
  }

  /** Events at or before `this.revision` change nothing. An event that is not known changes nothing but the revision. */
  apply({ type, data }: AssetEvent, { revision, at }: { revision: number; at: string }): void {
    if (revision <= this.revision) return
    this.revision = revision
    if (type === 'AssetStored') {
      const { name, sha256, type, bytes, references = [] } = data
      const history = this.#histories.get(name) ?? { name, versions: [], current: undefined }
      this.#remove(history.current)
      const current = { version: history.versions.length + 1, sha256, type, bytes, references, at, revision }
      history.versions.push(current)
      this.#contents.set(sha256, current)
      this.#histories.set(name, Object.assign(history, { current }))
      this.count += 1
      this.bytes += bytes
    } else if (type === 'AssetDeleted') {
      const history = this.#histories.get(data.name)
      this.#remove(history?.current)
      if (history) history.current = undefined
    }
  }

  #remove(content: AssetContent | undefined): void {
    if (!content) return
    this.count -= 1
    this.bytes -= content.bytes
  }
}
