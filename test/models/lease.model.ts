import { buckets } from '@platen/domain/streams/buckets.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { whileHoldingLease } from '@platen/messaging/key-value/lease.ts'
import { MemoryBus } from './world/memory-bus.ts'
import { quietLog } from './world/quiet-log.ts'
import type { Model } from './world/search.ts'
import { type Budgets, type ModelProcess, must } from './world/world.ts'

interface LeaseOptions {
  name: string
  budgets: Budgets
  /** The identities of the processes. */
  holders: readonly string[]
  /** The first process is told to stop, at any moment. */
  isStopped?: boolean
  /** How long the model runs after a change. Default: 25 s. */
  patienceMs?: number
  wrap?: (bus: Bus) => Bus
}

/** A lease expires after 10 s, and is looked for each second. */
const defaultPatienceMs = 25_000
/** A lease is renewed at a beat of this period. */
const beatMs = 5_000

/** Processes of which the holder of a lease works. */
export function leaseModel(options: LeaseOptions): Model {
  const {
    name,
    budgets,
    holders,
    isStopped = false,
    patienceMs = defaultPatienceMs,
    wrap = (bus: Bus) => bus,
  } = options
  return {
    name,
    invariant:
      'One process works at a time, as long as none stands still. When the holder stops or crashes, another one works within ' +
      'twenty-five seconds.',
    budgets,
    begin(world) {
      const memory = new MemoryBus(world)
      const working = new Set<string>()
      const stops: AbortController[] = []
      // Which one is told to stop makes a difference.
      const firstTwin = isStopped ? 2 : 1
      let lastChangeMs = world.nowMs
      const start = (holder: string, index: number, run: number) => {
        const process = `process ${index}${run > 0 ? ` (run ${run})` : ''}`
        const stop = new AbortController()
        const work = (signal: AbortSignal) => {
          world.changes('working')
          working.add(process)
          return new Promise<void>((resolve) => {
            const end = () => {
              world.changes('working')
              working.delete(process)
              resolve()
            }
            if (signal.aborted) end()
            else signal.addEventListener('abort', end)
          })
        }
        const lease = { bucket: buckets.leases, name: 'lease', holder, log: quietLog, stopping: stop.signal, work }
        let revision = 0
        let seen = { revision: 0, sinceMs: 0 }
        const noting = (bus: Bus): Bus => {
          const publish: typeof bus.acks.publish = async (publication) => {
            const stored = await bus.acks.publish(publication)
            revision = stored.seq
            return stored
          }
          const kv: typeof bus.js.views.kv = async (name) => {
            const bucket = await bus.js.views.kv(name)
            const get: typeof bucket.get = async (key) => {
              const entry = await bucket.get(key)
              if (entry && entry.revision !== seen.revision) seen = { revision: entry.revision, sinceMs: world.nowMs }
              return entry
            }
            return Object.create(bucket, { get: { value: get } })
          }
          return Object.create(bus, { acks: { value: { publish } }, js: { value: { views: { kv } } } })
        }
        const onCrash = () => {
          world.changes('working')
          working.delete(process)
          lastChangeMs = world.nowMs
          start(holder, index, run + 1)
        }
        const options = {
          onCrash,
          isRestarted: true,
          // While it waits, or before it reads the lease, the process remembers only what it has written, since when it has seen
          // the lease as it is, and whether it works.
          remembers: ({ steps: [step], timers }: ModelProcess) => {
            const { aborted } = stop.signal
            if (step === undefined) return working.has(process) ? [aborted, revision] : [aborted, seen]
            return timers.size === 0 && step.label.startsWith('get ') ? [aborted, seen] : undefined
          },
          ...(index > firstTwin && run === 0 && { twin: `process ${index - 1}` }),
        }
        world.spawn(process, () => whileHoldingLease({ bus: noting(wrap(memory.bus)), ...lease }), options)
        if (index === 1 && run === 0 && isStopped) stops.push(stop)
      }
      for (const [index, holder] of holders.entries()) start(holder, index + 1, 0)
      const stopFirst = () => {
        lastChangeMs = world.nowMs
        const stop = stops.pop()
        world.tell(world.processNamed('process 1'), 'told to stop', () => stop?.abort())
      }
      return {
        isTimeless: true,
        // When a lease is renewed depends on the beats of the process.
        shared: () => [memory, [...working].sort(), stops.length, lastChangeMs, world.nowMs % beatMs],
        actions: () =>
          stops.length > 0 && world.runs(/^process 1$/) ? [{ label: 'process 1 is told to stop', run: stopFirst }] : [],
        waits: () => world.nowMs < lastChangeMs + patienceMs,
        always: () => must(working.size <= 1, `${[...working].join(' and ')} work at once`),
        atEnd: () => must(working.size === 1 || patienceMs < defaultPatienceMs, 'nobody works'),
      }
    },
  }
}
