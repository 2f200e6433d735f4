import { documentMs, type FittedCost, shareOf } from './costs.ts'
import { type Part, type ScaleRow, s3Requests } from './result.ts'

/** Of each core and each flush queue, what is planned with. The rest is for peaks, as a queue grows without end near 100 %. */
export const useful = 0.6

/** A renderer has four slots, as in the measurement. */
const slotsPerRenderer = 4
/** A slot under load, and EventStoreDB 23.10 with 32 appends at once: docs/reference/capacity.md, docs/understand/what-was-run/eventstoredb.md. */
export const slotMb = 130
export const appendsPerS = 2_679
/** An event in SQLite: docs/reference/capacity.md. */
export const eventBytes = 540
/** For availability: docs/operate/sizing.md. */
const least = 2
const natsServers = 3

export interface SizingInputs {
  costs: Record<Part, FittedCost>
  /** A paced run, for what a document counts: messages, appends, requests. */
  row: ScaleRow
  pdfBytes: number
  /** Messages a second into one stream, each flushed. */
  streamPerS: number
  /** Processor time of Chromium a document. */
  chromiumMs: number
}

export interface DeploymentSize {
  perSecond: number
  gateways: number
  renderers: number
  relays: number
  notifiers: number
  /** Cores in use at this rate, and what is to be given: in use over `useful`. */
  coresUsed: Record<'gateways' | 'renderers' | 'relays' | 'others' | 'nats', number>
  coresGiven: number
  memoryGb: number
  /** Of each of three nats-servers. */
  flushesPerS: number
  eventGbPerDay: number
  appendsPerS: number
  eventStoreGbPerDay: number
  s3PerS: number
  pdfGbPerDay: number
  /** Processor time of a million documents, in hours: all parts but EventStoreDB and S3. */
  cpuHoursPerMillion: number
}

/** A rate at which something is full that more processes do not help. */
export interface Limit {
  what: string
  perSecond: number
}

/** Where what each process pays leaves less room for peaks, however many there are. */
const lessRoom = 0.75
const withoutRoom = 0.9

/**
 * The fewest processes of which each uses at most `useful` of a core. Where that takes more than twice as many as with `withoutRoom`,
 * and one more, more processes hardly help: then it is `lessRoom`, or else `withoutRoom`. NaN if no number is enough.
 */
function countFor(cost: FittedCost, perSecond: number, from: number): number {
  const fewest = (most: number) => {
    for (let count = from; count < 1_000; count++) if (shareOf(cost, count, perSecond) <= most) return count
    return Number.NaN
  }
  const least = fewest(withoutRoom)
  return [fewest(useful), fewest(lessRoom)].find((count) => count <= 2 * least + 1) ?? least
}

export function sizeDeployment(perSecond: number, inputs: SizingInputs): DeploymentSize {
  const { costs, row, pdfBytes, chromiumMs } = inputs
  const [gateways, notifiers] = [costs.gateway, costs.notifier].map((cost) => countFor(cost, perSecond, least)) as [
    number,
    number,
  ]
  const relays = countFor(costs.relay, perSecond, 1)
  const rendererCores = (count: number) =>
    (perSecond * (documentMs(costs.renderer, count) + chromiumMs) + count * costs.renderer.restMs) / 1_000
  let renderers = least
  while (rendererCores(renderers) / useful > renderers * slotsPerRenderer) renderers += 1
  const cores = (cost: FittedCost, count: number) => count * shareOf(cost, count, perSecond)
  const coresUsed = {
    gateways: cores(costs.gateway, gateways),
    renderers: rendererCores(renderers),
    relays: cores(costs.relay, relays),
    others: cores(costs.notifier, notifiers) + least * shareOf(costs['template service'], least, perSecond),
    // Each server of a cluster writes what one server writes here.
    nats: natsServers * shareOf({ ...costs['nats-server'], eachMs: 0 }, 1, perSecond),
  }
  const all = Object.values(coresUsed).reduce((sum, one) => sum + one, 0)
  const memoryMb =
    gateways * costs.gateway.pssMb +
    renderers * (costs.renderer.pssMb + slotsPerRenderer * slotMb) +
    notifiers * costs.notifier.pssMb +
    least * costs['template service'].pssMb +
    natsServers * costs['nats-server'].pssMb
  const { appends = Number.NaN, stored } = row
  const gbPerDay = (bytes: number) => (perSecond * 86_400 * bytes) / 1e9
  return {
    perSecond,
    gateways,
    renderers,
    relays,
    notifiers,
    coresUsed,
    coresGiven: all / useful,
    memoryGb: memoryMb / 1_024,
    flushesPerS: perSecond * costs['nats-server'].flushes,
    eventGbPerDay: gbPerDay(stored?.eventBytes ?? Number.NaN),
    appendsPerS: perSecond * appends,
    eventStoreGbPerDay: gbPerDay((stored?.events ?? Number.NaN) * eventBytes),
    s3PerS: perSecond * (s3Requests(row) ?? 0),
    pdfGbPerDay: gbPerDay(pdfBytes),
    cpuHoursPerMillion: ((all / perSecond) * 1e6) / 3_600,
  }
}

/** What more processes do not help, the lowest rate first. Each is full at `useful`. */
export function limitsOf({ costs, row, streamPerS }: SizingInputs): Limit[] {
  const { stored, appends = Number.NaN } = row
  const each = ({ eachMs }: FittedCost) => (eachMs === 0 ? Number.POSITIVE_INFINITY : (1_000 * useful) / eachMs)
  return [
    { what: 'one relay', perSecond: (1_000 * useful) / documentMs(costs.relay, 1) },
    { what: 'flushes of EVENTS', perSecond: (streamPerS * useful) / (stored?.events ?? Number.NaN) },
    { what: 'flushes of COMMANDS', perSecond: (streamPerS * useful) / (stored?.commands ?? Number.NaN) },
    { what: 'appends of EventStoreDB', perSecond: (appendsPerS * useful) / appends },
    { what: 'the reading of each partition of a relay', perSecond: each(costs.relay) },
    { what: 'the fold of a gateway', perSecond: each(costs.gateway) },
    { what: 'the fold of a notifier', perSecond: each(costs.notifier) },
  ].toSorted((one, other) => one.perSecond - other.perSecond)
}
