import { sleep } from './sleep.ts'

export interface Repetition {
  /** Default: 0. */
  firstAfterMs?: number
  /** The pause after the work. */
  everyMs: number
  /** Called with a failure of the work, which is repeated after the pause. */
  onFault: (err: unknown) => void
  signal: AbortSignal
}

/** Repeats the work until the signal aborts. */
export async function repeatedly(
  { firstAfterMs = 0, everyMs, onFault, signal }: Repetition,
  work: () => Promise<void>,
): Promise<void> {
  await sleep(firstAfterMs, signal)
  while (!signal.aborted) {
    try {
      await work()
    } catch (err) {
      if (!signal.aborted) onFault(err)
    }
    await sleep(everyMs, signal)
  }
}
