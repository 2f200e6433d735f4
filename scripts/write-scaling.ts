import { scaleChart } from '../bench/report/scale-chart.ts'
import rendering from '../bench/results/rendering.json' with { type: 'json' }
import measured from '../bench/results/scale.json' with { type: 'json' }
import { bottleneckOf } from '../bench/scale/bottleneck.ts'
import { documentMs, fitCosts, rowsOf, scaled } from '../bench/scale/costs.ts'
import { predictRates } from '../bench/scale/predict.ts'
import { type Part, type ScaleResult, type ScaleRow, s3Requests } from '../bench/scale/result.ts'
import {
  type DeploymentSize,
  type Limit,
  limitsOf,
  type SizingInputs,
  sizeDeployment,
} from '../bench/scale/size-deployment.ts'

// The tables of docs/scaling.md, docs/understand/scaling.md and scaling-costs.md beside it, computed from the files that `bench/scale.ts` and
// `npm run bench` write, so that neither a measurement nor a formula changes without them.

const result = measured as ScaleResult
const rates = [10, 100, 1_000]

/** The bare browser with the invoice, from the committed run of `npm run bench`: what the stand-in leaves out. */
const bare = rendering.rows
  .filter(({ document, strategy }) => document === 'invoice' && strategy === 'b')
  .reduce((best, row) => (row.rate > best.rate ? row : best))

const [paced] = rowsOf(result, { deployment: scaled, workload: 'sync', pace: 'paced', size: 1 })
const [webhook] = rowsOf(result, { deployment: scaled, workload: 'webhook' })
const { engines, flushMs, machine, pdfBytes, streamPerS } = result

/** A fold needs several sizes to be told from what is shared. */
const dense = rowsOf(result, { deployment: scaled, workload: 'sync', pace: 'saturated' }).length > 1

const inputs: SizingInputs = {
  costs: fitCosts(result, dense ? 'saturated' : 'paced'),
  row: paced as ScaleRow,
  pdfBytes,
  // Requests that the gateway has stored in COMMANDS are messages of one stream, too. A busy machine stores fewer.
  streamPerS: Math.max(streamPerS, rendering.backlog.enqueuedPerS),
  chromiumMs: bare.cpuMs,
}

const short = (value: number): string => {
  if (!Number.isFinite(value)) return '–'
  const digits = value < 1 ? 2 : value < 10 ? 1 : 0
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}
const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
const table = (header: readonly string[], rows: readonly (readonly string[])[]) =>
  `${lineOf(header)}|${'---|'.repeat(header.length)}\n${rows.map(lineOf).join('')}`

/** Above this share of other programs the rates of a run say how busy the machine was. */
const busy = 0.3
const others = Math.max(...result.rows.map(({ usedByOthers }) => usedByOthers))
const isBusy = others > busy
const ofBusyMachine =
  '**The measurement was made on a busy machine.** Its rates are what the other programs left, and show no scaling; the costs are upper bounds, as\n' +
  'processes that wait for a core find their caches cold. Repeat it on a quiet machine before you rely on them.'

/** A few documents a second cost what they cost in the paced runs, many what they cost in the saturated ones. */
const pacedInputs: SizingInputs = { ...inputs, costs: fitCosts(result) }
const fewPerS = 20

/** The curve, in the folder of pictures that the site has. */
export const scalingPicture = (): string => scaleChart(result)

/** Processes, cores, memory, disks and requests at each rate. */
export function sizesTable(): string {
  const sizes = rates.map((rate) => sizeDeployment(rate, rate <= fewPerS ? pacedInputs : inputs))
  const line = (what: string, of: (size: DeploymentSize) => string) => [what, ...sizes.map(of)]
  const cores = (what: string, part: keyof DeploymentSize['coresUsed']) =>
    line(what, ({ coresUsed }) => short(coresUsed[part]))
  const rows = [
    line('gateways, notifiers, template services', ({ gateways, notifiers }) =>
      [gateways, notifiers, 2].map((count) => (Number.isNaN(count) ? '–' : count)).join(', '),
    ),
    line('renderers of 4 slots', ({ renderers }) => String(renderers)),
    line('relays; more than one are partitions', ({ relays }) => String(relays)),
    cores('cores in use: renderers with Chromium', 'renderers'),
    cores('relays, which are in renderers', 'relays'),
    cores('gateways', 'gateways'),
    cores('notifiers and template services', 'others'),
    cores('three NATS servers', 'nats'),
    line('**cores to give**, of which 60 % are in use', ({ coresGiven }) => `**${short(Math.ceil(coresGiven))}**`),
    line('memory of these, GB', ({ memoryGb }) => short(memoryGb)),
    line('NATS: flushes a second on each disk', ({ flushesPerS }) => short(flushesPerS)),
    line('NATS: GB a day in EVENTS, on each disk', ({ eventGbPerDay }) => short(eventGbPerDay)),
    line('EventStoreDB: appends a second', ({ appendsPerS }) => short(appendsPerS)),
    line('EventStoreDB: GB of events a day', ({ eventStoreGbPerDay }) => short(eventStoreGbPerDay)),
    line('S3: requests a second, without downloads', ({ s3PerS }) => short(s3PerS)),
    line(`S3: GB a day, with PDFs of ${short(pdfBytes / 1_000)} KB`, ({ pdfGbPerDay }) => short(pdfGbPerDay)),
    line('full next, at documents a second', fullNext),
    line('CPU hours per million documents', ({ cpuHoursPerMillion }) => short(cpuHoursPerMillion)),
  ]
  const note = isBusy ? `${ofBusyMachine}\n\n` : ''
  return `\n${note}${table(['documents a second', ...rates.map(short)], rows)}\n`
}

