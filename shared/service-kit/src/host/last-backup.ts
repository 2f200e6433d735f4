import { text } from 'node:stream/consumers'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { Gauge, type Registry } from 'prom-client'

/** The last backup of a deployment. All its processes share the object store. */
export interface LastBackup {
  /** Time in RFC 3339. */
  at: string
  /** The place of the backup, or how it was made. */
  where: string
}

/** The object that names the last backup. Backups do not contain it. */
export const lastBackupKey = 'platen/last-backup'

export const lastBackupText = ({ at, where }: LastBackup): string => `${JSON.stringify({ at, where })}\n`

export async function recordBackup(objects: Pick<ObjectStore, 'put'>, backup: LastBackup): Promise<void> {
  await objects.put(lastBackupKey, Buffer.from(lastBackupText(backup)), 'application/json')
}

/** Undefined if none was recorded. Throws ObjectStoreUnavailable. */
export async function readLastBackup(objects: Pick<ObjectStore, 'get'>): Promise<LastBackup | undefined> {
  try {
    const { at, where } = JSON.parse(await text(await objects.get(lastBackupKey))) ?? {}
    return Number.isNaN(Date.parse(at)) ? undefined : { at, where: String(where) }
  } catch (err) {
    // A record that cannot be read, such as a file of which a power failure left nothing, is none.
    if (err instanceof ObjectNotFound || err instanceof SyntaxError) return undefined
    throw err
  }
}

/** An S3 is not asked at each request for metrics. */
const readEveryMs = 20_000
const answerWithinMs = 1_000

/** The time of the last backup, for an alert. 0: none was recorded. While the object store does not answer, the value is missing. */
export function addBackupMetric(
  registry: Registry,
  objects: Pick<ObjectStore, 'get'>,
  log: Pick<Logger, 'debug'>,
): void {
  let known: { atS: number; readAt: number } | undefined
  const read = async (): Promise<number | undefined> => {
    const now = performance.now()
    if (known && now - known.readAt < readEveryMs) return known.atS
    const last = await untilAborted(readLastBackup(objects), AbortSignal.timeout(answerWithinMs))
    known = { atS: last === undefined ? 0 : Date.parse(last.at) / 1_000, readAt: now }
    return known.atS
  }
  new Gauge({
    name: 'platen_last_backup_timestamp_seconds',
    help: 'When the last backup was made, in seconds since 1970; 0 if none was recorded',
    registers: [registry],
    async collect() {
      const atS = await read().catch((err) => void log.debug({ err }, 'the time of the last backup cannot be read'))
      // A metric without labels would be 0 after a reset.
      if (atS === undefined) this.remove()
      else this.set(atS)
    },
  })
}
