import { createHash } from 'node:crypto'
import { assetContentFold, assetContentStream } from '@platen/domain/asset/asset-content.ts'
import type { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { nameFrom } from '@platen/domain/asset/asset-name.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import type { AssetPins } from '@platen/domain/template/template-content.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { svgReferences } from '@platen/templating/html/svg-references.ts'
import type { ServedAsset } from '../egress/document-assets.ts'
import { readSheetSchemes, withUrls } from '../inspect/asset-urls.ts'
import type { FoundAsset, JobAssets } from '../print/assets/job-assets.ts'
import { type ObjectAccess, useObject } from './use-object.ts'

export interface AssetSourceOptions extends ObjectAccess {
  store: Pick<EventStore, 'readStream'>
  libraries: AssetLibraries
  objects: ObjectStore
}

export interface AssetJob {
  ownerId: string
  /** The contents that the version of the template was saved with, by name. */
  pins?: AssetPins | undefined
  /** The id of the generation, for the log. */
  generation: string
  signal: AbortSignal
}

const maxCachedBytes = 64 * 2 ** 20
/** Contents with the names that they refer to. */
const maxCachedNames = 100_000
/** How long a document holds its slot while the object store is unavailable. Then another renderer may take it. */
const maxWaitMs = 15_000

/** The assets of documents. Bytes are kept by their hash, so that owners with the same file share it. */
export class AssetSource {
  readonly #options: AssetSourceOptions
  readonly #cache = new LruCache<ServedAsset>({
    maxCount: 10_000,
    maxWeight: maxCachedBytes,
    weightOf: (_key, { bytes }) => bytes.length,
  })

  /** Contents that templates are pinned to. */
  readonly #contents = new LruCache<Omit<FoundAsset, 'name'>>({
    maxCount: 10_000,
    maxWeight: maxCachedNames,
    weightOf: (_key, { references }) => 1 + references.length,
  })

  constructor(options: AssetSourceOptions) {
    this.#options = options
  }

  /** Each name is looked up once for a document, so that it cannot mix two contents of a name. */
  open(job: AssetJob): JobAssets {
    const found = new Map<string, Promise<FoundAsset | undefined>>()
    const references = new Map<string, readonly string[]>()
    return {
      find: (name) => {
        const known = found.get(name) ?? this.#find(name, job)
        found.set(name, known)
        return known
      },
      read: async (asset) => {
        const served = await this.#read(asset, job)
        if (served?.refersTo && served.refersTo.length > 0) references.set(asset.name, served.refersTo)
        return served
      },
      pictureReferences: () => references,
    }
  }

  /** Looks in the library of the owner only, whatever the pins of a template say. */
  async #find(name: string, { ownerId, pins }: AssetJob): Promise<FoundAsset | undefined> {
    const pinned = pins && Object.hasOwn(pins, name) ? pins[name] : undefined
    return pinned === undefined ? this.#current(name, ownerId) : this.#pinned(name, ownerId, pinned)
  }

  async #current(name: string, ownerId: string): Promise<FoundAsset | undefined> {
    const content = (await this.#options.libraries.of(ownerId)).find(name)
    if (!content) return undefined
    const { sha256, object, type, bytes, references } = content
    return { name, sha256, object, type, bytes, references }
  }

  /** Finds the content that a template is pinned to. The name may have another content since, or none. */
  async #pinned(name: string, ownerId: string, sha256: string): Promise<FoundAsset | undefined> {
    const stream = assetContentStream(ownerId, sha256)
    const known = this.#contents.get(stream)
    if (known) return named(name, known)
    const { state } = await load(this.#options.store, assetContentFold, stream)
    if (state.status !== 'stored') return undefined
    const { object, type, bytes, references } = state
    const content = { sha256, object, type, bytes, references }
    this.#contents.set(stream, content)
    return named(name, content)
  }

  async #read(
    { name, sha256, object, type }: FoundAsset,
    { ownerId, generation, signal }: AssetJob,
  ): Promise<ServedAsset | undefined> {
    // Two owners may have declared different types for the same bytes, and a sheet finds the root from its folder.
    const depth = type === 'text/css' ? name.split('/').length - 1 : 0
    const cacheKey = `${sha256} ${type} ${depth}`
    const cached = this.#cache.get(cacheKey)
    if (cached) return cached
    const { objects, log } = this.#options
    const key = objectKeys.asset(ownerId, sha256, object)
    const use = { key, generation, signal, maxWaitMs }
    const bytes = await useObject(this.#options, use, () => readObject(objects, key))
    if (bytes === undefined || createHash('sha256').update(bytes).digest('hex') !== sha256) {
      log.warn(
        { key, generation },
        `asset ${bytes ? 'has another checksum than recorded' : 'is missing'}; upload it again`,
      )
      return undefined
    }
    const asset: ServedAsset = { type, bytes: type === 'text/css' ? withRelativeUrls(bytes, depth) : bytes }
    if (type === 'image/svg+xml') asset.refersTo = svgReferences(bytes.toString())
    this.#cache.set(cacheKey, asset)
    return asset
  }
}

async function readObject(objects: ObjectStore, key: string): Promise<Buffer | undefined> {
  try {
    return await readBytes(await objects.get(key))
  } catch (err) {
    if (err instanceof ObjectNotFound) return undefined
    throw err
  }
}

/** The references of a content by name: the same bytes may be in several folders. */
function named(name: string, content: Omit<FoundAsset, 'name'>): FoundAsset {
  const references = content.references.flatMap((reference) => nameFrom(name, reference) ?? [])
  return { name, ...content, references }
}

/**
 * Rewrites URLs of a style sheet as relative ones. The names of all assets are paths from one folder; `depth` is the
 * number of folders between it and the style sheet.
 */
function withRelativeUrls(css: Buffer, depth: number): Buffer {
  const text = readSheetSchemes(css.toString())
  return text ? Buffer.from(withUrls(text, ({ asset, suffix }) => '../'.repeat(depth) + asset + suffix)) : css
}
