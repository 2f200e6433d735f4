import { sleep } from '@platen/shared/runtime/sleep.ts'

/** Wakes one sleeper. A ring that nobody hears is kept for the next one who would sleep. */
export interface Bell {
  ring(): void
  /** Resolves at the ring or after the time, whichever is first. */
  wait(ms: number): Promise<void>
}

export function createBell(): Bell {
  let rung = new AbortController()
  return {
    ring: () => rung.abort(),
    async wait(ms) {
      await sleep(ms, rung.signal)
      if (rung.signal.aborted) rung = new AbortController()
    },
  }
}
