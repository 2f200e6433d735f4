import { DomainError } from '@platen/domain/http/errors.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { mostOfOwner } from '@platen/foundation/runtime/share.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { headers } from 'nats'
import { IdempotencyEntries } from '../../services/gateway/src/idempotency/idempotency-entries.ts'
import { CountedShares } from './world/counted-shares.ts'
import { MemoryBus } from './world/memory-bus.ts'
import type { Model } from './world/search.ts'
import { type Budgets, type ModelProcess, must, type World } from './world/world.ts'

const { name: bucket, ttlMs } = buckets.idempotency
const hourMs = 3_600_000
const bytesOfEntry = 512
/** As `owner-places.ts` has it. */
const share = { timesFree: 9 }

/** A claim of a key by an owner: `full 1` is the first key of the owner `full`. */
export type Claim = `${string} ${number}`

interface PlacesOptions {
  name: string
  budgets: Budgets
  /** For each gateway, the claims that it makes one after another. */
  gateways: readonly (readonly Claim[])[]
  /** How many entries fit into the bucket. */
  fits: number
  /** Entries that owners have made before. */
  before?: Record<string, number>
  /** The claims of the first gateway when more than a day has passed after the others. */
  nextDay?: readonly Claim[]
  wrap?: (bus: Bus) => Bus
}

/** Gateways that claim Idempotency-Keys of two owners, of which the bucket has a place each. */
export function placesModel(options: PlacesOptions): Model {
  const { name, budgets, gateways, fits, before = {}, nextDay = [], wrap = (bus: Bus) => bus } = options
  return {
    name,
    invariant:
      'Each entry is counted, and what has none is not, but for places of which a gateway has taken ten, or which a crash has left, for ' +
      'a day. No owner takes more than nine times what it found free, and one that has nothing is not refused.',
    budgets,
    async begin(world) {
      const bytesOf = (key: string) => (key.startsWith('places.') ? 0 : bytesOfEntry)
      const memory = new MemoryBus(world, { name: bucket, maxBytes: fits * bytesOfEntry, bytesOf })
      const mostOf = (free: number) => mostOfOwner(share, free / bytesOfEntry)
      const shares = new CountedShares(world, memory, { bucket, name: 'places', periodMs: hourMs, mostOf })
      const owners = [...new Set([...gateways.flat(), ...nextDay].map((claim) => claim.split(' ')[0] ?? ''))]
      const entriesOf = (owner: string) => memory.keysOf(bucket).filter((key) => key.startsWith(`key.${owner}.`)).length
      const refused: string[] = []
      await world.prepare(() => prefill(world, memory, before))
      let isNextDay = false
      /** Lets the first gateway go on. */
      let goOn: { process: ModelProcess; resolve: () => void } | undefined
      /** What each gateway has been answered, over its restarts. */
      const answers = gateways.map((): string[] => [])
      const start = (index: number, run: number) => {
        const process = `gateway ${index + 1}${run > 0 ? ` (run ${run})` : ''}`
        const work = async () => {
          const entries = new IdempotencyEntries(wrap(shares.noting(memory.bus)))
          for (const claim of gateways[index]?.slice(answers[index]?.length) ?? []) await claimed(entries, index, claim)
          if (index > 0 || nextDay.length === 0) return
          if (!isNextDay)
            await new Promise<void>((resolve) => {
              goOn = { process: world.current(), resolve }
            })
          const done = (answers[0]?.length ?? 0) - (gateways[0]?.length ?? 0)
          for (const claim of nextDay.slice(done)) await claimed(entries, index, claim)
        }
        const onCrash = () => {
          if (index === 0) goOn = undefined
          start(index, run + 1)
        }
        world.spawn(process, work, { onCrash })
      }
      const claimed = async (entries: IdempotencyEntries, index: number, claim: Claim) => {
        const [owner = '', number] = claim.split(' ')
        const key = `key.${owner}.${number}`
        const isNew = entriesOf(owner) === 0 && shares.counted(owner) === 0
        let answer = 'made'
        try {
          await entries.claim({ ownerId: owner, key }, { body_sha256: '', id: key })
        } catch (err) {
          if (err instanceof DomainError) answer = 'refused'
          else if (err instanceof DependencyUnavailable) answer = 'unavailable'
          else throw err
        }
        world.changes('answers')
        answers[index]?.push(answer)
        if (answer === 'refused' && isNew) refused.push(`${owner} is refused, which has nothing`)
      }
      for (const index of gateways.keys()) start(index, 0)
      const passDay = () => {
        isNextDay = true
        world.advance(ttlMs + hourMs)
        memory.expire(bucket, ttlMs)
        if (goOn) world.tell(goOn.process, 'more than a day later', goOn.resolve)
      }
      const isEarlier = () => !isNextDay && goOn !== undefined && !world.runs(/^gateway [2-9]/)
      return {
        shared: () => [memory, answers, refused, isNextDay, shares],
        actions: () => (isEarlier() ? [{ label: 'more than a day passes', run: passDay }] : []),
        waits: () => world.runs(/./) && !isEarlier(),
        always() {
          must(refused.length === 0, `${refused[0]}`)
          shares.check()
          for (const owner of owners) {
            const [entries, counted] = [entriesOf(owner), shares.counted(owner)]
            must(entries <= counted, `${owner} has ${entries} entries, of which ${counted} are counted`)
          }
        },
        atEnd() {
          // Whoever may not take ten takes one at a time, and uses it.
          const { crashes = 0 } = budgets
          const most = isNextDay ? (owner: string) => entriesOf(owner) + 10 * (1 + crashes) : entriesOf
          if (crashes > 0 && !isNextDay) return
          for (const owner of owners) {
            const counted = shares.counted(owner)
            must(counted <= most(owner), `${owner} has ${entriesOf(owner)} entries, and ${counted} are counted`)
          }
        },
      }
    },
  }
}

/** Entries that were made and counted an hour ago. */
async function prefill(world: World, { bus }: MemoryBus, before: Record<string, number>): Promise<void> {
  const put = (key: string, payload: string) =>
    bus.acks.publish({ subject: `$KV.${bucket}.${key}`, payload, headers: headers(), timeoutMs: 1_000 })
  const period = Math.ceil((world.nowMs + ttlMs) / hourMs)
  for (const [owner, count] of Object.entries(before)) {
    await put(`places.${owner}`, JSON.stringify({ [period]: count }))
    for (let number = 1; number <= count; number++) await put(`key.${owner}.before${number}`, '')
  }
}
