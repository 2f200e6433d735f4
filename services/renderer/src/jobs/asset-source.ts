import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import type { AssetPins } from '@platen/domain/template/template-content.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import type { ServedAsset } from '../egress/document-assets.ts'
import { readSheetUrls, withUrls } from '../inspect/asset-urls.ts'
import type { FoundAsset, JobAssets } from '../print/assets/job-assets.ts'
import { type ObjectAccess, useObject } from './use-object.ts'

export interface AssetSourceOptions extends ObjectAccess {
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
/** In an outage of the object store, the document holds its slot for this time. Another renderer may do better. */
const maxWaitMs = 15_000

/** The assets of documents. Bytes are kept by their hash, so that owners with the same file share it. */
export class AssetSource {
  readonly #options: AssetSourceOptions
  readonly #cache = new LruCache<ServedAsset>({
    maxCount: 10_000,
    maxWeight: maxCachedBytes,
    weightOf: (_key, { bytes }) => bytes.length,
  })

  constructor(options: AssetSourceOptions) {
    this.#options = options
  }

  /** Each name is looked up once for a document, so that it cannot mix two contents of a name. */
  open(job: AssetJob): JobAssets {
    const found = new Map<string, Promise<FoundAsset | undefined>>()
    return {
      find: (name) => {
        const known = found.get(name) ?? this.#find(name, job)
        found.set(name, known)
        return known
      },
      read: (asset) => this.#read(asset, job),
    }
  }

  /** Only in the library of the owner, whatever a template is pinned to. */
  async #find(name: string, { ownerId, pins }: AssetJob): Promise<FoundAsset | undefined> {
    const library = await this.#options.libraries.of(ownerId)
    const pinned = pins && Object.hasOwn(pins, name) ? pins[name] : undefined
    const content = pinned === undefined ? library.find(name) : library.content(pinned)
    if (!content) return undefined
    const { sha256, type, bytes, references } = content
    return { name, sha256, type, bytes, references }
  }

  async #read(
    { sha256, type }: FoundAsset,
    { ownerId, generation, signal }: AssetJob,
  ): Promise<ServedAsset | undefined> {
    // Two owners may have declared different types for the same bytes.
    const cacheKey = `${sha256} ${type}`
    const cached = this.#cache.get(cacheKey)
    if (cached) return cached
    const { objects, log } = this.#options
    const key = objectKeys.asset(ownerId, sha256)
    const use = { key, generation, signal, maxWaitMs }
    const bytes = await useObject(this.#options, use, () => readObject(objects, key))
    if (bytes === undefined || createHash('sha256').update(bytes).digest('hex') !== sha256) {
      log.warn(
        { key, generation },
        `asset ${bytes ? 'has other bytes than were stored' : 'is missing'}; upload it again`,
      )
      return undefined
    }
    const asset = { type, bytes: type === 'text/css' ? withRelativeUrls(bytes) : bytes }
    this.#cache.set(cacheKey, asset)
    return asset
  }
}

async function readObject(objects: ObjectStore, key: string): Promise<Buffer | undefined> {
  try {
    return await buffer(await objects.get(key))
  } catch (err) {
    if (err instanceof ObjectNotFound) return undefined
    throw err
  }
}

/** All assets of a document have URLs in one folder. */
function withRelativeUrls(css: Buffer): Buffer {
  const text = readSheetUrls(css.toString())
  return text ? Buffer.from(withUrls(text, ({ asset, suffix }) => asset + suffix)) : css
}
