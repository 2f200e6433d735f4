import { setTimeout as delay } from 'node:timers/promises'
import { check } from '../checker.ts'
import { startReceivers } from '../deliveries/receivers.ts'
import type { Evidence } from '../evidence.ts'
import { collect, settle } from '../run-harness.ts'
import { seeded } from '../seeded.ts'
import { type SystemOptions, startSystem } from '../system.ts'
import { noVerbClients } from '../verbs/clients.ts'
import type { Verdict } from '../verdict.ts'
import { type Arrivals, arrive } from './arrivals.ts'
import type { BalancedRequest } from './balanced-client.ts'
import { openBusyMeter } from './busy-meter.ts'
import { prepare } from './prepare.ts'
import { type Ended, play } from './scenes.ts'
import { heading, row, summaryOf, wrongAnswers } from './table.ts'

export interface RollingOptions {
  seed: number
  runs: number
  engines: SystemOptions['engines']
  say: (line: string) => void
}

const perSecond = 50
/** Ten seconds of requests. */
const mostInFlight = 500
const beforeMs = 3_000
const settleLimitMs = 60_000

/** What one run has found. */
export interface RollingRun {
  seed: number
  arrivals: Arrivals
  requests: readonly BalancedRequest[]
  /** From the moment when it was planned. */
  took: { operation: string; ms: number }[]
  evidence: Evidence
  verdicts: Verdict[]
  ended: readonly Ended[]
  /** The used share of all processors. */
  busy: number
}

/**
 * Sends fifty requests a second of every kind while one process at a time is stopped, replaced or killed. As each
 * service has another process, no request may be answered with a 5xx, and acknowledged changes must be true. Resolves
 * to whether all runs were clean.
 */
export async function runRolling({ seed, runs, engines, say }: RollingOptions): Promise<boolean> {
  say(heading)
  let clean = 0
  for (let n = 0; n < runs; n++) {
    const run = await oneRun(seed + n, engines, say)
    const wrong = [...wrongAnswers(run), ...run.verdicts.flatMap(violationsOf)]
    if (wrong.length === 0) clean += 1
    say(row(run))
    for (const line of wrong) say(`  ${line}`)
    for (const line of summaryOf(run)) say(`  ${line}`)
  }
  say(`${clean} of ${runs} runs had no 5xx and no violation`)
  return clean === runs
}

const violationsOf = ({ invariant, violations }: Verdict) => violations.map((violation) => `${invariant} ${violation}`)

async function oneRun(
  seed: number,
  engines: RollingOptions['engines'],
  say: (line: string) => void,
): Promise<RollingRun> {
  await using system = await startSystem({ single: false, engines, proxies: false, say: () => {} })
  const secret = (await system.gateways[0]?.json<{ secret: string }>('/v1/webhook-secret'))?.body.secret ?? ''
  const receivers = await startReceivers(secret, seed)
  await using _ = receivers.receiver
  const { client, posts, batches, operations, choose } = await prepare(system, receivers, seed)
  const random = seeded(seed).fork('rolling')
  const stop = new AbortController()
  const took: RollingRun['took'] = []
  const busySince = openBusyMeter()
  const arriving = arrive({
    perSecond,
    mostInFlight,
    signal: stop.signal,
    async send(plannedMs) {
      const kind = choose(random)
      await kind.send(random)
      took.push({ operation: kind.operation, ms: Date.now() - plannedMs })
    },
  })
  arriving.catch(() => {})
  await delay(beforeMs)
  const played = await play(system, seeded(seed).fork('scenes')).finally(() => stop.abort())
  const arrivals = await arriving
  const busy = busySince()
  const healedAtMs = Date.now()
  const settledAfterMs = await settle(system, { posts, batches }, { settleLimitMs, say })
  const { faults, ended } = played
  const course = { faults, healedAtMs, settledAfterMs, settleLimitMs, costs: [], verbs: noVerbClients.evidence }
  const evidence = await collect(system, { client, posts, batches, operations, ...receivers }, course)
  return { seed, arrivals, took, evidence, ended, busy, requests: client.requests, verdicts: check(evidence) }
}
