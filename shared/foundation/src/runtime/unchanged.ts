/**
 * How long an entry is known to have stayed as it is. Clocks of machines are not compared, and one that is set changes nothing: only
 * the monotonic clock of this process counts, from when it saw the entry first. What somebody holds and renews is free when it has not
 * changed for several times as long as a renewal may take.
 */
export class Unchanged {
  #revision: number | string | undefined
  #since = 0

  /** In ms, since it was first seen with this revision. */
  forMs(revision: number | string): number {
    const now = performance.now()
    if (revision !== this.#revision) {
      this.#revision = revision
      this.#since = now
    }
    return now - this.#since
  }
}
