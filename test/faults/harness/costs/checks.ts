import type { Cost } from '../evidence.ts'
import { type Check, verdict } from '../verdict.ts'

/** A name that hundreds of templates have is looked for with some more reads than a new one, and not with hundreds. */
const most = 5

export const isBounded = ({ young, old }: Cost): boolean => old <= most * young

/** What others have stored before costs a request nothing. */
export const costsDoNotGrow: Check = function* ({ costs }) {
  for (const cost of costs) {
    const { what, young, old } = cost
    yield verdict(isBounded(cost), () => `${what} that is old costs ${old} bytes from the event store, not ${young}`)
  }
}
