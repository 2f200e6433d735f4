import { setTimeout as delay } from 'node:timers/promises'
import { eventSubject } from '@platen/domain/catalogue/messages.ts'
import { generationOfPdf } from '@platen/domain/streams/subjects.ts'
import { readBatches } from './batches/read-batches.ts'
import { check } from './checker.ts'
import { isAcknowledged } from './client.ts'
import { clusterFaults } from './cluster/faults.ts'
import {
  pollAll,
  readCalls,
  readKept,
  readLog,
  readObjects,
  readPublished,
  readStreams,
  readUnacknowledged,
  sweep,
} from './collect.ts'
import { measureCosts } from './costs/measure.ts'
import { pendingDeliveries } from './deliveries/checks.ts'
import { type Evidence, endings, type Fault } from './evidence.ts'
import { inflict, type NamedFault, networkFaults, possibleIn, processFaults } from './nemesis.ts'
import { readNotifierViews } from './notifier-view.ts'
import { seeded } from './seeded.ts'
import { type System, type SystemOptions, startSystem } from './system.ts'
import { Turns } from './turns.ts'
import { noVerbClients, verbClients } from './verbs/clients.ts'
import type { Verdict } from './verdict.ts'
import { readView } from './views.ts'
import { startWorkload, type Workload } from './workload.ts'

export interface HarnessOptions extends SystemOptions {
  seed: number
  /** The least number of generations. More are posted until the faults have ended. */
  generations: number
  /**
   * Faults by name, in this order; those of processes beside those of servers and connections. Default: each possible
   * one, in random order.
   */
  only?: readonly string[]
  /** Multiplies the time of faults that last. Default: 1. */
  patience?: number
  /** Whether verbs of the command line run beside the clients. Default: true. */
  verbs?: boolean
  /** Whether the costs of old aggregates are measured. Default: true. */
  costs?: boolean
  /** Within this time after the faults everything must have ended. */
  settleLimitMs: number
}

/** Each fault is inflicted once for so many generations. */
const generationsPerRound = 1_000

export interface Outcome {
  seed: number
  description: Record<string, string>
  startedAt: string
  durationMs: number
  evidence: Evidence
  verdicts: Verdict[]
}

/** Runs the system under load and faults, and judges what is left. */
export async function runHarness(options: HarnessOptions): Promise<Outcome> {
  const { seed, generations, settleLimitMs, say } = options
  const startedMs = Date.now()
  await using system = await startSystem({ ...options, ownDisk: wantsDisk(options) })
  const workload = await startWorkload(system, seed)
  await using _ = workload.receiver
  await using verbs = options.verbs === false ? noVerbClients : await verbClients(system, workload, seed)
  say(`seed ${seed}: ${Object.values(system.description).join(', ')}`)

  const faults: Fault[] = []
  const turns = new Turns()
  const mayEnd = new AbortController()
  const loaded = workload.run(generations, mayEnd.signal)
  const verbsMayEnd = new AbortController()
  const operated = verbs.run(verbsMayEnd.signal)
  const report = setInterval(() => {
    const ended = workload.posts.filter(({ told }) => told).length
    say(
      `${workload.posts.length} posted, ${ended} ended, ${workload.receiver.received.length} webhooks, ${faults.length} faults`,
    )
  }, 10_000)
  try {
    const beganMs = Date.now()
    await warm(workload)
    faults.push({ name: 'clients and processes begin', atMs: beganMs, endedMs: Date.now(), met: true })
    await Promise.all(
      sequencesOf(options, system).map(async (sequence, at) => {
        const random = seeded(seed).fork(`faults ${at}`)
        const scene = { system, workload, random, patience: options.patience ?? 1, turns }
        const onFault = (fault: Fault) => {
          faults.push(fault)
          const { name, met, note = '', unstarted } = fault
          say(`fault: ${name}${met ? '' : ' (its moment did not come)'} ${note}`)
          if (unstarted !== undefined) say(unstarted)
          for (const { name, failure } of system.engines) if (failure?.()) say(`the ${name} ended: ${failure()}`)
        }
        await inflict(sequence, scene, onFault)
        for (let round = 1; sequence.length > 0 && round * generationsPerRound < generations; round++) {
          while (workload.posts.length < round * generationsPerRound) await delay(200)
          await inflict(random.shuffle(sequence), scene, onFault)
        }
      }),
    )
  } finally {
    mayEnd.abort()
    // Clients may still wait for work that hangs, which is what is judged.
    await loaded.finally(() => clearInterval(report))
    verbsMayEnd.abort()
    await operated
  }
  const healedAtMs = Date.now()
  for (const { name, failure } of system.engines) {
    const printed = failure?.()
    if (printed !== undefined) throw new Error(`the ${name} ended: ${printed}`)
  }
  const settledAfterMs = await settle(system, workload, options)
  say(`settled ${settledAfterMs} ms after the load and the faults`)
  await workload.probe()
  // Counted by the proxies of the processes, which a cluster does not have.
  const costs = options.costs === false || system.cluster ? [] : await measureCosts(workload.client, system)
  await verbs.probe()
  await settle(system, workload, options)
  await verbs.finish(await erasableIn(system))
  const course = { faults, healedAtMs, settledAfterMs, settleLimitMs }
  const evidence = await collect(system, workload, { ...course, costs, verbs: verbs.evidence })
  return {
    seed,
    description: system.description,
    startedAt: new Date(startedMs).toISOString(),
    durationMs: Date.now() - startedMs,
    evidence,
    verdicts: check(evidence),
  }
}

