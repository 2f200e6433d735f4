import type { RecordedBatch } from '@platen/domain/batch/batch-events.ts'
import type { GenerationRequest, RenderInput } from '@platen/domain/generation/generation.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { parseExact, stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'

/** An accepted item. It does not depend on later changes. */
export interface StoredItem {
  /** 1 for the first. */
  index: number
  request: Pick<GenerationRequest, 'template' | 'metadata' | 'file_name'>
  input: RenderInput
}

/** The objects with the items of a batch: see `batchInput`. */
export type StoredItems = RecordedBatch['input']

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
  async end(): Promise<StoredItems> {
    if (this.#lines.length > 0) await this.#flush()
    return { name: this.#name, parts: this.#parts }
  }

  /** Moves the written items to another name. */
  async moveTo(name: string): Promise<StoredItems> {
    for (let part = 0; part < this.#parts; part++) {
      const body = await readBytes(await this.#objects.get(objectKeys.batchInput(this.#name, part)))
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

/** The items of a batch that has not ended, in order, one part in memory at a time. Throws ObjectNotFound. */
export async function* readItems(
  objects: Pick<ObjectStore, 'get'>,
  { name, parts }: StoredItems,
): AsyncGenerator<StoredItem> {
  for (let part = 0; part < parts; part++) {
    const text = (await readBytes(await objects.get(objectKeys.batchInput(name, part)))).toString()
    // The text is not split at once, because a part of short items has ten thousand lines.
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start)
      const line = text.slice(start, end < 0 ? undefined : end)
      start = end < 0 ? text.length : end + 1
      yield parseExact(line) as StoredItem
    }
  }
}
