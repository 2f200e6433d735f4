import { type Check, verdict } from '../verdict.ts'

/** A gateway waits for a backing service for 4 s. An answer after that was late for another reason: the machine stood still. */
const patienceMs = 3_500

/** A client that wanted to wait for a second, and one more than may wait. */
const ofLoad = ['WAIT_TIMEOUT', 'QUEUE_FULL']

/**
 * While a node is away, the cluster elects, and then all requests are served without it. So a 5xx is one of a request that was sent
 * before each gateway had worked again, or of one after the node has come back, when leaders may move once more. What a request gets of
 * load is no failure of the cluster.
 */
export const outagesEndWithTheElection: Check = function* ({ faults, answers }) {
  for (const { name, election } of faults) {
    if (!election) continue
    const { electedMs, recoveredMs, liftedMs, again } = election
    yield verdict(recoveredMs !== null, () => `${name}: some requests were not served while the node was away`)
    if (recoveredMs === null || again) continue
    const early = answers.filter(({ atMs, ms, status, code }) => {
      const isWithin = atMs > recoveredMs && atMs + ms < liftedMs
      const isError = typeof status === 'number' && status >= 500 && !ofLoad.includes(code ?? '')
      return isWithin && isError && ms < patienceMs
    })
    for (const { request, gateway, status, code, atMs } of early)
      yield `${name}: ${gateway} answered ${request} with ${status} ${code ?? ''}, ${atMs - electedMs} ms after the election`
  }
}
