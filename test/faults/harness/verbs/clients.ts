import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { knownCategories } from '@platen/domain/catalogue/event-catalogue.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { history } from '../../../../cli/src/frame/history.ts'
import { seeded } from '../seeded.ts'
import type { System } from '../system.ts'
import { type KillWhen, type RanVerb, runVerb } from './run-verb.ts'
import { noVerbs, type Restored, type VerbEvidence } from './verb-evidence.ts'

export interface VerbClients extends AsyncDisposable {
  evidence: VerbEvidence
  /** Runs verbs beside the load, two at once, and kills some, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
  /** Runs each to its end when the faults are over, and reads what it has made. `erasable`: completed generations. */
  finish(erasable: readonly string[]): Promise<void>
}

/** Small, so that a run has several segments, and the last one grows. */
const segmentEvents = '500'
const interruptions = 3
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** An operator who uses the command line while Platen works. */
export async function verbClients(system: System, seed: number): Promise<VerbClients> {
  const random = seeded(seed).fork('verbs')
  const folder = await mkdtemp(join(tmpdir(), 'platen-verbs-'))
  const evidence: VerbEvidence = structuredClone(noVerbs)
  const { verbEnv: env, objectFolder } = system
  /** Only SQLite and a folder are backed up by Platen. */
  const canBackUp = objectFolder !== undefined
  const verb = async (args: string[], options?: KillWhen): Promise<RanVerb> => {
    const ran = await runVerb(await env(), args, options)
    return ran
  }
  const judged = async (...args: string[]) => {
    const ran = await verb(args)
    evidence.runs.push({ verb: args.slice(0, 2).join(' '), ended: ran.ended, printed: ran.stderr.slice(-300) })
    return ran
  }
  const archive = ['archive', '--segment-events', segmentEvents]
  const soon = () => ({ killAfterMs: random.between(300, 2_500) })

  const restored = async (from: string, interrupted: boolean): Promise<Restored> => {
    const to = join(folder, `restored-${evidence.restored.length}`)
    const { ended, stdout, stderr } = await runVerb({ DATA_DIR: to }, ['restore', from])
    const result: Restored = {
      interrupted,
      code: Number(ended),
      printed: `${stdout}${stderr}`.slice(-300),
      events: [],
      files: {},
    }
    if (ended !== '0') return result
    const store = await openEventStore(`sqlite:${join(to, 'events.db')}`)
    try {
      for await (const { stream, revision } of history(store, { categories: [...knownCategories] }))
        result.events.push(`${stream}@${revision}`)
    } finally {
      await store.close()
    }
    for (const name of await readdir(join(to, 'objects', 'pdfs')).catch(() => []))
      result.files[`pdfs/${name}`] = sha256(await readFile(join(to, 'objects', 'pdfs', name)))
    await rm(to, { recursive: true, force: true })
    return result
  }

  const kept = join(folder, 'backup')
  /** Somewhere between its first file and its last. */
  const inTheMiddle = () => ({ killAfterFiles: { folder: kept, files: random.between(1, 60) } })

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
      }
    },
    async finish(erasable) {
      await judged(...archive)
      const read = await judged('archive', 'read')
      evidence.archived = linesOf(read.stdout).map((line) => {
        const { stream, revision } = JSON.parse(line)
        return `${stream}@${revision}`
      })
      if (canBackUp) {
        for (let times = 0; times < interruptions; times++) {
          await verb(['backup', kept], inTheMiddle())
          evidence.restored.push(await restored(kept, true))
        }
        await judged('backup', kept)
        evidence.restored.push(await restored(kept, false))
      }
      const category = 'template'
      const replayed = await judged('replay', '--category', category, '--json')
      if (replayed.ended === '0') {
        const { stream, subject, events } = JSON.parse(replayed.stdout)
        evidence.replayed.push({ category, said: events, ids: await idsOn(system, stream, subject) })
      }
      const ids = erasable.slice(0, 3)
      if (ids.length > 0 && (await judged('erase', ...ids)).ended === '0') evidence.erased.push({ ids })
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

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
