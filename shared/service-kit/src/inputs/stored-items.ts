import { buffer } from 'node:stream/consumers'
import type { GenerationRequest, RenderInput } from '@platen/domain/generation/generation.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { parseExact, stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'

/** An accepted item. It does not depend on later changes. */
export interface StoredItem {
  /** 1 for the first. */
  index: number
  request: Pick<GenerationRequest, 'template' | 'metadata' | 'file_name'>
  input: RenderInput
}

/** Items are stored in objects of about this size, which limits the memory for writing and reading them. */
const partBytes = 2 ** 20
const itemsType = 'application/x-ndjson'

/** Writes the items of a batch to the object store, as lines of JSON. */
export class ItemWriter {
  readonly #objects: Pick<ObjectStore, 'get' | 'put' | 'delete'>
  #name: string
  #lines: string[] = []
  #chars = 0
  #parts = 0

  constructor(objects: Pick<ObjectStore, 'get' | 'put' | 'delete'>, name: string) {
    this.#objects = objects
    this.#name = name
  }

  async add(item: StoredItem): Promise<void> {
    const line = stringifyExact(item)
    this.#lines.push(line)
    this.#chars += line.length
    if (this.#chars >= partBytes) await this.#flush()
  }

  /** Resolves when all items are durable. */
  async end(): Promise<{ name: string; parts: number }> {
    if (this.#lines.length > 0) await this.#flush()
    return { name: this.#name, parts: this.#parts }
  }

  /** Moves the written items to another name. */
  async moveTo(name: string): Promise<{ name: string; parts: number }> {
    for (let part = 0; part < this.#parts; part++) {
      const body = await buffer(await this.#objects.get(objectKeys.batchInput(this.#name, part)))
      await this.#objects.put(objectKeys.batchInput(name, part), body, itemsType)
    }
    await this.discard()
    this.#name = name
    return { name, parts: this.#parts }
  }

  /** Deletes what was written. */
  async discard(): Promise<void> {
    for (let part = 0; part < this.#parts; part++) await this.#objects.delete(objectKeys.batchInput(this.#name, part))
  }

  async #flush(): Promise<void> {
    const body = Buffer.from(this.#lines.join('\n'))
    this.#lines = []
    this.#chars = 0
    await this.#objects.put(objectKeys.batchInput(this.#name, this.#parts++), body, itemsType)
  }
}

/** The items in order, one part in memory at a time, from a part on. Throws ObjectNotFound. */
export async function* readItems(
  objects: Pick<ObjectStore, 'get'>,
  { name, parts }: { name: string; parts: number },
  fromPart = 0,
): AsyncGenerator<StoredItem> {
  for (let part = fromPart; part < parts; part++) {
    const text = (await buffer(await objects.get(objectKeys.batchInput(name, part)))).toString()
    // The text is not split at once, because a part of short items has ten thousand lines.
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start)
      const line = text.slice(start, end < 0 ? undefined : end)
      start = end < 0 ? text.length : end + 1
      yield parseExact(line) as StoredItem
    }
  }
}

/** The item with this index; undefined if there is none. Reads few of the parts. Throws ObjectNotFound. */
export async function readItem(
  objects: Pick<ObjectStore, 'get'>,
  { name, parts }: { name: string; parts: number },
  index: number,
): Promise<StoredItem | undefined> {
  let [first, last] = [0, parts - 1]
  while (first < last) {
    const middle = Math.ceil((first + last) / 2)
    const begin = await readItems(objects, { name, parts: middle + 1 }, middle).next()
    if (begin.done || begin.value.index > index) last = middle - 1
    else first = middle
  }
  for await (const item of readItems(objects, { name, parts: first + 1 }, first)) if (item.index === index) return item
  return undefined
}
