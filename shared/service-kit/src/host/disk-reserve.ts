import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { storeFile } from '@platen/event-store/adapters/sqlite/store-lock.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { untilBeat } from '@platen/foundation/runtime/beat.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { HealthCheck } from './health.ts'

const lookEveryMs = 1_000
/** A disk with ten times the reserve free does not fill up within this time. */
const lookRarelyMs = 5_000
const plenty = 10
const mebibyte = 2 ** 20
/** The default reserve: this part of the file system, but no more than the limit. */
const defaultPart = 0.05
const defaultLimitMb = 512

export interface DiskReserveOptions {
  /** Files or folders on the file systems to watch. Those that do not exist are skipped. */
  paths: readonly string[]
  /** 0: 5 % of the file system, at most 512 MiB. */
  reserveMb: number
  log: Logger
}

/**
 * Watches the free space of file systems. Below the reserve, new work is refused, so that work in progress can be
 * finished: a write that fails for lack of space breaks more than one request.
 */
export class DiskReserve implements AsyncDisposable {
  readonly #options: DiskReserveOptions
  readonly #stop = new AbortController()
  readonly #watching: Promise<void>
  #shortage: string | undefined
  #isPlenty = false

  private constructor(options: DiskReserveOptions) {
    this.#options = options
    this.#watching = this.#watch()
  }

  static async open(options: DiskReserveOptions): Promise<DiskReserve> {
    const reserve = new DiskReserve(options)
    await reserve.#look()
    return reserve
  }

  /** Why space is short; undefined while there is enough. */
  get shortage(): string | undefined {
    return this.#shortage
  }

  get check(): HealthCheck {
    return {
      name: 'disk',
      check: async () => {
        if (this.#shortage !== undefined) throw new DependencyUnavailable(this.#shortage)
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#watching
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      await untilBeat(this.#isPlenty ? lookRarelyMs : lookEveryMs, signal)
      await this.#look()
    }
  }

  async #look(): Promise<void> {
    const { paths, reserveMb, log } = this.#options
    const disks = await Promise.all(paths.map((path) => lookAt(path, reserveMb)))
    const shortage = disks.flatMap((disk) => disk?.shortage ?? [])[0]
    this.#isPlenty = disks.every((disk) => disk === undefined || disk.isPlenty)
    const before = this.#shortage
    this.#shortage = shortage?.text
    if (shortage && before === undefined) log.error(shortage, 'disk space below the reserve, refusing new work')
    if (!shortage && before !== undefined) log.warn('disk space above the reserve again, accepting new work')
  }
}

interface Shortage {
  text: string
  path: string
  free_mb: number
  reserve_mb: number
}

interface Disk {
  /** Undefined while there is enough space. */
  shortage: Shortage | undefined
  isPlenty: boolean
}

/** Undefined if the path does not exist. */
async function lookAt(path: string, reserveMb: number): Promise<Disk | undefined> {
  const found = await statfs(path).catch(() => undefined)
  if (!found) return undefined
  const [free_mb, size] = [found.bavail, found.blocks].map((blocks) => Math.round((blocks * found.bsize) / mebibyte))
  const reserve_mb = reserveMb || Math.round(Math.min((size ?? 0) * defaultPart, defaultLimitMb))
  if (free_mb === undefined) return undefined
  if (free_mb >= reserve_mb) return { shortage: undefined, isPlenty: free_mb >= plenty * reserve_mb }
  const text = `${free_mb} MiB are free on the disk; ${reserve_mb} MiB are kept in reserve`
  return { shortage: { text, path, free_mb, reserve_mb }, isPlenty: false }
}

/** The paths of stores that are on this machine: `sqlite:<file>` and `file:<folder>`. */
export function localPaths(urls: readonly string[]): string[] {
  return urls.flatMap((url) => {
    const [, scheme, path = ''] = /^(sqlite|file):(?:\/\/)?(.+)$/.exec(url) ?? []
    if (scheme === undefined) return []
    return [scheme === 'sqlite' ? dirname(storeFile(resolve(path))) : resolve(path)]
  })
}
