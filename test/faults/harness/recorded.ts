import { isAcknowledged } from './client.ts'
import type { Evidence, Fault, LoggedEvent, Write } from './evidence.ts'
import { type Facts, type Judged, verdict } from './verdict.ts'

/** What an acknowledged request of an operation records. */
export interface Recorded {
  category: string
  types: readonly string[]
  /** Whether what comes of it later, such as the attempts of a delivery, has the id of the request, too. */
  hasConsequences?: boolean
  /** Whether the gateway sends a command and answers with its reply. Default: it uses the event store itself. */
  isCommand?: boolean
  /** Whether its answer is all that has a secret: what is recorded is answered, whatever disturbs it. */
  hasSecret?: boolean
  /** The most events of a request. Default: 1. */
  most?: (write: Write) => number
  /** The least events of a request. Default: 1. */
  least?: (write: Write) => number
  /** Whether the answer says what the event says. */
  compare?: (write: Write, event: LoggedEvent, facts: Facts) => Judged
  /** The answer to a request that had nothing to change. */
  unchanged?: (write: Write, facts: Facts) => Judged
}

const one = () => 1
/** Processes and connections may need this long after a fault. */
const recoveryMs = 6_000

/** Compares each answer to a change with the events that its own request has caused. */
export function* recordedAsAnswered(
  { writes, log, faults }: Evidence,
  facts: Facts,
  rules: Readonly<Record<string, Recorded>>,
): Judged {
  const byHtml = Map.groupBy(log, ({ data }) => String(data.html))
  for (const write of writes) {
    const rule = rules[write.operation]
    if (!rule || write.status === 'cut' || write.request === undefined) continue
    const { status, code, key, sent, request } = write
    const { most = one, least = one, compare, unchanged, types, hasConsequences = false, hasSecret = false } = rule
    // All tries with a key are one request, and some have got no answer.
    const own = (
      key === undefined ? (facts.requests.get(request) ?? []) : (byHtml.get(String(sent.html)) ?? []).filter(isCreation)
    ).filter(({ category, type }) => category === rule.category && (!hasConsequences || types.includes(type)))
    const name = `${write.operation} of ${write.subject} (${request}, ${write.gateway})`
    if (isAcknowledged(status)) {
      yield verdict(own.length >= least(write), () => `${name} was acknowledged and is not recorded`)
      yield verdict(own.length <= most(write), () => `${name} is recorded ${own.length} times`)
      for (const event of own) {
        yield verdict(types.includes(event.type), () => `${name} is recorded as ${event.type}`)
        if (compare) yield* compare(write, event, facts)
      }
      if (own.length === 0 && unchanged) yield* unchanged(write, facts)
      // A try that waited too long for its turn says nothing of an earlier one with its key.
    } else if (status < 500 && !(status === 429 && key !== undefined)) {
      yield verdict(own.length === 0, () => `${name} was refused with ${status} ${code}, and is recorded`)
    } else {
      yield verdict(own.length <= most(write), () => `${name} is recorded ${own.length} times`)
      const isExcused = isDisturbed(write, faults, rule) || cameLate(write, writes)
      const isLost = own.length > 0 && status !== 429 && (hasSecret || !isExcused)
      const excuse = hasSecret ? 'its secret is lost' : 'nothing disturbed it'
      yield verdict(!isLost, () => `${name} is recorded, was answered with ${status} ${code}, and ${excuse}`)
    }
  }
}

const isCreation = ({ type }: LoggedEvent) => type.endsWith('Created')

/** Whether a fault, or what follows it, may have come between. */
export const isDisturbed = (
  { sentMs, answeredMs }: Pick<Write, 'sentMs' | 'answeredMs'>,
  faults: readonly Fault[],
  { isCommand = false }: Pick<Recorded, 'isCommand'> = {},
) =>
  faults.some(
    ({ atMs, endedMs, sparesCommands = false }) =>
      !(isCommand && sparesCommands) && atMs <= answeredMs && endedMs + recoveryMs >= sentMs,
  )

/** A gateway waits so long for the reply of a command. */
const replyWithinMs = 4_500
const nearMs = 10_000
/** Nothing takes that long unless the machine is busy. */
const slowMs = 1_000

const tookMs = ({ sentMs, answeredMs }: Write) => answeredMs - sentMs

