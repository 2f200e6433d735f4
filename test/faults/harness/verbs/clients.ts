import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { seeded } from '../seeded.ts'
import type { System } from '../system.ts'
import type { Workload } from '../workload.ts'
import { archiveBeside } from './archive-beside.ts'
import { retryDeadLetter } from './dead-letters.ts'
import { readItemLetters, retryItemLetter } from './item-letters.ts'
import { restoreAndRead } from './restored.ts'
import { type KillWhen, type RanVerb, runVerb } from './run-verb.ts'
import { noVerbs, type VerbEvidence } from './verb-evidence.ts'

export interface VerbClients extends AsyncDisposable {
  evidence: VerbEvidence
  /** Runs verbs beside the load, two at once, and kills some, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
  /** Runs those that change something when the faults are over. */
  probe(): Promise<void>
  /** Runs the others when all work has ended, and reads what they have made. `erasable`: completed generations. */
  finish(erasable: readonly string[]): Promise<void>
}

export const noVerbClients: VerbClients = {
  evidence: noVerbs,
  run: async () => {},
  probe: async () => {},
  finish: async () => {},
  async [Symbol.asyncDispose]() {},
}

/** Small, so that a run has several segments, and the last one grows. */
const segmentEvents = '500'
const interruptions = 3
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')
/** The time until the log has gone on by more than a small segment. */
const laterMs = 2_000
/** Webhooks that were scheduled in this time are sent again. */
const redeliveredMs = 20_000
/** Every gateway knows a key at once that was issued, and within a second that it was revoked. */
const revokedWithinMs = 3_000

