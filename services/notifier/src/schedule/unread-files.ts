export interface UnreadFilesOptions {
  /** Resolves if the object store can be used. */
  check: () => Promise<void>
  /** A clock that nobody sets. Default: that of the process. */
  now?: () => number
  /** The pause after the first attempt whose file could not be read. It doubles. */
  firstPauseMs: number
  maxPauseMs: number
  /** After this time the attempt is not put off any more, if the object store passed its check all the while. */
  lostAfterMs: number
}

interface Unread {
  pauseMs: number
  /** When it was noted last. */
  atMs: number
  /** Since when the object store has passed its check each time. */
  availableSinceMs: number | undefined
}

/** The attempts that were put off as their files could not be read. Another notifier, or this one after a restart, begins anew. */
export class UnreadFiles {
  readonly #options: UnreadFilesOptions
  /** The one that was noted last comes last. */
  readonly #unread = new Map<string, Unread>()

  constructor(options: UnreadFilesOptions) {
    this.#options = options
  }

  /**
   * To be called if the file of the attempt `key` could not be read. Returns the pause in ms until it is tried again; undefined if the file
   * is at fault and not its store: the attempt has to end.
   */
  async putOff(key: string): Promise<number | undefined> {
    const { check, now = () => performance.now(), firstPauseMs, maxPauseMs, lostAfterMs } = this.#options
    const isAvailable = await check().then(
      () => true,
      () => false,
    )
    const atMs = now()
    const before = this.#unread.get(key)
    this.#unread.delete(key)
    this.#forgetOld(atMs)
    const availableSinceMs = isAvailable ? (before?.availableSinceMs ?? atMs) : undefined
    if (availableSinceMs !== undefined && atMs - availableSinceMs >= lostAfterMs) return undefined
    const pauseMs = Math.min(maxPauseMs, before ? 2 * before.pauseMs : firstPauseMs)
    this.#unread.set(key, { pauseMs, atMs, availableSinceMs })
    return pauseMs
  }

  /** To be called if the attempt was made. */
  wasMade(key: string): void {
    this.#unread.delete(key)
  }

  /** Another notifier has made these attempts. */
  #forgetOld(nowMs: number): void {
    for (const [key, { atMs }] of this.#unread) {
      if (nowMs - atMs < this.#options.lostAfterMs) return
      this.#unread.delete(key)
    }
  }
}
