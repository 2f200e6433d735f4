import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'

/**
 * To be called after a change was recorded: whether the views of this gateway show it. If they are late, the change is answered
 * all the same, with a 202.
 */
export async function shownInTime(untilCaughtUp: () => Promise<void>): Promise<boolean> {
  try {
    await untilCaughtUp()
    return true
  } catch (err) {
    if (!(err instanceof DependencyUnavailable)) throw err
    return false
  }
}
