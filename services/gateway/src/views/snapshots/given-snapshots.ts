import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { takePrepared } from '@platen/service-kit/projections/prepared-view.ts'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import { Registry } from 'prom-client'
import { type OpenViews, openViews } from '../open-views.ts'
import { runViews } from '../run-views.ts'
import { loadSnapshot } from './load-snapshot.ts'
import { type ReplaceOlderViews, replaceOlderViews } from './replace-older-views.ts'
import type { Snapshot } from './snapshot.ts'
import { takeSnapshot } from './take-snapshot.ts'

// For tests of snapshots: two gateways of one event store and one object store, as files of views.

export const signing = signingFrom('0123456789abcdef0123456789abcdef')
const never = new AbortController().signal

interface Recorded {
  level: string
  message: string
  err?: unknown
}

/** A log whose lines the test reads. */
export function givenLog() {
  const lines: Recorded[] = []
  const log = createLogger('test', 'silent')
  const add = (level: string) => (context: unknown, message?: string) =>
    void lines.push({ level, message: `${message}`, err: (context as { err?: unknown }).err })
  return { lines, log: Object.assign(log, { info: add('info'), warn: add('warn') }) }
}

export async function given(t: {
  testdir(content: Record<string, never>): string
  teardown(end: () => unknown): void
}) {
  const folder = t.testdir({})
  const store = await openEventStore(`sqlite:${join(folder, 'events.db')}`)
  const objects = await openObjectStore(`file:${join(folder, 'objects')}`)
  t.teardown(() => Promise.all([store.close(), objects.close()]))
  const paths = { first: join(folder, 'first', 'views.db'), second: join(folder, 'second', 'views.db') }
  return { folder, store, objects, ...paths, snapshots: join(folder, 'objects', 'views') }
}

const request = { api_key_id: 'key_1', owner_id: 'own_default', metadata: { order: 'a' } }

export async function generate(store: EventStore, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('pdf'))
  for (const id of ids) {
    await store.append(
      `generation-${id}`,
      [{ id: crypto.randomUUID(), type: 'GenerationRequested', data: request }],
      'none',
    )
  }
  return ids
}

/** Fills the views in a file with what the log has. */
export async function follow<Value>(
  path: string,
  store: EventStore,
  look: (views: OpenViews) => Value,
): Promise<Value> {
  const log = createLogger('test', 'silent')
  {
    await using views = runViews({ path, store, log, metrics: new Registry(), fail: () => {} })
    await views.caughtUp
  }
  using views = openViews(path)
  return look(views)
}

export async function take(path: string, objects: ObjectStore, retentionDays = 0): Promise<Snapshot> {
  const { snapshot } = await takeSnapshot({ path, objects, signing, retentionDays, signal: never })
  return snapshot
}

export function load(
  path: string,
  given: { store: EventStore; objects: ObjectStore },
  options: Partial<Pick<ReplaceOlderViews, 'retentionDays' | 'patienceMs' | 'leastEvents'>> = {},
) {
  const { lines, log } = givenLog()
  const states: string[] = []
  const loading: ReplaceOlderViews = {
    ...given,
    path,
    signing,
    retentionDays: 0,
    log,
    ...options,
    onProgress: (state) => states.push(state),
  }
  return loadSnapshot(loading).then(async (alone) => {
    const loaded = alone ?? (await replaceOlderViews(loading))
    await loaded?.flushed
    takePrepared(path)
    return { origin: loaded?.origin, lines, states }
  })
}

/** The same store, of which a test replaces a method. */
export function bound(store: ObjectStore): ObjectStore {
  const get = (_: ObjectStore, name: keyof ObjectStore) => store[name].bind(store)
  const own: Partial<ObjectStore> = {}
  for (const name of ['put', 'info', 'get', 'delete', 'list', 'publicUrl', 'check', 'close'] as const)
    Object.assign(own, { [name]: get(store, name) })
  return own as ObjectStore
}

export const reasons = (lines: readonly Recorded[]) => lines.map(({ err }) => (err instanceof Error ? err.message : ''))