const warmWithinMs = 30_000

/** A busy machine needs seconds until clients of every kind are at work: faults before that would meet few of them. */
async function warm({ client }: Workload): Promise<void> {
  const isAtWork = (operation: string) =>
    client.writes.some((write) => write.operation === operation && isAcknowledged(write.status))
  const operations = ['updateTemplate', 'restoreTemplate', 'updatePartial', 'putAsset', 'redeliverDelivery']
  for (const until = Date.now() + warmWithinMs; !operations.every(isAtWork) && Date.now() < until; ) await delay(50)
}

/** A disk of its own costs time to flush, so only runs with faults of a disk have one. */
function wantsDisk({ only, ownDisk = true }: HarnessOptions): boolean {
  const needing = [...processFaults, ...networkFaults, ...clusterFaults]
    .filter(({ needsDisk }) => needsDisk)
    .map(({ name }) => name)
  return ownDisk && (only === undefined || needing.some((name) => only.includes(name)))
}

function sequencesOf({ only, seed }: HarnessOptions, system: System): NamedFault[][] {
  const random = seeded(seed).fork('order')
  // In a cluster one node is away at a time.
  const kinds = system.cluster ? [clusterFaults] : [processFaults, networkFaults]
  const possible = kinds.map((faults) => possibleIn(system, faults))
  if (only === undefined) return possible.map((faults) => random.shuffle(faults))
  return possible.map((faults) =>
    only.map((name) => faults.find((fault) => fault.name === name)).filter((fault) => fault !== undefined),
  )
}

/**
 * Waits until every generation that was accepted has ended, every webhook is delivered or given up, EVENTS has every
 * event, and each message is acknowledged. Returns null after twice the limit.
 */
