import { randomUUID } from 'node:crypto'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import type { EventStore, NewEvent } from '@platen/event-store/event-store.ts'
import { median } from '../machine/statistics.ts'
import { type Timing, type TimingPlan, time } from './timing.ts'

export interface EventStoreResult {
  name: string
  append: Timing
  read: Timing
  /** Events a second that a subscription reads until it has caught up. */
  catchUpPerS: number
  /** From the start of an append until a live subscription receives the event. */
  notifiedP50Ms: number
}

const streamLength = 20
/** About the size of a generation's events. */
const payload = 'x'.repeat(400)

export async function measureEventStore(name: string, url: string, plan: TimingPlan): Promise<EventStoreResult> {
  const store = await openEventStore(url)
  try {
    // A real server keeps the events of earlier runs. Stream names are unique to this run.
    const run = randomUUID().slice(0, 8)
    const append = await time((number) => store.append(`bench-${run}.${number}`, [newEvent()], 'none'), plan)
    const long = `bench-${run}.long`
    for (let revision = 0; revision < streamLength; revision++) await store.append(long, [newEvent()], 'any')
    const read = await time(() => drain(store.readStream(long)), plan)
    return { name, append, read, ...(await measureSubscription(store, run, plan.samples)) }
  } finally {
    await store.close()
  }
}

function newEvent(): NewEvent {
  return { id: randomUUID(), type: 'Measured', data: { payload }, metadata: { correlation_id: 'req_bench' } }
}

async function measureSubscription(store: EventStore, run: string, samples: number) {
  const stop = new AbortController()
  const startedAt = performance.now()
  let history = 0
  let catchUpPerS = 0
  const appendedAt: number[] = []
  const notifiedMs: number[] = []
  for await (const item of store.subscribe({ after: 'start', categories: ['bench'], signal: stop.signal })) {
    if (item.kind === 'event') {
      history += 1
      const sample = Number(/live\.(\d+)$/.exec(item.event.stream)?.[1] ?? -1)
      if (item.event.stream === `bench-${run}.live.${sample}`) {
        notifiedMs.push(performance.now() - (appendedAt[sample] ?? 0))
      }
    }
    if (item.kind === 'caughtUp') catchUpPerS ||= (history * 1_000) / (performance.now() - startedAt)
    if (catchUpPerS === 0) continue
    if (notifiedMs.length === samples) stop.abort()
    else if (appendedAt.length === notifiedMs.length) {
      const sample = appendedAt.push(performance.now()) - 1
      void store.append(`bench-${run}.live.${sample}`, [newEvent()], 'none')
    }
  }
  return { catchUpPerS, notifiedP50Ms: median(notifiedMs) }
}

async function drain(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}