/** What more processes do not help: the first thing that is full above this rate, or the first two that are full below it. */
function fullNext({ perSecond }: DeploymentSize): string {
  const limits = limitsOf(inputs)
  const shown = (limit: Limit) => `${limit.what} (${short(limit.perSecond)})`
  const full = limits.filter((limit) => limit.perSecond < perSecond)
  if (full.length > 0) return `**above** ${full.slice(0, 2).map(shown).join(', ')}`
  const [next] = limits
  return next ? shown(next) : '–'
}

/** What is full at which rate, however many processes there are. */
export function limitsTable(): string {
  const rows = limitsOf(inputs)
    .filter(({ perSecond }) => Number.isFinite(perSecond))
    .map(({ what, perSecond }) => [what, short(perSecond)])
  return `\n${table(['what is full next', 'at documents a second'], rows)}\n`
}

/** The measured rates beside those that the costs predict. */
export function curveTable(): string {
  const rows = predictRates(result).map(({ row, rate }) => [
    String(row.size),
    String(row.partitions),
    row.pace,
    short(row.rate),
    short(rate),
    bottleneckOf(row, machine.cores),
  ])
  const header = ['units', 'partitions', 'pace', 'documents a second', 'computed', 'full']
  return `\n${about()}\n\n${table(header, rows)}\n`
}

function about(): string {
  return (
    `Measured on ${machine.startedAt.slice(0, 10)}: ${machine.cores} × ${machine.cpu}, Node ${machine.node.slice(1)}; ` +
    `event store: ${engines.eventStore}; object store: ${engines.objectStore}.\n` +
    `Other programs used up to ${Math.round(others * 100)} % of the processor. A flush took ${short(flushMs)} ms, and one stream of ` +
    `nats-server stored ${short(streamPerS)}\nflushed messages a second.${isBusy ? `\n\n${ofBusyMachine}` : ''}`
  )
}

/** Processor time of a document by part. */
export function costsTable(): string {
  const one = rowsOf(result, { deployment: 'one process, SQLite', pace: 'paced' })[0]
  const ofWebhook = (part: Part) => short(webhook?.parts[part]?.cpuMs ?? Number.NaN)
  const rows = Object.entries(pacedInputs.costs)
    .filter(([part]) => !['client', 'stand-in', 'event store', 'object store'].includes(part))
    .map(([part, paced]) => {
      const saturated = inputs.costs[part as Part]
      const costs = dense ? [paced, saturated] : [paced]
      const ms = costs.flatMap(({ sharedMs, eachMs }) => [sharedMs, eachMs]).map(short)
      return [part, ...ms, ofWebhook(part as Part), short(paced.restMs), short(saturated.pssMb)]
    })
  const header = [
    'CPU ms a document',
    ...['paced: shared', 'each'],
    ...(dense ? ['saturated: shared', 'each'] : []),
    'with a webhook',
    'at rest, ms/s',
    'MB each',
  ]
  const whole = one?.parts.Platen
  const ofFakes = (['event store', 'object store', 'stand-in'] as const).map((part) =>
    short(documentMs(pacedInputs.costs[part], 1)),
  )
  const fakes = `The fakes of EventStoreDB and S3 took ${ofFakes[0]} and ${ofFakes[1]} ms with one unit, and the stand-in ${ofFakes[2]} ms: they are in no size.\n`
  const oneProcess = whole
    ? `All services in one process with SQLite took ${short(whole.cpuMs)} ms, and its nats-server ${short(one.parts['nats-server']?.cpuMs ?? Number.NaN)} ms.\n`
    : ''
  return `\n${table(header, rows)}\n${fakes}${oneProcess}Chromium, which the stand-in replaces, takes ${short(bare.cpuMs)} ms for this invoice (\`npm run bench\`, strategy (b)).\n\n`
}

/** What a document counts. */
export function countsTable(): string {
  const line = (what: string, of: (row: ScaleRow) => number | undefined) => [
    what,
    ...[paced, webhook].map((row) => short((row && of(row)) ?? Number.NaN)),
  ]
  const flushes = (part: Part) => (row: ScaleRow) => row.parts[part]?.flushes
  const rows = [
    line('messages that nats-server receives and sends', ({ messages }) => messages),
    line('bytes of these', ({ messageBytes }) => messageBytes),
    line('messages stored in COMMANDS', ({ stored }) => stored?.commands),
    line('messages stored in EVENTS', ({ stored }) => stored?.events),
    line('bytes stored in EVENTS', ({ stored }) => stored?.eventBytes),
    line('flushes of nats-server', flushes('nats-server')),
    line('appends to the event store', ({ appends }) => appends),
    line('requests to S3', s3Requests),
  ]
  return `\n${table(['a document', 'synchronous', 'with a webhook'], rows)}\n`
}
