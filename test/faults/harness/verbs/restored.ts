import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { knownCategories } from '@platen/domain/catalogue/event-catalogue.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { history } from '@platen/event-store/history.ts'
import { runVerb } from './run-verb.ts'
import type { Restored, VerbEvidence } from './verb-evidence.ts'

interface Restoring {
  /** The backup. */
  from: string
  /** The data folder. */
  to: string
  interrupted: boolean
  runs: VerbEvidence['runs']
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const memory = '/dev/shm'

/**
 * Restores a backup into a new folder, with the event store on another file system if there is one, and reads the
 * result. An uninterrupted restore is repeated: it is refused while the event store is open, and replaces it
 * afterwards.
 */
export async function restoreAndRead({ from, to, interrupted, runs }: Restoring): Promise<Restored> {
  const hasOther = existsSync(memory) && statSync(memory).dev !== statSync(from).dev
  const other = hasOther ? await mkdtemp(join(memory, 'platen-restored-')) : to
  const path = join(other, 'events.db')
  const restore = () => runVerb({ DATA_DIR: to, EVENT_STORE_URL: `sqlite:${path}` }, ['restore', from])
  try {
    const { ended, stdout, stderr } = await restore()
    const printed = `${stdout}${stderr}`.slice(-300)
    const result: Restored = { interrupted, code: Number(ended), printed, events: [], files: {} }
    if (ended !== '0') return result
    const judge = async (verb: string, expected: string) => {
      const again = await restore()
      runs.push({ verb, ended: again.ended, expected, printed: again.stderr.slice(-300) })
    }
    const store = await openEventStore(`sqlite:${path}`)
    try {
      for await (const { stream, revision } of history(store, { categories: [...knownCategories] }))
        result.events.push(`${stream}@${revision}`)
      if (!interrupted) await judge('restore over an event store that is open', '1')
    } finally {
      await store.close()
    }
    for (const name of await readdir(join(to, 'objects', 'pdfs')).catch(() => []))
      result.files[`pdfs/${name}`] = sha256(await readFile(join(to, 'objects', 'pdfs', name)))
    if (!interrupted) await judge('restore again', '0')
    return result
  } finally {
    for (const folder of new Set([to, other])) await rm(folder, { recursive: true, force: true })
  }
}
