import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'

/** Whether the views of this gateway show a recorded change in time. If not, the change is answered with a 202. */
export async function shownInTime(untilCaughtUp: () => Promise<void>): Promise<boolean> {
  try {
    await untilCaughtUp()
    return true
  } catch (err) {
    if (!(err instanceof DependencyUnavailable)) throw err
    return false
  }
}