export async function settle(
  system: System,
  workload: Pick<Workload, 'posts' | 'batches'>,
  { settleLimitMs: limitMs, say }: Pick<HarnessOptions, 'settleLimitMs' | 'say'>,
): Promise<number | null> {
  const from = Date.now()
  let open: Record<string, number> = {}
  while (Date.now() - from < 2 * limitMs) {
    const log = await readLog(system)
    const ended = new Set(log.filter(({ type }) => endings.includes(type)).map(({ aggregate }) => aggregate))
    const generations = log.filter(({ category, aggregate }) => category === 'generation' && !ended.has(aggregate))
    const unended = workload.posts.filter(({ id }) => id !== undefined && !ended.has(id))
    const closed = new Set(log.filter(({ type }) => type === 'BatchEnded').map(({ aggregate }) => aggregate))
    const batches = new Set([
      ...workload.batches.flatMap(({ ids }) => ids),
      ...log.filter(({ type }) => type === 'BatchCreated').map(({ aggregate }) => aggregate),
    ])
    const webhooks = log.filter(({ type, data }) => {
      return (type === 'GenerationRequested' || type === 'BatchCreated') && data.webhook_url !== undefined
    })
    const scheduled = log.filter(({ type }) => type === 'DeliveryScheduled')
    open = {
      'accepted generations': unended.length,
      'generations in the log': generations.length,
      batches: [...batches].filter((id) => !closed.has(id)).length,
      webhooks: webhooks.length - scheduled.length,
      deliveries: pendingDeliveries(log),
    }
    if (Object.values(open).every((count) => count <= 0)) {
      const aggregates = new Set(log.map(({ aggregate }) => aggregate))
      const published = new Set((await readPublished(system, aggregates)).map(({ id }) => id))
      open = {
        'unpublished events': log.filter(
          ({ id, type, aggregate }) => eventSubject(type, aggregate) && !published.has(id),
        ).length,
        'unacknowledged messages': await readUnacknowledged(system),
      }
      if (Object.values(open).every((count) => count <= 0)) return Date.now() - from
    }
    await delay(500)
  }
  const left = Object.entries(open).map(([what, count]) => `${count} ${what}`)
  say(`open after ${2 * limitMs} ms: ${left.join(', ')}`)
  return null
}

/** Completed generations. First an item of a batch, then those with files of several attempts. */
async function erasableIn(system: System): Promise<string[]> {
  const files = new Map<string, number>()
  const { objects } = await system.stores()
  for await (const { key } of objects.list('pdfs')) {
    const id = generationOfPdf(key) ?? ''
    files.set(id, (files.get(id) ?? 0) + 1)
  }
  const log = await readLog(system)
  const completed = log.filter(({ type }) => type === 'GenerationCompleted')
  const ids = completed.map(({ aggregate }) => aggregate)
  const item = log.find(({ aggregate, data }) => data.batch !== undefined && ids.includes(aggregate))?.aggregate
  return ids.sort(
    (one, other) => Number(other === item) - Number(one === item) || (files.get(other) ?? 0) - (files.get(one) ?? 0),
  )
}

type Course = Pick<Evidence, 'faults' | 'healedAtMs' | 'settledAfterMs' | 'settleLimitMs' | 'costs' | 'verbs'>

type Collected = Pick<Workload, 'posts' | 'batches' | 'client' | 'operations' | 'receiver' | 'verified'>

export async function collect(system: System, workload: Collected, course: Course): Promise<Evidence> {
  const { posts, batches, client, operations } = workload
  const [gateway] = system.gateways
  const secret = (await gateway?.json<{ secret: string }>('/v1/webhook-secret'))?.body.secret ?? ''
  const log = await readLog(system)
  const aggregates = new Set(log.map(({ aggregate }) => aggregate))
  const published = await readPublished(system, aggregates)
  const generations = new Set(log.filter(({ category }) => category === 'generation').map(({ aggregate }) => aggregate))
  for (const { id } of posts) if (id !== undefined) generations.add(id)
  const polled = await pollAll(system.gateways, [...generations])
  const batchReads = await readBatches(system.gateways, batches)
  const objects = await readObjects(system)
  const views = await readNotifierViews(system)
  for (const gateway of system.gateways) views.push(await readView(gateway, false, aggregates))
  const calls = readCalls(workload)
  views.push(await readView(await system.freshGateway(), true, aggregates))
  const streams = await readStreams(system)
  const kept = await readKept(system, log)
  const keptObjects = await sweep(system, course.faults)
  const { answers, writes, reads, lists } = client
  return {
    ...course,
    secret,
    operations,
    posts,
    batches,
    batchReads,
    answers,
    writes,
    reads,
    lists,
    log,
    published,
    objects,
    keptObjects,
    kept,
    polled,
    views,
    calls,
    streams,
  }
}
