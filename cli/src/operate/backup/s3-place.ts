import { createWriteStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileLocked, lockFile } from '@platen/foundation/runtime/file-lock.ts'
import { syncPath } from '@platen/foundation/runtime/sync-path.ts'
import type { ObjectTag, SharedObjectStore } from '@platen/object-store/object-store.ts'
import { contentHash, contentOf } from './content.ts'
import { type BackupPlace, type Content, isContentName, type Part, partsOf } from './place.ts'
import { S3Lock, type S3LockOptions } from './s3-lock.ts'
import { openScratchFolder, type ScratchFolder } from './scratch-folder.ts'

/** A larger file is stored in parts, each an object. An event store may have any size, and most parts are unchanged next time. */
const partBytes = 16 * 2 ** 20

const category = 'files'
const manifestKey = 'manifest/backup.json'

/** The use of the bucket: its rights are checked when it is opened. */
export const s3Categories = [{ name: category, withoutRights: 'fatal' }] as const

/** `name` is without keys. The file of `lockPath` is locked, too, while a backup is written. */
export type S3PlaceOptions = S3LockOptions

/** A backup in a bucket: `<prefix>/files/<SHA-256>`, and the manifest in `<prefix>/manifest/backup.json`. */
export class S3Place implements BackupPlace {
  readonly name: string
  readonly #store: SharedObjectStore
  readonly #lockPath: string | undefined
  readonly #lock: S3Lock
  /** A folder of this machine, for what is written before its hash is known. */
  #scratch: ScratchFolder | undefined
  /** The tag of the manifest that was read last. */
  #manifestTag: ObjectTag | undefined
  /** Names and sizes of the objects in the bucket. One backup writes at a time. */
  #present: Promise<Map<string, number>> | undefined

  constructor(options: S3PlaceOptions) {
    this.name = options.name
    this.#store = options.store
    this.#lockPath = options.lockPath
    this.#lock = new S3Lock(options)
  }

  async lock(kind: 'shared' | 'exclusive'): Promise<AsyncDisposable> {
    if (kind === 'shared') {
      await this.#lock.requireFree()
      return { async [Symbol.asyncDispose]() {} }
    }
    const ofMachine = this.#lockPath === undefined ? undefined : lockOfMachine(this.#lockPath)
    const release = async () => {
      await this.#lock.release()
      ofMachine?.[Symbol.dispose]()
    }
    try {
      await this.#lock.take()
    } catch (err) {
      await release()
      throw err
    }
    return { [Symbol.asyncDispose]: release }
  }

  confirmLock(): Promise<void> {
    return this.#lock.confirm()
  }

  async readManifest(): Promise<string | undefined> {
    const found = await this.#store.getTagged(manifestKey)
    this.#manifestTag = found?.tag
    return found?.body.toString('utf8')
  }

  /** Throws if another process has written a manifest since this one has read it. */
  async writeManifest(manifest: string): Promise<void> {
    const body = Buffer.from(manifest)
    const tag = await this.#store.putIf(manifestKey, body, this.#manifestTag)
    if (tag !== undefined || (await this.readManifest()) === manifest) return
    throw new Error(`another backup was written to ${this.name} meanwhile: run this again`)
  }

  newFile(): Promise<string> {
    return this.#scratchFile('new')
  }

  async keepNew(): Promise<Content> {
    const path = await this.#scratchFile('new', false)
    const content = await this.add(path)
    await rm(path)
    return content
  }

  async add(source: string): Promise<Content> {
    const whole = contentHash()
    const parts: Part[] = []
    const file = await open(source)
    try {
      const bytes = Buffer.allocUnsafe(Math.max(1, Math.min(partBytes, (await file.stat()).size)))
      for (let isLast = false; !isLast; ) {
        const part = await nextPart(file, bytes)
        isLast = part.length < partBytes
        if (part.length === 0 && parts.length > 0) break
        whole.update(part)
        parts.push(await this.#put(part))
      }
    } finally {
      await file.close()
    }
    const content = whole.digest()
    return parts.length === 1 ? content : { ...content, parts }
  }

  async has(content: Content): Promise<boolean> {
    const present = await this.#list()
    return partsOf(content).every(({ sha256, size }) => present.get(sha256) === size)
  }

  async read(content: Content): Promise<Readable | undefined> {
    const present = await this.#list()
    if (!partsOf(content).every(({ sha256 }) => present.has(sha256))) return undefined
    const store = this.#store
    return Readable.from(
      (async function* () {
        for (const { sha256 } of partsOf(content)) yield* await store.get(`${category}/${sha256}`)
      })(),
    )
  }

  async copyTo(content: Content, path: string): Promise<Content | undefined> {
    const bytes = await this.read(content)
    if (bytes === undefined) return undefined
    await pipeline(bytes, createWriteStream(path))
    await syncPath(path)
    return contentOf(path)
  }

  async openFile(content: Content): Promise<string | undefined> {
    const path = await this.#scratchFile('opened')
    return (await this.copyTo(content, path)) && path
  }

  async removeOthers(named: readonly Content[]): Promise<void> {
    const kept = new Set(named.flatMap(partsOf).map(({ sha256 }) => sha256))
    for await (const { key } of this.#store.list(category)) {
      const name = key.slice(category.length + 1)
      if (!isContentName(name) || kept.has(name)) continue
      await this.confirmLock()
      await this.#store.delete(key)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store.close()
    this.#scratch?.[Symbol.dispose]()
  }

  /** Stores bytes. Existing ones are not sent again. */
  async #put(bytes: Buffer): Promise<Part> {
    const hash = contentHash()
    hash.update(bytes)
    const part = hash.digest()
    const present = await this.#list()
    if (present.get(part.sha256) !== part.size) {
      await this.#store.put(`${category}/${part.sha256}`, bytes, 'application/octet-stream')
      present.set(part.sha256, part.size)
    }
    return part
  }

  #list(): Promise<Map<string, number>> {
    this.#present ??= (async () => {
      const present = new Map<string, number>()
      for await (const { key, size } of this.#store.list(category)) present.set(key.slice(category.length + 1), size)
      return present
    })()
    return this.#present
  }

  async #scratchFile(name: string, isNew = true): Promise<string> {
    this.#scratch ??= openScratchFolder()
    const path = join(this.#scratch.path, name)
    if (isNew) await rm(path, { force: true })
    return path
  }
}

/** Reads until the buffer is full, or the file ends. */
async function nextPart(file: FileHandle, room: Buffer): Promise<Buffer> {
  let filled = 0
  while (filled < room.length) {
    const { bytesRead } = await file.read(room, filled, room.length - filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return room.subarray(0, filled)
}

/** A lock of this machine: of two backups of one deployment here, one is refused at once. */
function lockOfMachine(path: string): Disposable {
  try {
    return lockFile(path, 'exclusive')
  } catch (err) {
    if (!(err instanceof FileLocked)) throw err
    throw new Error(`${err.holder} writes a backup to an S3; wait until it has ended`, { cause: err })
  }
}
