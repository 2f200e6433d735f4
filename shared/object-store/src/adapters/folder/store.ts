import { randomUUID } from 'node:crypto'
import { type FileHandle, open, opendir, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { assertCategory, isKey, parseKey } from '../../object-key.ts'
import {
  type ByteRange,
  type ListedObject,
  type ObjectInfo,
  ObjectNotFound,
  type ObjectStore,
  ObjectStoreUnavailable,
} from '../../object-store.ts'
import { makeFolder } from './durable-folder.ts'

/** Keys begin with a letter, so no category has this name. */
const temporaryFolder = '.tmp'
const leftoverAgeMs = 60 * 60 * 1000

/**
 * Stores objects as files, `<root>/<category>/<name>`. A put writes and flushes a temporary file, renames it and
 * flushes the folder. After a power failure the object is complete, unchanged or absent.
 */
export async function openFolder(root: string): Promise<ObjectStore> {
  await opening(async () => {
    await makeFolder(root)
    await makeFolder(join(root, temporaryFolder))
    await removeLeftovers(join(root, temporaryFolder))
  })
  return new Folder(root)
}

class Folder implements ObjectStore {
  readonly #root: string
  /** Open handles of the categories' folders, which each put flushes. */
  readonly #categories = new Map<string, Promise<FileHandle>>()

  constructor(root: string) {
    this.#root = root
  }

  async put(key: string, body: Uint8Array): Promise<void> {
    const { category } = parseKey(key)
    const path = join(this.#root, key)
    await reporting('written to', async () => {
      await this.#writeTemporary(body, async (temporary) => {
        const folder = await this.#openCategory(category)
        await rename(temporary, path)
        await folder.sync()
      })
    }).catch(async (err) => {
      // The folder may have been removed: the next put creates it again.
      await this.#closeCategory(category).catch(() => {})
      throw err
    })
  }

  async info(key: string): Promise<ObjectInfo | undefined> {
    parseKey(key)
    const file = await reporting('read', () => this.#ifExists(stat(join(this.#root, key))))
    return file?.isFile() ? { size: file.size, modifiedAt: file.mtime } : undefined
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    parseKey(key)
    if (range && !(range.start >= 0 && range.end >= range.start)) {
      throw new RangeError(`${range.start}-${range.end} is not a byte range`)
    }
    const file = await reporting('read', () => this.#ifExists(open(join(this.#root, key))))
    if (!file) throw new ObjectNotFound(key)
    return file.createReadStream(range)
  }

  async delete(key: string): Promise<void> {
    const { category } = parseKey(key)
    await reporting('written to', async () => {
      await ifExists(unlink(join(this.#root, key)))
      // What was erased does not come back after a power failure. Also if it was gone: whoever deleted it may not have flushed that.
      const folder = await this.#ifExists(open(join(this.#root, category)))
      await folder?.sync().finally(() => folder.close())
    })
  }

  async *list(category: string, stems?: ReadonlySet<string>): AsyncIterable<ListedObject> {
    assertCategory(category)
    const folder = await reporting('read', () => this.#ifExists(opendir(join(this.#root, category))))
    if (!folder) return
    // Iterating closes the folder.
    const entries = folder[Symbol.asyncIterator]()
    try {
      for (;;) {
        const entry = await reporting('read', () => entries.next())
        if (entry.done) return
        const { name } = entry.value
        if (stems && !stems.has(stemOf(name))) continue
        const key = `${category}/${name}`
        const info = isKey(key) ? await this.info(key) : undefined
        if (info) yield { key, ...info }
      }
    } finally {
      await entries.return?.()
    }
  }

  async publicUrl(): Promise<undefined> {
    return undefined
  }

  async check(): Promise<void> {
    await reporting('written to', () => this.#writeTemporary(Buffer.from('probe'), unlink))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#categories.keys()].map((category) => this.#closeCategory(category)))
  }

  /** Undefined if the file does not exist. Throws ENOENT if the whole folder is missing: its disk may not be mounted. */
  async #ifExists<Value>(work: Promise<Value>): Promise<Value | undefined> {
    const value = await ifExists(work)
    if (value === undefined) await stat(join(this.#root, temporaryFolder))
    return value
  }

  /** Writes `body` to a flushed temporary file and passes its path to `use`. Removes the file if that fails. */
  async #writeTemporary(body: Uint8Array, use: (path: string) => Promise<void>): Promise<void> {
    const path = join(this.#root, temporaryFolder, randomUUID())
    try {
      await writeFlushed(path, body)
      await use(path)
    } catch (err) {
      await rm(path, { force: true }).catch(() => undefined)
      throw err
    }
  }

  /** Creates and opens the category's folder once per process. */
  #openCategory(category: string): Promise<FileHandle> {
    const path = join(this.#root, category)
    const opened = this.#categories.get(category) ?? makeFolder(path).then(() => open(path, 'r'))
    this.#categories.set(category, opened)
    return opened
  }

  async #closeCategory(category: string): Promise<void> {
    const opened = this.#categories.get(category)
    this.#categories.delete(category)
    const folder = await opened?.catch(() => undefined)
    // Waits for pending flushes.
    await folder?.close()
  }
}

/** The name up to its first dot; empty if it has none. */
const stemOf = (name: string) => name.slice(0, Math.max(0, name.indexOf('.')))

async function writeFlushed(path: string, body: Uint8Array): Promise<void> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'wx')
    await file.writeFile(body)
    await file.sync()
  } finally {
    await file?.close()
  }
}

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const file = await ifExists(stat(path))
    // Another process may still be writing a younger file.
    if (file && Date.now() - file.mtimeMs > leftoverAgeMs) await rm(path, { force: true, recursive: true })
  }
}

async function ifExists<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return undefined
    throw err
  }
}

/** Converts file system errors to ObjectStoreUnavailable. Their messages contain local paths and stay in `cause`. */
function reporting<Value>(action: string, work: () => Promise<Value>): Promise<Value> {
  return converting((code) => `The object folder cannot be ${action} (${code})`, work)
}

/** A start that fails names its setting. */
function opening(work: () => Promise<void>): Promise<void> {
  return converting((code) => `OBJECT_STORE_URL: the folder cannot be opened (${code})`, work)
}

async function converting<Value>(describe: (code: unknown) => string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (err) {
    if (!(err instanceof Error && 'syscall' in err && 'code' in err)) throw err
    throw new ObjectStoreUnavailable(describe(err.code), { cause: err })
  }
}