/** An operator who uses the command line while Platen works. */
export async function verbClients(system: System, workload: Workload, seed: number): Promise<VerbClients> {
  const { client, known, once, posts } = workload
  const random = seeded(seed).fork('verbs')
  const folder = await mkdtemp(join(tmpdir(), 'platen-verbs-'))
  const evidence: VerbEvidence = structuredClone(noVerbs)
  const { verbEnv: env, objectFolder } = system
  /** Platen backs up only SQLite and a folder. */
  const canBackUp = objectFolder !== undefined
  const verb = async (args: string[], options?: KillWhen): Promise<RanVerb> => {
    const ran = await runVerb(await env(), args, options)
    return ran
  }
  const judgedAs = async (expected: string, ...args: string[]) => {
    const ran = await verb(args)
    evidence.runs.push({
      verb: args.slice(0, 2).join(' '),
      ended: ran.ended,
      expected,
      printed: ran.stderr.slice(-300),
    })
    return ran
  }
  const judged = (...args: string[]) => judgedAs('0', ...args)
  const archive = ['archive', '--segment-events', segmentEvents]
  const soon = () => ({ killAfterMs: random.between(300, 2_500) })

  const restore = async (from: string, interrupted: boolean) => {
    const to = join(folder, `restored-${evidence.restored.length}`)
    evidence.restored.push(await restoreAndRead({ from, to, interrupted, runs: evidence.runs }))
  }
  const archiveTwice = async () => {
    // A process that has files open would not let the disk of its own be unmounted.
    if (system.disk === undefined) await archiveBeside(await system.stores(), () => delay(laterMs))
  }

  const retry = async (template: string | undefined, run: (...args: string[]) => Promise<RanVerb>) => {
    evidence.retried.push(await retryDeadLetter(system, client, { template, verb: run }))
  }

  /** Redelivers webhooks of one owner, of all, and of an unknown one. */
  const redeliver = async () => {
    const since = ['--since', new Date(Date.now() - redeliveredMs).toISOString(), '--status', 'succeeded']
    await judgedAs('2', 'deliveries', 'redeliver', ...since)
    const created = await judged('owners', 'create', '--name', `Owner without webhooks ${seed}`, '--json')
    const owners = [['--owner', defaultOwnerId], ['--owner', idIn(created)], ['--all-owners']]
    for (const [option = '', owner] of owners) {
      const args = [option, ...(owner === undefined ? [] : [owner])]
      const { stdout } = await judged('deliveries', 'redeliver', ...since, ...args, '--json')
      const ids = linesOf(stdout).map((line) => JSON.parse(line).id)
      evidence.redelivered.push({ ids, ...(owner !== undefined && { owner }) })
    }
  }

  const cancel = async (run: (...args: string[]) => Promise<RanVerb>) => {
    const id = await once().post()
    const post = posts.find((one) => one.id === id)
    if (id === undefined || post === undefined) return
    post.cancelled = true
    const { stdout } = await run('generations', 'cancel', id, '--json')
    for (const line of linesOf(stdout)) {
      const { cancelled, ended_as: endedAs } = JSON.parse(line)
      evidence.cancelled.push({ id, cancelled, endedAs })
    }
  }

  const use = async (key: string, expected: number[]) => {
    const headers = { authorization: `Bearer ${key}` }
    for (const at of client.gateways)
      await client.send(at, { operation: 'listTemplates', path: '/v1/templates?limit=1', expected, headers })
  }
  /** Each secret is used at every gateway. */
  const manageKeys = async () => {
    const secretOf = ({ stdout }: RanVerb): string => JSON.parse(stdout || '{}').key
    const issued = await judged('keys', 'issue', '--name', `Issued ${seed}`, '--json')
    await use(secretOf(issued), [200])
    const rotated = await judged('keys', 'rotate', idIn(issued), '--json')
    await use(secretOf(rotated), [200])
    await delay(revokedWithinMs)
    await use(secretOf(issued), [401])
    await judged('keys', 'revoke', idIn(issued))
    await delay(revokedWithinMs)
    await use(secretOf(rotated), [401])
  }

  const kept = join(folder, 'backup')
  /** Somewhere between its first file and its last. */
  const inTheMiddle = () => ({ killAfterFiles: { folder: kept, files: random.between(1, 60) } })

  const archiveAndRead = async () => {
    await judged(...archive)
    const read = await judged('archive', 'read')
    evidence.archived = linesOf(read.stdout).map((line) => {
      const { stream, revision } = JSON.parse(line)
      return `${stream}@${revision}`
    })
  }
  const backUpAndRestore = async () => {
    for (let times = 0; times < interruptions; times++) {
      await verb(['backup', kept], inTheMiddle())
      await restore(kept, true)
    }
    await judged('backup', kept)
    await restore(kept, false)
  }
  const replay = async () => {
    const category = 'template'
    const { ended, stdout } = await judged('replay', '--category', category, '--json')
    if (ended !== '0') return
    const { stream, subject, events } = JSON.parse(stdout)
    evidence.replayed.push({ category, said: events, ids: await idsOn(system, stream, subject) })
  }

  return {
    evidence,
    async run(signal) {
      // What later ones must not spoil.
      if (canBackUp) await judged('backup', kept)
      while (!signal.aborted) {
        await delay(random.between(2_000, 6_000), undefined, { signal }).catch(() => {})
        if (signal.aborted) return
        // Two slow cron runs, of which one may be killed.
        await Promise.all([verb(archive), verb(archive, random.fraction() < 0.5 ? soon() : {})])
        if (canBackUp && !signal.aborted) await verb(['backup', kept], random.fraction() < 0.5 ? inTheMiddle() : {})
        if (signal.aborted) return
        const disturbed = (...args: string[]) => verb(args, random.fraction() < 0.3 ? soon() : {})
        const choice = random.fraction()
        // NATS may be away.
        if (choice < 0.4) await archiveTwice()
        else if (choice < 0.6) await retry(random.pick(known), disturbed).catch(() => {})
        else if (choice < 0.8 && system.disk === undefined)
          await retryItemLetter(system, evidence.items, disturbed).catch(() => {})
        else await cancel(disturbed)
      }
    },
    async probe() {
      await Promise.all([
        ...[retry(random.pick(known), judged), retry(undefined, (...args) => judgedAs('1', ...args))],
        ...[retryItemLetter(system, evidence.items, judged)],
        ...[cancel((...args) => verb(args)), redeliver(), manageKeys(), archiveTwice()],
      ])
    },
    async finish(erasable) {
      const letters = readItemLetters(system, evidence.items)
      await Promise.all([archiveAndRead(), canBackUp && backUpAndRestore(), replay(), letters])
      const ids = erasable.slice(0, 5)
      if (ids.length > 0 && (await judged('erase', ...ids)).ended === '0') evidence.erased.push({ ids })
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** The id in the output of a verb. */
const idIn = ({ stdout }: RanVerb): string => JSON.parse(stdout || '{}').id

/** The ids of the events in the messages of a subject. */
async function idsOn(system: System, stream: string, subject: string): Promise<string[]> {
  const connection = await system.nats()
  try {
    const manager = await connection.jetstreamManager()
    const { state } = await manager.streams.info(stream, { subjects_filter: subject })
    const count = Object.values(state.subjects ?? {}).reduce((sum, messages) => sum + messages, 0)
    const ids: string[] = []
    if (count === 0) return ids
    const consumer = await connection.jetstream().consumers.get(stream, { filterSubjects: subject })
    for await (const message of await consumer.consume({ max_messages: 500 })) {
      ids.push(message.json<{ id: string }>().id)
      if (ids.length >= count) break
    }
    return ids
  } finally {
    // A consumer that was left in the middle does not let close() resolve.
    void connection.close()
  }
}
