import { isAcknowledged } from '../client.ts'
import { type Outcome, outcomeOfGeneration, statuses } from '../generations/outcome.ts'
import { isDisturbed, type Recorded, recordedAsAnswered } from '../recorded.ts'
import { type Check, inStream, verdict } from '../verdict.ts'

const category = 'delivery'
const type = 'DeliveryRescheduled'
const most = () => Number.MAX_SAFE_INTEGER

const again: Recorded = { category, types: [type], hasConsequences: true, isCommand: true }

const rules: Record<string, Recorded> = {
  redeliverDelivery: again,
  redeliverGeneration: again,
  redeliverRange: { ...again, least: () => 0, most },
}

export const webhooksReceived: Check = function* ({ posts, batches, calls, log }, { generations, streams }) {
  const byPath = Map.groupBy(calls, ({ path }) => path)
  const deliveries = Map.groupBy(
    log.filter(({ type }) => type === 'DeliveryScheduled'),
    ({ data }) => String(data.generation_id ?? data.batch_id),
  )
  const ofGenerations = posts.map(({ id, webhookUrl }) => {
    const end: Outcome | undefined = outcomeOfGeneration(generations.get(id ?? ''))
    return { id, webhookUrl, wanted: end && `generation.${statuses[end.type]}` }
  })
  const ofBatches = batches.map(({ ids: [id], webhookUrl }) => {
    const end = streams.get(`batch-${id}`)?.find(({ type }) => type === 'BatchEnded')
    return { id, webhookUrl, wanted: end && `batch.${end.data.status}` }
  })
  for (const { id, webhookUrl, wanted } of [...ofGenerations, ...ofBatches]) {
    if (!id || !webhookUrl || !wanted) continue
    const got = byPath.get(new URL(webhookUrl).pathname) ?? []
    byPath.delete(new URL(webhookUrl).pathname)
    yield verdict(got.length > 0, () => `${id}: its webhook was not received`)
    const ids = new Set(got.map((call) => call.id))
    yield verdict(ids.size <= 1, () => `${id}: ${got.length} calls have ${ids.size} ids`)
    const bodies = new Set(got.map(({ sha256 }) => sha256))
    yield verdict(bodies.size <= 1, () => `${id}: its webhook has ${bodies.size} different bodies`)
    yield verdict(
      got.every(({ verified }) => verified),
      () => `${id}: a signature of its webhook is not valid`,
    )
    const right = got.every(({ type, generation }) => type === wanted && generation === id)
    yield verdict(right, () => `${id}: its webhook says ${got[0]?.type} of ${got[0]?.generation}, not ${wanted}`)
    const scheduled = deliveries.get(id) ?? []
    yield verdict(scheduled.length === 1, () => `${id}: ${scheduled.length} deliveries are recorded`)
  }
  const known = new Set([...posts, ...batches].map(({ webhookUrl }) => webhookUrl && new URL(webhookUrl).pathname))
  for (const path of byPath.keys())
    yield verdict(known.has(path), () => `a webhook came to ${path}, which nobody asked for`)
}

/** A busy machine may lose a claim. */
const mostRepeated = 0.05

/** Another call than those whose outcome is recorded needs a reason: a fault, or a redelivery that has replaced an attempt. */
export const attemptsAreMadeOnce: Check = function* ({ calls, log, faults }) {
  const made = new Map<string, number>()
  for (const { category: of, aggregate, type: what } of log) {
    const isCall = what === 'DeliveryAttempted' || what === 'DeliverySucceeded' || what === type
    if (of === category && isCall) made.set(aggregate, (made.get(aggregate) ?? 0) + 1)
  }
  let repeated = 0
  let undisturbed = 0
  for (const [id, all] of Map.groupBy(calls, (call) => call.id)) {
    const [firstMs, lastMs] = [Math.min(...all.map(({ atMs }) => atMs)), Math.max(...all.map(({ atMs }) => atMs))]
    if (isDisturbed({ sentMs: firstMs, answeredMs: lastMs }, faults)) continue
    undisturbed += all.length
    repeated += Math.max(0, all.length - (made.get(id) ?? 0))
  }
  const right = repeated <= Math.max(1, mostRepeated * undisturbed)
  yield verdict(right, () => `${repeated} of ${undisturbed} calls were repeated, and nothing disturbed them`)
}

/** An acknowledged redelivery is recorded, counted and sent, whatever the outcome of the earlier attempt. */
export const redeliveriesSent: Check = function* (evidence, facts) {
  yield* recordedAsAnswered(evidence, facts, rules)
  const { writes, posts, calls } = evidence
  const paths = new Map(posts.map(({ id, webhookUrl }) => [id, webhookUrl && new URL(webhookUrl).pathname]))
  const byPath = Map.groupBy(calls, ({ path }) => path)
  for (const { operation, subject, status, sentMs, request = '', body } of writes) {
    if (!isAcknowledged(status) || !(operation in rules)) continue
    const recorded = (facts.requests.get(request) ?? []).filter((event) => event.type === type)
    if (operation === 'redeliverRange') {
      const said = body?.redelivered
      yield verdict(
        said === recorded.length,
        () => `${request}: ${said} redeliveries were answered, ${recorded.length} are recorded`,
      )
      continue
    }
    const got = byPath.get(paths.get(subject) ?? '') ?? []
    const sent = got.some(({ atMs }) => atMs >= sentMs)
    yield verdict(sent, () => `${subject}: its redelivery (${request}) was acknowledged, and no call came after it`)
    const [{ aggregate = '' } = {}] = recorded
    // Each receiver is well by then.
    const last = inStream(facts, `${category}-${aggregate}`).at(-1)
    yield verdict(last?.type === 'DeliverySucceeded', () => `${aggregate}: ${last?.type} is the end of its redelivery`)
  }
}

/** Streams of deliveries that are pending; work that is open. */
export function pendingDeliveries(log: readonly { category: string; aggregate: string; type: string }[]): number {
  const last = new Map<string, string>()
  for (const { category: of, aggregate, type } of log) {
    if (of === category) last.set(aggregate, type)
  }
  return [...last.values()].filter((type) => type !== 'DeliverySucceeded' && type !== 'DeliveryExhausted').length
}
