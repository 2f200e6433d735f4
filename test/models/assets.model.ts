import { createHash } from 'node:crypto'
import { type AssetStored, assetStream } from '@platen/domain/asset/asset-events.ts'
import { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { type EventStore, OutcomeUnknown, StoreUnavailable } from '@platen/event-store/event-store.ts'
import { domainEvent, operatorMetadata } from '@platen/event-store/handle-command.ts'
import { ContentReader } from '../../services/gateway/src/assets/content-reader.ts'
import { putAsset } from '../../services/gateway/src/assets/put-asset.ts'
import { Ages, leftAssets } from '../../services/notifier/src/janitor/left-objects.ts'
import { removeLeftovers } from '../../services/notifier/src/janitor/remove-leftovers.ts'
import { MemoryObjects } from './world/memory-objects.ts'
import { MemoryStore } from './world/memory-store.ts'
import type { Model } from './world/search.ts'
import { type Budgets, must, type World } from './world/world.ts'

const ownerId = 'own_default'
const bytes = Buffer.from('p {}')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const limits = { bytes: 100, count: 10, totalBytes: 1_000, references: 10 }
const hourMs = 3_600_000
const known = { name: 'known.css', sha256: '0'.repeat(64), type: 'text/css', bytes: 1, object: '0'.repeat(16) }

interface AssetsOptions {
  name: string
  budgets: Budgets
  /** The names under which the same bytes are uploaded at once. */
  uploads: readonly string[]
  /** How many sweeps there are. */
  sweeps: number
  /** How often two hours pass at any moment, so that what was written is old enough to be swept. */
  jumps?: number
  /** An earlier upload has written the bytes, and its process has stopped. */
  hasOrphan?: boolean
  wrap?: (store: EventStore) => EventStore
}

/** Gateways to which the same bytes are uploaded, and notifiers that sweep objects that no event names. */
export function assetsModel(options: AssetsOptions): Model {
  const { name, budgets, uploads, sweeps, jumps = 0, hasOrphan = false, wrap } = options
  return {
    name,
    invariant: 'The bytes of a name exist as soon as its upload is acknowledged, whatever is swept.',
    budgets,
    async begin(world) {
      const memory = new MemoryStore(world, { hasNoLog: true })
      const store = wrap?.(memory) ?? memory
      const objects = new MemoryObjects(world)
      const put = async (name: string) => {
        const upload = { bytes, sha256 }
        const request = {
          ownerId,
          apiKeyId: 'key',
          name,
          upload,
          contentType: 'text/css',
          conditions: {},
          metadata: operatorMetadata(),
        }
        return putAsset(
          { store, objects, libraries: new AssetLibraries(store), limits, reader: new ContentReader() },
          request,
        )
      }
      await world.prepare(() => before(world, { memory, objects, hasOrphan }))
      let begun = 0
      /** Names whose upload was acknowledged. */
      const answered = new Set<string>()
      for (const [index, name] of uploads.entries()) {
        const work = async () => {
          try {
            await put(name)
            world.changes('answers')
            answered.add(name)
          } catch (err) {
            if (!isUnavailable(err)) throw err
          }
        }
        world.spawn(`upload ${index + 1} of ${name}`, work)
      }
      const sweep = (number: number, run: number) => {
        const work = async () => {
          // An hourly sweep: its time is that of its first step.
          await world.step('the sweep begins', () => {
            world.changes('sweeps')
            begun++
          })
          try {
            await removeLeftovers(leftAssets({ objects, store }, new Ages(new Date())))
          } catch (err) {
            if (!isUnavailable(err)) throw err
          }
        }
        const twin = number > 1 && run === 0 ? { twin: `sweep ${number - 1}` } : {}
        const options = { isRestarted: true, onCrash: () => sweep(number, run + 1), ...twin }
        world.spawn(`sweep ${number}${run > 0 ? ` (run ${run})` : ''}`, work, options)
      }
      for (let number = 1; number <= sweeps; number++) sweep(number, 0)
      let left = jumps
      const jump = () => {
        left--
        world.advance(2 * hourMs)
      }
      return {
        shared: () => [memory, objects, begun, [...answered].sort(), left],
        actions: () => (left > 0 ? [{ label: 'two hours pass', run: jump }] : []),
        waits: () => world.runs(/./),
        always: () => checkObjects(memory, objects, answered),
      }
    },
  }
}

const isUnavailable = (err: unknown) => err instanceof StoreUnavailable || err instanceof OutcomeUnknown

interface Before {
  memory: MemoryStore
  objects: MemoryObjects
  hasOrphan: boolean
}

/** An owner with an asset, and what earlier uploads have left. */
async function before(world: World, { memory, objects, hasOrphan }: Before): Promise<void> {
  const data = { ...known, version: 1, created_at: '2026-01-01T00:00:00.000Z' }
  const metadata = { time: data.created_at, correlation_id: 'req_1', causation_id: 'command' }
  await memory.append(assetStream(ownerId), [{ id: 'known', type: 'AssetStored', data, metadata }], 'none')
  if (hasOrphan) await objects.put(objectKeys.asset(ownerId, sha256, 'f'.repeat(16)), bytes)
  world.advance(2 * hourMs)
}

/** What these names have now exists. */
function checkObjects(store: MemoryStore, objects: MemoryObjects, names: ReadonlySet<string>): void {
  const keys = new Set(objects.listed().map(({ key }) => key))
  const current = new Map<string, AssetStored['data']>()
  for (const event of store.of(assetStream(ownerId))) {
    const { type, data } = domainEvent<AssetStored>(event)
    if (type === 'AssetStored') current.set(data.name, data)
  }
  for (const { name, sha256, object } of current.values()) {
    const exists = !names.has(name) || keys.has(objectKeys.asset(ownerId, sha256, object))
    must(exists, `the bytes of ${name} are gone`)
  }
}
