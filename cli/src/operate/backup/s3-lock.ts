import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { isLocked } from '@platen/foundation/runtime/file-lock.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { Unchanged } from '@platen/foundation/runtime/unchanged.ts'
import type { ObjectTag, SharedObjectStore } from '@platen/object-store/object-store.ts'

const lockKey = 'lock/backup.json'

/** How often a backup tries to take a lock that seems free. */
const maxAttempts = 100

/** The record of a backup in the bucket, while it is written and afterwards. */
interface Held {
  /** The id of the backup. */
  id: string
  /** The holder, for messages: `process 4711 of host db1`. */
  holder: string
  /** The file that the backup has locked on its machine, see `fileIdOf`. */
  file: string | undefined
  since: string
  /** A number that changes with each renewal, so that the object changes. */
  renewed: number
  /** Whether the backup has ended. */
  released: boolean
}

export interface S3LockOptions {
  store: SharedObjectStore
  /** The name of the place in messages. */
  name: string
  /** A file that every backup of the deployment locks on its machine. */
  lockPath: string | undefined
  note: (text: string) => void
  /** Aborts the wait for another backup. */
  signal?: AbortSignal
  renewEveryMs?: number | undefined
  /** A holder that has not renewed the lock for this time counts as stopped. */
  deadAfterMs?: number | undefined
}

/**
 * The lock of a place in a bucket: an object that is written only if nobody else has changed it, and renewed every ten
 * seconds. A stopped holder is recognised without clocks: its object does not change for thirty seconds, or the file
 * that it has locked is on this machine and is free.
 */
export class S3Lock {
  readonly #options: S3LockOptions
  readonly #renewEveryMs: number
  readonly #deadAfterMs: number
  readonly #lookEveryMs: number
  #held: { content: Held; tag: ObjectTag; at: number } | undefined
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> = Promise.resolve()
  #isRenewing = false
  #lost: Error | undefined

  constructor(options: S3LockOptions) {
    this.#options = options
    this.#renewEveryMs = options.renewEveryMs ?? 10_000
    this.#deadAfterMs = options.deadAfterMs ?? 30_000
    this.#lookEveryMs = Math.min(2_000, this.#deadAfterMs / 5)
  }

  /** Throws if another backup is being written. The file of `lockPath` is locked. */
  async take(): Promise<void> {
    const { store, name, lockPath, note, signal } = this.#options
    const content: Held = {
      id: randomUUID(),
      holder: `process ${process.pid} of host ${hostname()}`,
      file: lockPath && fileIdOf(lockPath),
      since: new Date().toISOString(),
      renewed: 0,
      released: false,
    }
    const body = Buffer.from(JSON.stringify(content))
    for (let attempt = 1; ; attempt++) {
      const found = await this.#read()
      if (found?.content.id === content.id) {
        this.#hold(content, found.tag)
        break
      }
      // The file is locked by this process, so no other backup with it is alive.
      const isOurs = content.file !== undefined && content.file === found?.content.file
      if (found && !isOurs) await this.#requireEnd(found)
      const tag = await store.putIf(lockKey, body, found?.tag)
      if (tag === undefined) {
        if (attempt === maxAttempts)
          throw new Error(`${name} refuses to write its lock, although no other backup has it`)
        await sleep(100, signal)
        signal?.throwIfAborted()
        continue
      }
      this.#hold(content, tag)
      break
    }
    // The object exists with another tag, so both writes must fail. A store that accepts one ignores conditional
    // writes.
    const written = [await store.putIf(lockKey, body, undefined), await store.putIf(lockKey, body, '"none"')]
    if (written.some((tag) => tag !== undefined))
      note(`the store of ${name} does not know conditional writes: no other machine may write to it at the same time`)
  }

  /** Throws while a backup is being written. */
  async requireFree(): Promise<void> {
    const found = await this.#read()
    if (found) await this.#requireEnd(found)
  }

