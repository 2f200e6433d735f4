import { existsSync } from 'node:fs'
import { isBefore } from '@platen/event-store/place-in-log.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { readyPath } from '@platen/service-kit/projections/prepared-view.ts'
import { viewSchema } from '../open-views.ts'
import type { Loaded } from '../run-views.ts'
import { type ViewsDescribed, viewsAt } from './describe-views.ts'
import { listSnapshots } from './list-snapshots.ts'
import { type LoadSnapshot, listingPatienceMs, prepareSnapshot, readFitting, unlessUnusable } from './load-snapshot.ts'
import { fewEvents, schemaHash, UnusableSnapshot } from './snapshot.ts'

export interface ReplaceOlderViews extends LoadSnapshot {
  /** Views that lack fewer events of a snapshot are left. Default: 100,000. */
  leastEvents?: number
}

/** A file of ten million events is loaded and flushed in the time in which some millions are read from the log. */
const leastShare = 1 / 4
/** Of a log in SQLite. Another one is read more slowly. */
const eventsInASecond = 54_000
const leastLoadMs = 10_000

/**
 * Makes the newest snapshot ready to replace views that lack many of its events, as after hours without this gateway. The views that are
 * there stay until `runViews` takes the others, which are durable by then. Undefined if they are left: the events are read from the log.
 */
export async function replaceOlderViews(options: ReplaceOlderViews): Promise<Loaded | undefined> {
  const { path, objects, leastEvents = fewEvents, log } = options
  const own = existsSync(readyPath(path)) ? undefined : viewsAt(path)
  if (own === undefined || own === 'unknown') return undefined
  try {
    const listing = listSnapshots(objects, schemaHash(viewSchema))
    const stored = await untilAborted(listing, AbortSignal.timeout(listingPatienceMs))
    for (const { stem, events, hasManifest } of stored) {
      if (!hasManifest || events - own.events < Math.max(leastEvents, events * leastShare)) continue
      const loaded = await unlessUnusable(options, stem, () => prepareNewer(options, stem, own))
      if (loaded) return loaded
    }
  } catch (err) {
    log.info({ err }, 'snapshots of the views cannot be listed; reading the missing events from the log')
  }
  return undefined
}

/** Undefined if the snapshot is not newer, or has what was taken out of these views. */
async function prepareNewer(
  options: ReplaceOlderViews,
  stem: string,
  own: ViewsDescribed,
): Promise<Loaded | undefined> {
  const { log, onProgress } = options
  const snapshot = await readFitting(options, stem)
  const { events, position, taken_at, purged_at } = snapshot
  if (!isBefore(own.position, position) || purged_at < own.purged_at) return undefined
  const startedAt = performance.now()
  const mostMs = Math.max(leastLoadMs, (1_000 * (events - own.events)) / eventsInASecond)
  const onVerified = (state: string) => {
    onProgress(state)
    if (performance.now() - startedAt < mostMs) return
    throw new UnusableSnapshot('the missing events are read from the log in less time than it is loaded')
  }
  await prepareSnapshot({ ...options, onProgress: onVerified }, { stem, snapshot })
  const ms = Math.round(performance.now() - startedAt)
  log.info(
    { snapshot: stem, events, position, missing: events - own.events, ms },
    'older views are replaced by a snapshot',
  )
  return { origin: `from the snapshot of ${taken_at}, with ${events} events` }
}
