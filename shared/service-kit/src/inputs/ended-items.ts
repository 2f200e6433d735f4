import { randomBytes } from 'node:crypto'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { parseExact } from '@platen/foundation/json/exact-json.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { newSealKey, seal, unseal } from './seal.ts'
import type { StoredItem, StoredItems } from './stored-items.ts'

export interface EndedItemsOptions {
  bus: Bus
  objects: Pick<ObjectStore, 'get' | 'put' | 'delete'>
}

interface Part {
  name: string
  number: number
  /** Undefined: as it was accepted. */
  version: string | undefined
  /** That of the entry with the version, 0 if there is none. */
  revision: number
  lines: string[]
}

/**
 * The items of batches that have ended. An erasure writes the part of an item anew without it, as a version that is encrypted with a key
 * of its own. An entry of the bucket INPUT_KEYS has the version and the key, and is replaced only if it did not change meanwhile: of
 * erasures at once, one begins again. What that one has written, or one that crashes, cannot be read, as its key was never stored.
 */
export class EndedItems {
  readonly #objects: EndedItemsOptions['objects']
  readonly #bucket: LazyBucket

  constructor({ bus, objects }: EndedItemsOptions) {
    this.#objects = objects
    this.#bucket = new LazyBucket(bus, buckets.inputKeys)
  }

  /** Undefined if there is no such item, or it was erased. Reads few of the parts. Throws ObjectNotFound and BusUnavailable. */
  async read(items: StoredItems, index: number): Promise<StoredItem | undefined> {
    const part = await this.#partOf(items, index)
    return itemOf(part, index)
  }

  /**
   * Replaces the part of the item by one without it, unless that is done. Resolves to the objects that may have the item still, which
   * the caller deletes: an erasure that has failed in between is repeated. Throws ObjectNotFound, BusUnavailable and
   * ObjectStoreUnavailable.
   */
  async erase(items: StoredItems, index: number, { isDry }: { isDry: boolean }): Promise<string[]> {
    for (;;) {
      const part = await this.#partOf(items, index)
      const accepted = objectKeys.batchInput(part.name, part.number)
      if (!itemOf(part, index)) return part.version === undefined ? [] : [accepted]
      if (isDry || (await this.#replace(part, index))) return [keyOf(part), accepted]
    }
  }

  /** Resolves to false, without an effect, if the part was replaced since it was read. */
  async #replace({ name, number, revision, lines }: Part, index: number): Promise<boolean> {
    const [version, sealKey] = [randomBytes(8).toString('hex'), newSealKey()]
    const key = objectKeys.batchInput(name, number, version)
    const without = lines.with(placeIn(lines, index), JSON.stringify({ index })).join('\n')
    await this.#objects.put(key, seal(Buffer.from(without), sealKey, key), 'application/octet-stream')
    const value = `${version} ${sealKey.toString('base64')}`
    if ((await this.#bucket.write(`${name}.${number}`, value, revision)) !== undefined) return true
    await this.#objects.delete(key)
    return false
  }

  /** The part that has the item, if one has. */
  async #partOf({ name, parts }: StoredItems, index: number): Promise<Part> {
    let [first, last] = [0, parts - 1]
    while (first < last) {
      const middle = Math.ceil((first + last) / 2)
      const [line = '{}'] = (await this.#read(name, middle)).lines
      if (itemIn(line).index > index) last = middle - 1
      else first = middle
    }
    return this.#read(name, first)
  }

  async #read(name: string, number: number): Promise<Part> {
    for (let missed: number | undefined; ; ) {
      const { value, revision } = await this.#bucket.readCurrent(`${name}.${number}`)
      const [version, sealKey] = value?.split(' ') ?? []
      const key = objectKeys.batchInput(name, number, version)
      try {
        const stored = await readBytes(await this.#objects.get(key))
        const bytes = sealKey === undefined ? stored : unseal(stored, Buffer.from(sealKey, 'base64'), key)
        return { name, number, version, revision, lines: bytes.toString().split('\n') }
      } catch (err) {
        // An erasure may have replaced it meanwhile.
        if (!(err instanceof ObjectNotFound) || revision === missed) throw err
        missed = revision
      }
    }
  }
}

const itemIn = (line: string) => parseExact(line) as StoredItem
const placeIn = (lines: readonly string[], index: number) => lines.findIndex((line) => itemIn(line).index === index)
const keyOf = ({ name, number, version }: Part) => objectKeys.batchInput(name, number, version)

/** Of an erased item its index is left: parts are found by their first items. */
function itemOf({ lines }: Part, index: number): StoredItem | undefined {
  const item: Partial<StoredItem> = itemIn(lines[placeIn(lines, index)] ?? '{}')
  return item.input && (item as StoredItem)
}
