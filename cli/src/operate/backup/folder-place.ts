import { accessSync, constants, createReadStream, existsSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { FileLocked, lockFile } from '@platen/foundation/runtime/file-lock.ts'
import { writePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { syncFolders, syncPath } from '@platen/foundation/runtime/sync-path.ts'
import { contentOf, copyContent } from './content.ts'
import { type BackupPlace, type Content, isContentName } from './place.ts'

export const manifestName = 'backup.json'
const contentFolder = 'files'

/** A backup in a folder: content in `files/`, and the manifest beside it. */
export class FolderPlace implements BackupPlace {
  readonly name: string

  constructor(path: string) {
    this.name = path
  }

  async lock(kind: 'shared' | 'exclusive'): Promise<AsyncDisposable> {
    const path = join(this.name, 'lock.db')
    // The folder has no backup, or it is a copy on a read-only medium.
    if (kind === 'shared' && !isWritable(path)) return { async [Symbol.asyncDispose]() {} }
    try {
      const lock = lockFile(path, kind)
      return { [Symbol.asyncDispose]: async () => lock[Symbol.dispose]() }
    } catch (err) {
      if (!(err instanceof FileLocked)) throw err
      throw new Error(`${err.holder} uses the backup in ${this.name}; wait until it has ended`, { cause: err })
    }
  }

  async confirmLock(): Promise<void> {}

  /** Throws if this user cannot write to the folder, or make it. */
  requireWritable(): void {
    const nearest = nearestExisting(join(this.name, contentFolder))
    if (!statSync(nearest).isDirectory())
      throw new Error(`a backup cannot be written to ${this.name}: ${nearest} is no folder`)
    if (!isWritable(nearest))
      throw new Error(`a backup cannot be written to ${this.name}: this user may not write to ${nearest}`)
  }

  /** To be called before anything is written. */
  async create(): Promise<void> {
    await mkdir(join(this.name, contentFolder), { recursive: true, mode: 0o700 })
  }

  async readManifest(): Promise<string | undefined> {
    const path = join(this.name, manifestName)
    return existsSync(path) ? readFile(path, 'utf8') : undefined
  }

  async writeManifest(text: string): Promise<void> {
    await syncFolders(join(this.name, contentFolder))
    await writePrivateFile(join(this.name, manifestName), text)
  }

  async newFile(): Promise<string> {
    const path = this.#new(0)
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${path}${suffix}`, { force: true })
    return path
  }

  async keepNew(): Promise<Content> {
    await syncPath(this.#new(0))
    return this.#keep(await contentOf(this.#new(0)), 0)
  }

  async add(source: string, lane: number): Promise<Content> {
    return this.#keep(await copyContent(source, this.#new(lane)), lane)
  }

  async has(content: Content): Promise<boolean> {
    const found = await stat(this.#path(content)).catch(() => undefined)
    return found?.size === content.size
  }

  async read(content: Content) {
    const path = this.#path(content)
    return existsSync(path) ? createReadStream(path, { highWaterMark: 2 ** 20 }) : undefined
  }

  async copyTo(content: Content, to: string): Promise<Content | undefined> {
    const path = this.#path(content)
    return existsSync(path) ? copyContent(path, to) : undefined
  }

  async openFile(content: Content): Promise<string | undefined> {
    const path = this.#path(content)
    return existsSync(path) ? path : undefined
  }

  async removeOthers(named: readonly Content[]): Promise<void> {
    const kept = new Set(named.map((content) => this.#path(content)))
    for (const entry of await readdir(join(this.name, contentFolder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile() && isOwn(entry.name) && !kept.has(path)) await rm(path, { force: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** The path for content whose hash is not known yet. Only one process writes to a backup. */
  #new(lane: number): string {
    return join(this.name, contentFolder, `new-${lane}`)
  }

  #path({ sha256 }: Content): string {
    return join(this.name, contentFolder, sha256.slice(0, 2), sha256)
  }

  async #keep(content: Content, lane: number): Promise<Content> {
    const path = this.#path(content)
    await mkdir(dirname(path), { recursive: true })
    await rename(this.#new(lane), path)
    return content
  }
}

/** Whether the folder belongs to a backup, complete or not. */
const isOwn = (name: string): boolean => isContentName(name) || /^new-\d+(-wal|-shm|-journal)?$/.test(name)

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path))
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
