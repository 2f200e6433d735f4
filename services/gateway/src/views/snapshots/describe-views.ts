import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Position } from '@platen/event-store/event-store.ts'
import { isDamage } from '@platen/service-kit/projections/damaged-view.ts'
import { readApplied } from '../applied-events.ts'
import { viewSchema } from '../open-views.ts'
import { UnusableSnapshot } from './snapshot.ts'

export interface ViewsDescribed {
  /** Of the last event that they show. */
  position: Position
  events: number
  unreadable: number
  purged_at: string
}

/** What a file of views shows that no process changes. Throws UnusableSnapshot if it has none, or those of another schema. */
export function describeViews(path: string): ViewsDescribed {
  const file = pathToFileURL(path)
  // SQLite makes no other files beside it.
  file.searchParams.set('immutable', '1')
  return describe(file)
}

function describe(file: string | URL): ViewsDescribed {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    if (db.prepare('PRAGMA user_version').get()?.user_version !== viewSchema.version) {
      throw new UnusableSnapshot('its file has views of another version')
    }
    const position = db.prepare('SELECT position FROM checkpoint').get()?.position as Position | undefined
    if (position === undefined) throw new UnusableSnapshot('its file has views that show no event')
    const { purgedAt, ...counts } = readApplied(db)
    return { position, ...counts, purged_at: purgedAt }
  } catch (err) {
    if (isDamage(err)) throw new UnusableSnapshot('its file is damaged', { cause: err })
    throw err
  } finally {
    db.close()
  }
}

/**
 * What the views show that a start can go on with. Undefined if there are none of this version; `unknown` if that is found only when they
 * are opened.
 */
export function viewsAt(path: string): ViewsDescribed | 'unknown' | undefined {
  if (!existsSync(path)) return undefined
  try {
    return describe(path)
  } catch (err) {
    return err instanceof UnusableSnapshot ? undefined : 'unknown'
  }
}