  /**
   * Throws if another backup has taken the lock while this process was suspended. To be called before a change that
   * others rely on.
   */
  async confirm(): Promise<void> {
    await this.#renewing
    if (this.#lost) throw this.#lost
    if (this.#held && performance.now() - this.#held.at > this.#renewEveryMs * 1.5) await this.#renew()
    if (this.#lost) throw this.#lost
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#renewing
    const { content, tag } = this.#held ?? {}
    if (content === undefined || this.#lost) return
    const body = Buffer.from(JSON.stringify({ ...content, released: true } satisfies Held))
    // If this fails, the next backup finds out that this process has ended.
    await this.#options.store.putIf(lockKey, body, tag).catch(() => undefined)
    this.#held = undefined
  }

  #hold(content: Held, tag: ObjectTag): void {
    this.#held = { content, tag, at: performance.now() }
    this.#timer ??= setInterval(() => {
      if (!this.#isRenewing) this.#renewing = this.#renew().catch(() => {})
    }, this.#renewEveryMs).unref()
  }

  /** Rejects if the store is unavailable: it is tried again. */
  async #renew(): Promise<void> {
    if (this.#held === undefined || this.#lost) return
    this.#isRenewing = true
    try {
      await this.#writeAgain(this.#held)
    } finally {
      this.#isRenewing = false
    }
  }

  async #writeAgain(held: { content: Held; tag: ObjectTag }): Promise<void> {
    const { store, name } = this.#options
    const content = { ...held.content, renewed: held.content.renewed + 1 }
    const at = performance.now()
    const tag = await store.putIf(lockKey, Buffer.from(JSON.stringify(content)), held.tag)
    if (tag !== undefined) {
      this.#held = { content, tag, at }
      return
    }
    const found = await this.#read()
    if (found?.content.id === content.id) this.#held = { content, tag: found.tag, at }
    else
      this.#lost = new Error(
        `${found?.content.holder ?? 'another backup'} has begun to write to ${name}: run this again`,
      )
  }

  async #read(): Promise<{ content: Held; tag: ObjectTag } | undefined> {
    const { store, name } = this.#options
    const found = await store.getTagged(lockKey)
    if (found === undefined) return undefined
    const content = heldIn(found.body.toString('utf8'))
    if (content === undefined) throw new Error(`${lockKey} in ${name} is not the lock of a backup: delete it`)
    return { content, tag: found.tag }
  }

  /** Resolves when the backup that has the lock has ended or stopped. Throws if it is still running. */
  async #requireEnd({ content, tag }: { content: Held; tag: ObjectTag }): Promise<void> {
    const { name, lockPath, note, signal } = this.#options
    if (content.released || (lockPath !== undefined && isFree(lockPath, content.file))) return
    const { holder, since } = content
    const seconds = Math.ceil(this.#deadAfterMs / 1_000)
    note(
      `${holder} began to write a backup to ${name} at ${since}: waiting up to ${seconds} s to see whether it goes on`,
    )
    const unchanged = new Unchanged()
    while (unchanged.forMs(tag) < this.#deadAfterMs) {
      await sleep(this.#lookEveryMs, signal)
      signal?.throwIfAborted()
      const now = await this.#read()
      if (now === undefined || now.content.released) return
      if (now.tag !== tag)
        throw new Error(
          `a backup is being written to ${name}, by ${now.content.holder} since ${since}; wait until it has ended`,
        )
    }
  }
}

/** Undefined if the text is not that of a lock. */
function heldIn(text: string): Held | undefined {
  try {
    const content: Held | null = JSON.parse(text)
    return typeof content?.id === 'string' ? content : undefined
  } catch {
    return undefined
  }
}

/**
 * An id that distinguishes a file from all others, also from files with the same name on other machines. Undefined if
 * the file does not exist.
 */
function fileIdOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${bootId()}:${stat.dev}:${stat.ino}`
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return hostname()
  }
}

/** Whether the file has this id and is not locked. */
function isFree(path: string, id: string | undefined): boolean {
  return id !== undefined && fileIdOf(path) === id && !isLocked(path)
}
