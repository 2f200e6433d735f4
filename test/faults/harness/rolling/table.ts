import type { BalancedRequest, LostTry } from './balanced-client.ts'
import type { RollingRun } from './run-rolling.ts'
import type { Ended } from './scenes.ts'

/** A connection breaks when a process is killed; this test learns of it a moment later. */
const seenAfterMs = 3_000
/** The operation that waits for the end of a document. */
const waiting = 'getGeneration'

const columns = [
  ...['seed', 'requests', 'a second', 'left out', 'most open', 'cores busy', '2xx', '4xx', '5xx'],
  ...['refused, sent elsewhere', 'killed, repeated', 'killed, no answer', 'broken by a stop', 'late'],
  ...['p50, p95, longest ms', 'violations'],
]

const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`

export const heading = [line(columns), line(columns.map(() => '---'))].join('\n')

/** Why tries got no answer. `broken` is a connection that broke although its gateway was not killed. */
type Reason = 'refused' | 'killed' | 'broken' | 'late'

function reasonOf({ gateway, lost, atMs }: LostTry, ended: readonly Ended[]): Reason {
  if (lost !== 'broken') return lost
  const isKilled = ended.some(
    ({ target, how, fromMs, untilMs }) =>
      how === 'killed' && target === gateway && atMs >= fromMs && atMs <= untilMs + seenAfterMs,
  )
  return isKilled ? 'killed' : 'broken'
}

const isAnswered = ({ status }: BalancedRequest) => status !== 'cut'
const hundreds = (requests: readonly BalancedRequest[], first: number) =>
  requests.filter(({ status }) => status !== 'cut' && Math.floor(status / 100) === first).length

/** One line of the table. */
export function row({ seed, arrivals, requests, took, ended, busy, verdicts }: RollingRun): string {
  const tries = requests.flatMap((request) =>
    request.lostTries.map((one) => ({ request, reason: reasonOf(one, ended) })),
  )
  const count = (reason: Reason, answered?: boolean) =>
    new Set(
      tries
        .filter((one) => one.reason === reason && (answered === undefined || isAnswered(one.request) === answered))
        .map(({ request }) => request),
    ).size
  const ms = took
    .filter(({ operation }) => operation !== waiting)
    .map((one) => one.ms)
    .sort((one, other) => one - other)
  const at = (share: number) => ms[Math.min(ms.length - 1, Math.floor(share * ms.length))] ?? 0
  return line([
    ...[
      seed,
      requests.length,
      perSecond(arrivals),
      arrivals.leftOut,
      arrivals.mostInFlight,
      `${Math.round(busy * 100)} %`,
    ],
    ...[hundreds(requests, 2), hundreds(requests, 4), hundreds(requests, 5)],
    ...[count('refused'), count('killed', true), count('killed', false), count('broken'), count('late')],
    ...[`${at(0.5)}, ${at(0.95)}, ${at(1)}`, verdicts.reduce((sum, { violations }) => sum + violations.length, 0)],
  ])
}

const perSecond = ({ sent, ms }: RollingRun['arrivals']) => (sent / (ms / 1_000)).toFixed(1)

/** Each 5xx, and each request that has no answer although no process was killed. */
export function wrongAnswers({ evidence, requests, ended }: RollingRun): string[] {
  const when = (atMs: number) => `${new Date(atMs).toISOString()}, ${during(evidence, atMs, ended)}`
  const answers = evidence.answers
    .filter(({ status }) => status !== 'cut' && status >= 500)
    .map(({ operation, status, code, gateway, atMs, ms }) => ({
      what: `${operation} was answered with ${status} ${code}`,
      example: `by ${gateway} after ${ms} ms, ${when(atMs)}`,
    }))
  // What was repeated has its answer: HTTP cannot tell a client in time that a connection is about to be closed.
  const broken = requests.flatMap(({ operation, status, lostTries }) =>
    (status === 'cut' ? lostTries : [])
      .map((one) => ({ one, reason: reasonOf(one, ended) }))
      .filter(({ reason }) => reason === 'broken' || reason === 'late')
      .map(({ one: { gateway, atMs }, reason }) => ({
        what: `the connection of ${operation} was ${reason}`,
        example: `by ${gateway}, ${when(atMs)}`,
      })),
  )
  const alike = Map.groupBy([...answers, ...broken], ({ what }) => what)
  return [...alike].map(([what, all]) => `${all.length} × ${what}, first ${all[0]?.example}`)
}

/** What a reader asks next: the statuses with their codes, and how long it lasted. */
export function summaryOf({ requests, arrivals, evidence }: RollingRun): string[] {
  const name = ({ status, code }: BalancedRequest) => `${status}${code ? ` ${code}` : ''}`
  const statuses = [...Map.groupBy(requests, name)].sort().map(([status, all]) => `${all.length} × ${status}`)
  const lost = requests.filter((request) => !isAnswered(request))
  const without = [...Map.groupBy(lost, ({ operation }) => operation)].map(([of, all]) => `${all.length} × ${of}`)
  const times = evidence.faults.map(({ name, atMs, endedMs }) => `${name} ${Math.round((endedMs - atMs) / 1_000)} s`)
  return [
    `${arrivals.sent} arrivals in ${Math.round(arrivals.ms / 1_000)} s, at most ${arrivals.mostLateMs} ms late: ${statuses.join(', ')}`,
    ...(lost.length > 0 ? [`without an answer, as they may not be repeated: ${without.join(', ')}`] : []),
    `${times.join(', ')}; settled ${evidence.settledAfterMs} ms later`,
  ]
}

function during({ faults }: RollingRun['evidence'], atMs: number, ended: readonly Ended[]): string {
  const fault = faults.find((one) => one.atMs <= atMs && one.endedMs >= atMs)
  const one = ended.findLast(({ fromMs }) => fromMs <= atMs)
  return fault ? `while ${fault.name}${one ? ` (${one.target} ${one.how})` : ''}` : 'between'
}
