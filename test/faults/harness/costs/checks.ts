import type { Cost } from '../evidence.ts'
import { type Check, verdict } from '../verdict.ts'

/** The most requests to the event store for a name that hundreds of templates have, compared with a new one. */
const most = 5

export const isBounded = ({ young, old }: Cost): boolean => old <= most * young

/** Data that others have stored before must not make a request more expensive. */
export const costsDoNotGrow: Check = function* ({ costs }) {
  for (const cost of costs) {
    const { what, young, old } = cost
    yield verdict(isBounded(cost), () => `${what} that is old costs ${old} bytes from the event store, not ${young}`)
  }
}
