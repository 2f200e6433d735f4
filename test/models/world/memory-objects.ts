import { Readable } from 'node:stream'
import { type ListedObject, ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import type { World } from './world.ts'

/** An object store in memory: each call is one step of the process that makes it. */
export class MemoryObjects implements ObjectStore {
  readonly #world: World
  readonly #objects = new Map<string, { body: Uint8Array; modifiedAt: Date }>()

  constructor(world: World) {
    this.#world = world
  }

  put(key: string, body: Uint8Array): Promise<void> {
    return this.#world.step(`put ${key}`, () => {
      this.#world.changes(key)
      this.#world.changes('objects')
      this.#objects.set(key, { body, modifiedAt: new Date(this.#world.nowMs) })
    })
  }

  info(key: string) {
    return this.#world.step(`info of ${key}`, () => {
      this.#world.reads(key)
      const object = this.#objects.get(key)
      return object && { size: object.body.length, modifiedAt: object.modifiedAt }
    })
  }

  async get(key: string): Promise<Readable> {
    const body = await this.#world.step(`get ${key}`, () => {
      this.#world.reads(key)
      return this.#objects.get(key)?.body
    })
    if (!body) throw new ObjectNotFound(key)
    return Readable.from([body])
  }

  delete(key: string): Promise<void> {
    return this.#world.step(`delete ${key}`, () => {
      this.#world.changes(key)
      this.#world.changes('objects')
      this.#objects.delete(key)
    })
  }

  async *list(category: string): AsyncIterable<ListedObject> {
    yield* await this.#world.step(`list ${category}`, () => {
      this.#world.reads('objects')
      return this.listed().filter(({ key }) => key.startsWith(`${category}/`))
    })
  }

  /** Lists the objects without a step, for invariants. */
  listed(): ListedObject[] {
    const listed = [...this.#objects].map(([key, { body, modifiedAt }]) => ({ key, size: body.length, modifiedAt }))
    return listed.sort((one, other) => (one.key < other.key ? -1 : 1))
  }

  async publicUrl(): Promise<undefined> {}

  async check(): Promise<void> {}

  async close(): Promise<void> {}

  toJSON() {
    return this.listed().map(({ key, modifiedAt }) => [key, modifiedAt.getTime()])
  }
}
