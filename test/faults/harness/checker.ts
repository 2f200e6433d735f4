import { publishedEventOf } from '@platen/domain/catalogue/events.ts'
import { eventSubject } from '@platen/domain/catalogue/messages.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { administrationRecorded } from './administration/checks.ts'
import { assetsAreStored, assetsRecorded, noAssetOrphans } from './assets/checks.ts'
import * as batches from './batches/checks.ts'
import { outagesEndWithTheElection } from './cluster/checks.ts'
import { costsDoNotGrow } from './costs/checks.ts'
import { attemptsAreMadeOnce, redeliveriesSent, webhooksReceived } from './deliveries/checks.ts'
import type { Evidence, LoggedEvent } from './evidence.ts'
import * as generations from './generations/checks.ts'
import { listsAreWhole } from './generations/lists.ts'
import { everyOperationDriven } from './operations.ts'
import { partialReadsAreFresh, partialsRecorded } from './partials/checks.ts'
import { previewsAreRepeated, previewsRecordNothing } from './previews/checks.ts'
import { slugsAreUnique, templateReadsAreFresh, templatesRecorded } from './templates/checks.ts'
import { verbsKeepTheirWord } from './verbs/checks.ts'
import { type Check, factsOf, type Verdict, verdict } from './verdict.ts'
import { viewsEqualReplay } from './views.ts'
import { testsRecordNothing } from './webhook-tests/checks.ts'

/** The invariants of docs/understand/guarantees.md. Each is judged from what was recorded outside the product. */
const invariants: Record<string, { title: string; checks: readonly Check[] }> = {
  I1: {
    title: 'every accepted generation and batch ends, and none fails for a fault',
    checks: [generations.everyOneEnds, batches.everyBatchEnds],
  },
  I2: {
    title: 'a generation and a batch have exactly one end',
    checks: [generations.oneEnd, batches.batchEndsOnce],
  },
  I3: {
    title: 'GET, lists and reads of templates and partials say what the log says',
    checks: [
      ...[generations.generationAnswersMatchLog, listsAreWhole, templateReadsAreFresh, partialReadsAreFresh],
      ...[batches.batchAnswersMatchLog, batches.itemsHaveOneVersion],
    ],
  },
  I4: {
    title:
      'a completed generation and an asset have their file: size, hash, pages and text; a kept input is what was printed',
    checks: [generations.filesMatchLog, generations.keptInputsAreRead, batches.batchFilesAreWhole, assetsAreStored],
  },
  I5: {
    title: 'no generation that nobody posted, one for an Idempotency-Key, and none of a preview or a test',
    checks: [generations.nothingInvented, batches.noBatchInvented, previewsRecordNothing, testsRecordNothing],
  },
  I6: {
    title: 'each webhook and redelivery was received, with one id, the same bytes and a valid signature',
    checks: [webhooksReceived, redeliveriesSent, attemptsAreMadeOnce],
  },
  I7: {
    title: 'an acknowledged change is recorded once, as it was answered; a refused one is not',
    checks: [
      ...[templatesRecorded, partialsRecorded, assetsRecorded, administrationRecorded],
      batches.cancelsOfBatchesRecorded,
    ],
  },
  I8: {
    title:
      'no file without an event stays longer than an hour, no input longer than its retention, and no other is removed',
    checks: [generations.noFileOrphans, noAssetOrphans, batches.itemsAreKept],
  },
  I9: { title: 'a view is equal to one that is built from the start of the log', checks: [viewsEqualReplay] },
  I10: {
    title: 'no 5xx but 503 and 504, none after recovery, and no unexpected refusal',
    checks: [expectedStatuses, previewsAreRepeated],
  },
  I11: { title: 'a slug has one template, and an active template its slug', checks: [slugsAreUnique] },
  C: {
    title: 'a cluster that loses a node is done without it as soon as it has elected',
    checks: [outagesEndWithTheElection],
  },
  V: { title: 'archives, backups, replays and erasures are what their verbs have said', checks: [verbsKeepTheirWord] },
  S: { title: 'each process that is killed, stopped or suspended starts and goes on', checks: [processesStart] },
  E: { title: 'EVENTS has each event of the log, unchanged and in order', checks: [publishedInOrder] },
  L: {
    title: 'each stream and bucket keeps a limit, and no request costs what others have stored before',
    checks: [streamsAreBounded, costsDoNotGrow],
  },
  W: { title: 'each operation that writes was accepted at least once', checks: [everyOperationDriven] },
}

