import { buckets } from '@platen/domain/streams/buckets.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { WakeUp } from '@platen/foundation/runtime/wake-up.ts'
import { whileHoldingLease } from '@platen/messaging/key-value/lease.ts'
import { ObjectNotFound } from '@platen/object-store/object-store.ts'
import type { ViewUpdates } from '../views/view-updates.ts'
import { BatchRun, type RunBatchOptions } from './run-batch.ts'
import { Window } from './window.ts'

export interface RunBatchesOptions extends RunBatchOptions {
  updates: ViewUpdates
  /** Identifies this process. */
  instance: string
  hasEnded: (instance: string) => boolean
}

/** Batches that are run at once, of each owner in turn. */
const maxRuns = 200
const viewPauseMs = 50
const retryMs = 1_000
const missingMs = 15_000
const missingItems = 'items of a batch are missing in the object store; it waits for them'

/**
 * Runs the batches that have not ended, in one gateway at a time: the holder of a lease, which no gateway has while there are none.
 */
export class BatchRuns {
  readonly #options: RunBatchesOptions
  readonly #runs = new Map<string, BatchRun>()
  readonly #wakeUp = new WakeUp()
  #onIdle = () => {}

  constructor(options: RunBatchesOptions) {
    this.#options = options
    options.updates.onNotify((ids) => this.#changed(ids))
  }

  /** Resolves when `stopping` has aborted. */
  async run(stopping: AbortSignal): Promise<void> {
    const { bus, instance, hasEnded, log } = this.#options
    while (!stopping.aborted) {
      if (this.#isIdle()) {
        await this.#wakeUp.wait(60_000, stopping)
        continue
      }
      const idle = new AbortController()
      this.#onIdle = () => idle.abort()
      await whileHoldingLease({
        bus,
        bucket: buckets.leases,
        name: 'batches',
        holder: instance,
        hasEnded,
        log,
        stopping: AbortSignal.any([stopping, idle.signal]),
        work: (signal) => this.#runAll(signal),
      })
    }
  }

  #isIdle(): boolean {
    return this.#options.batches.unfinished(1).length === 0
  }

  #changed(ids: ReadonlySet<string>): void {
    let isOfBatches = false
    for (const id of ids) {
      if (id.startsWith('bat_')) isOfBatches = true
    }
    if (isOfBatches) {
      for (const run of this.#runs.values()) run.wake()
      this.#wakeUp.wake()
      if (this.#isIdle()) this.#onIdle()
    }
    if (this.#runs.size === 0) return
    for (const run of this.#runs.values()) for (const id of ids) run.changed(id)
  }

  async #runAll(signal: AbortSignal): Promise<void> {
    const { batches, maxQueued } = this.#options
    const windows = new Map<string, Window>()
    const running = new Set<Promise<void>>()
    while (!signal.aborted && !this.#isIdle()) {
      for (const { id, ownerId } of batches.unfinished(maxRuns)) {
        if (this.#runs.has(id)) continue
        const shares = () => [...this.#runs.values()].filter((run) => run.ownerId === ownerId).length
        const window = windows.get(ownerId) ?? new Window(shares, maxQueued)
        windows.set(ownerId, window)
        const run = new BatchRun(this.#options, id, ownerId, window, signal)
        this.#runs.set(id, run)
        const done: Promise<void> = this.#runOne(run, signal).finally(() => {
          this.#runs.delete(id)
          running.delete(done)
          this.#wakeUp.wake()
        })
        running.add(done)
      }
      await this.#wakeUp.wait(60_000, signal)
    }
    await Promise.all(running)
    if (!signal.aborted) this.#onIdle()
  }

  /** A failure ends the run, which begins again. */
  async #runOne(run: BatchRun, signal: AbortSignal): Promise<void> {
    try {
      await run.run()
      // Until the view shows its end: to begin again at once would keep the event loop, and the view would never show it.
      if (!('ended' in this.#options.batches.state(run.id))) await sleep(viewPauseMs, signal)
    } catch (err) {
      if (signal.aborted) return
      const { log } = this.#options
      const isMissing = err instanceof ObjectNotFound
      if (isMissing) log.error({ err, batch: run.id }, missingItems)
      else log.warn({ err, batch: run.id }, 'batch interrupted, continuing in a second')
      await run.pause(isMissing ? missingMs : retryMs)
    }
  }
}