/** Whether the machine was so busy that the reply can have come when nobody waited any more: half of what was acknowledged then was slow. */
function cameLate(write: Write, writes: readonly Write[]): boolean {
  if (tookMs(write) < replyWithinMs) return false
  const near = writes.filter(
    ({ status, sentMs, answeredMs }) =>
      isAcknowledged(status) && sentMs <= write.answeredMs + nearMs && answeredMs >= write.sentMs - nearMs,
  )
  return near.filter((one) => tookMs(one) >= slowMs).length * 2 >= Math.max(1, near.length)
}

/** The version that an acknowledged request has made: undefined if it has changed nothing. */
export function madeVersion({ request = '', key, sent }: Write, stream: string, facts: Facts): number | undefined {
  const events = facts.streams.get(stream) ?? []
  const own = events.find((event) =>
    key === undefined ? event.request === request : event.data.html === sent.html && isCreation(event),
  )
  return own && own.revision + 1
}

/** A read shows each change that was acknowledged before, at whichever gateway. */
export function* readsAreFresh(
  { reads, writes }: Evidence,
  facts: Facts,
  { category, operations }: { category: string; operations: readonly string[] },
): Judged {
  const streamOf = ({ subject, body }: Write) => `${category}-${String(body?.id ?? subject)}`
  const acknowledged = Map.groupBy(
    writes.filter(({ operation, status }) => operations.includes(operation) && isAcknowledged(status)),
    streamOf,
  )
  const newestAt = (stream: string, ms: number) =>
    (acknowledged.get(stream) ?? [])
      .filter(({ answeredMs }) => answeredMs < ms)
      .reduce((newest, write) => Math.max(newest, madeVersion(write, stream, facts) ?? 0), 0)
  for (const { stream, gateway, sentMs, status, version = 0 } of reads) {
    if (status === 'cut' || status >= 500 || status === 429 || !stream.startsWith(`${category}-`)) continue
    const known = newestAt(stream, sentMs)
    const events = facts.streams.get(stream) ?? []
    const wasDeleted = known === 0 || events.some((event) => event.revision + 1 >= known && isDeletion(event))
    const shown = events[version - 1]
    const fresh = status === 200 ? version >= known && shown !== undefined && !isDeletion(shown) : wasDeleted
    yield verdict(fresh, () => `${gateway}: a read of ${stream} says ${status} version ${version} after ${known}`)
  }
}

const changes = ({ changed }: LoggedEvent['data']) => !Array.isArray(changed) || changed.includes('html')

const isDeletion = ({ type }: LoggedEvent) => type.endsWith('Deleted')

/** Streams without a gap, and no html that is recorded twice or was sent by nobody. */
export function* changesInOrder(
  { writes }: Evidence,
  { streams }: Facts,
  { category, operations }: { category: string; operations: readonly string[] },
): Judged {
  const changing = writes.filter(({ operation, sent }) => operations.includes(operation) && sent.html)
  // The first try of each.
  const sent = new Map(changing.toReversed().map((one) => [one.sent.html, one]))
  const refused = writes.filter(
    ({ operation, status, key }) => operations.includes(operation) && status === 412 && !key,
  )
  for (const [stream, events] of streams) {
    if (!stream.startsWith(`${category}-`)) continue
    const gapless = events.every(({ revision }, at) => revision === at)
    yield verdict(gapless, () => `${stream} has the revisions ${events.map(({ revision }) => revision)}`)
    // A restore repeats an older html, and a change of something else the one before.
    const own = events.filter(
      ({ data }) => data.html !== undefined && data.restored_from === undefined && changes(data),
    )
    const times = Map.groupBy(own, ({ data }) => String(data.html))
    for (const [html, all] of times)
      yield verdict(all.length === 1, () => `${stream}: “${html}” is recorded ${all.length} times`)
    // A change must not be recorded after one that was sent when its own answer was known.
    let latest: { sentMs: number; html: string } = { sentMs: 0, html: '' }
    for (const { data } of own) {
      const html = String(data.html)
      const write = sent.get(html)
      if (!write) {
        yield `${stream}: “${html}” was sent by nobody`
        continue
      }
      // A request with a key was sent again.
      const early = write.status === 'cut' || write.key !== undefined || write.answeredMs >= latest.sentMs
      yield verdict(early, () => `${stream}: “${html}” (${write.status}) is recorded after “${latest.html}”`)
      if (write.sentMs > latest.sentMs) latest = { sentMs: write.sentMs, html }
    }
  }
  const recorded = new Set([...streams.values()].flat().map(({ data }) => data.html))
  for (const { sent, subject } of refused)
    yield verdict(sent.html === undefined || !recorded.has(sent.html), () => `${subject}: “${sent.html}” was refused`)
}