/** `true` counts a fact that was compared, a text is a violation. */
export function check(evidence: Evidence): Verdict[] {
  const facts = factsOf(evidence)
  return Object.entries(invariants).map(([invariant, { title, checks }]) => {
    const all = checks.flatMap((one) => [...one(evidence, facts)])
    return { invariant, title, checked: all.length, violations: all.filter((one) => one !== true) }
  })
}

function* expectedStatuses({ answers }: Evidence) {
  for (const { request, gateway, status, phase, expected, code, atMs } of answers) {
    // Changes of a key are queued behind each other, and behind an outage.
    const waited = code === 'CONCURRENCY_LIMIT_EXCEEDED' && phase === 'during'
    const away = status === 503 || status === 504 || status === 'cut' || waited
    const right = phase === 'during' ? away || expected.includes(status) : !away && expected.includes(status)
    const when = `${new Date(atMs).toISOString()} ${phase === 'after' ? 'after recovery' : 'during the faults'}`
    yield verdict(right, () => `${gateway}: ${request} was answered with ${status} ${code ?? ''} (${when})`)
  }
}

function* processesStart({ faults }: Evidence) {
  for (const { name, unstarted, atMs } of faults)
    yield verdict(unstarted === undefined, () => `${new Date(atMs).toISOString()} ${name}: ${unstarted}`)
}

/** Callers fill them, so that a limit of age is not enough. */
const ofCallers = ['EVENTS', 'KV_IDEMPOTENCY', 'KV_INPUT_KEYS']
/** Without a limit of their own: the most messages when all work has ended. What they have is that of the processes. */
const fewMessages: Record<string, number> = { COMMANDS: 0, KV_CHECKPOINTS: 100, KV_LEASES: 100 }

function* streamsAreBounded({ streams }: Evidence) {
  for (const { name, messages, bytes, maxBytes, maxAgeS } of streams) {
    const most = fewMessages[name]
    if (most === undefined) yield verdict(maxBytes > 0 || maxAgeS > 0, () => `${name} has no limit`)
    else yield verdict(messages <= most, () => `${name} has ${messages} messages, and needs ${most} at most`)
    if (ofCallers.includes(name)) yield verdict(maxBytes > 0, () => `${name} can be filled by one caller`)
    if (maxBytes > 0) yield verdict(bytes <= maxBytes, () => `${name} has ${bytes} bytes, its limit is ${maxBytes}`)
  }
}

const openings = ['GenerationRequested', 'BatchCreated']

/** What subscribers get of an event in the log. */
function publicData({ type, aggregate: id, data }: LoggedEvent, request: unknown): unknown {
  // This release has recorded the log.
  const published = publishedEventOf(type)?.published
  return published?.toPublic(data as Json, { id, opening: (request ?? published.opening?.lost ?? null) as Json })
}

function* publishedInOrder({ published, log }: Evidence) {
  const logged = new Map(log.map((event) => [event.id, event]))
  const requests = new Map(
    log.flatMap(({ type, aggregate, data }) => (openings.includes(type) ? [[aggregate, data]] : [])),
  )
  const seen = new Set<string>()
  const last = new Map<string, number>()
  for (const { id, aggregate, revision, type, subject, data, seq } of published) {
    const event = logged.get(id)
    if (!event) {
      yield `message ${seq}, ${type} of ${aggregate}, is not in the log`
      continue
    }
    const same =
      event.type === type &&
      event.revision === revision &&
      event.aggregate === aggregate &&
      subject === eventSubject(type, aggregate) &&
      JSON.stringify(publicData(event, requests.get(aggregate))) === JSON.stringify(data)
    yield verdict(same, () => `message ${seq} differs from the event ${id} of ${aggregate}`)
    if (seen.has(id)) continue
    seen.add(id)
    // The labels of a template are a stream of their own, with its id.
    const stream = `${event.category}-${aggregate}`
    const before = last.get(stream) ?? -1
    yield verdict(revision > before, () => `message ${seq}: revision ${revision} of ${stream} after ${before}`)
    last.set(stream, revision)
  }
  for (const { id, type, aggregate } of log) {
    if (eventSubject(type, aggregate) === undefined) continue
    yield verdict(seen.has(id), () => `${type} of ${aggregate} was not published`)
  }
}
