import { itemGenerationId, placeInBatch } from '@platen/domain/batch/batch.ts'
import { type BatchEvent, batchStream, type RecordedBatch } from '@platen/domain/batch/batch-events.ts'
import { type BatchState, batchDecider } from '@platen/domain/batch/decide-batch.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand, load } from '@platen/event-store/handle-command.ts'
import { derivedUuid } from '@platen/foundation/runtime/ids.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { retryWhileUnavailable } from '@platen/foundation/runtime/retry-while-unavailable.ts'
import { WakeUp } from '@platen/foundation/runtime/wake-up.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { readItems, type StoredItem } from '@platen/service-kit/inputs/stored-items.ts'
import { cancelGeneration } from '../generations/cancel-generation.ts'
import type { GenerationFinder } from '../generations/find-generation.ts'
import type { GenerationQueue } from '../generations/generation-queue.ts'
import type { QueuePlaces } from '../generations/queue-places.ts'
import type { QueuedGenerations } from '../generations/queued-generations.ts'
import type { CommandClient } from '../messaging/command-client.ts'
import type { BatchView } from '../views/batch-view.ts'
import { isFinal } from '../views/generation-record.ts'
import type { GenerationView } from '../views/generation-view.ts'
import { inSlices } from './in-slices.ts'
import type { Window } from './window.ts'

export interface RunBatchOptions {
  bus: Bus
  store: EventStore
  objects: ObjectStore
  batches: BatchView
  generations: GenerationView
  finder: GenerationFinder
  queue: QueuedGenerations
  queuePlaces: Pick<QueuePlaces, 'free'>
  generationQueue: Pick<GenerationQueue, 'submit'>
  client: CommandClient
  maxQueued: number
  untilCaughtUp: () => Promise<void>
  log: Logger
}

/** An item that has not ended for this time is looked up, because its command may be lost. */
const lookUpAfterMs = 60_000
/** How often a batch that waits for room in the queue looks again. */
const roomMs = 250
/** Commands that are encoded and sent at once: each may have 1 MiB. */
const maxSending = 32
const maxCancelling = 8

/**
 * Requests the unfinished items of a batch, a limited number at a time, and records the end of the batch. Progress is
 * known from the generations of the items, so that the run can start again after any step, also in another process.
 */
export class BatchRun {
  readonly id: string
  readonly ownerId: string
  readonly #options: RunBatchOptions
  readonly #window: Window
  readonly #signal: AbortSignal
  readonly #wakeUp = new WakeUp()
  /** The items that are requested and have not ended: when they were requested or looked up. */
  readonly #pending = new Map<string, number>()
  readonly #sending = new Set<Promise<void>>()
  #failure: unknown
  #lookedUpAt = performance.now()

  constructor(options: RunBatchOptions, id: string, ownerId: string, window: Window, signal: AbortSignal) {
    this.#options = options
    this.id = id
    this.ownerId = ownerId
    this.#window = window
    this.#signal = signal
  }

  /** To be called when the views show a change of the generation. */
  changed(generationId: string): void {
    if (!this.#pending.has(generationId) || !this.#hasEnded(generationId)) return
    this.#pending.delete(generationId)
    this.#window.ended()
    this.#wakeUp.wake()
  }

  /** To be called when the views show a change of the batch. */
  readonly wake = (): void => this.#wakeUp.wake()

  /** Waits before the run begins again, unless the batch is cancelled meanwhile. */
  async pause(ms: number): Promise<void> {
    const until = performance.now() + ms
    for (let left = ms; left > 0 && !this.#signal.aborted && !this.#isCancelled(); left = until - performance.now()) {
      await this.#wakeUp.wait(left, this.#signal)
    }
  }

  /**
   * Resolves when the end is recorded, or the signal has aborted. Throws ObjectNotFound if the stored items are missing: whether they
   * are lost or the store is away for a while, nobody can know, so that the batch goes on when they are there again.
   */
  async run(): Promise<void> {
    const { store } = this.#options
    const { state } = await load<BatchState, BatchEvent>(store, batchDecider, batchStream(this.id))
    if (state.status !== 'running' && state.status !== 'cancelling') return
    while (!this.#signal.aborted) {
      if (!this.#isCancelled()) await this.#requestItems(state.batch)
      await this.#until(() => this.#pending.size === 0 || this.#isCancelled())
      if (this.#isCancelled()) {
        await this.#cancelQueued()
        await this.#until(() => this.#pending.size === 0)
      }
      if (!this.#signal.aborted && (await this.#end(state.batch))) return
    }
  }

  async #requestItems(batch: RecordedBatch): Promise<void> {
    try {
      for await (const item of inSlices(readItems(this.#options.objects, batch.input))) {
        const id = itemGenerationId(this.id, item.index)
        if (this.#pending.has(id)) continue
        const known = this.#options.generations.find(id)
        if (known && isFinal(known)) continue
        if (!known) await this.#untilRoom()
        if (this.#hasStopped() || this.#isCancelled()) break
        this.#pending.set(id, performance.now())
        // Another process may have requested it before.
        const begun = known ?? this.#options.generations.find(id)
        if (begun && isFinal(begun)) this.#pending.delete(id)
        if (begun) continue
        const sending: Promise<void> = this.#send(batch, id, item)
          .catch((err) => {
            this.#failure ??= err
          })
          .finally(() => {
            this.#sending.delete(sending)
            this.#wakeUp.wake()
          })
        this.#sending.add(sending)
      }
    } finally {
      await Promise.all(this.#sending)
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  async #send(batch: RecordedBatch, id: string, { index, request, input }: StoredItem): Promise<void> {
    const { generationQueue, log } = this.#options
    const caller = { ownerId: batch.owner_id, apiKeyId: batch.api_key_id }
    const cause = this.#cause(id, 'command', caller.apiKeyId)
    const details = { ...request, batch: { id: this.id, index } }
    const submission = { id, caller, cause, details, input, isItem: true }
    await retryWhileUnavailable(() => generationQueue.submit(submission), { log, stopping: this.#signal })
  }

  #cause(id: string, purpose: string, api_key_id: string) {
    // The ids are derived, so that JetStream drops a repeated command, and an event is appended once.
    return {
      id: derivedUuid(id, purpose),
      time: new Date().toISOString(),
      correlation_id: this.id,
      api_key_id,
    }
  }

  /** Waits until another item may be sent, the batch is cancelled, or the run ends. */
  async #untilRoom(): Promise<void> {
    const { queuePlaces } = this.#options
    const hasRoom = async () =>
      this.#sending.size < maxSending && this.#pending.size < this.#window.size(await queuePlaces.free())
    while (!this.#hasStopped() && !this.#isCancelled() && !(await hasRoom())) await this.#wait(roomMs)
  }

  /** Cancels the items that wait in the queue, also those that another process has requested. */
  async #cancelQueued(): Promise<void> {
    const { queue } = this.#options
    const queued = await queue.ids(this.ownerId)
    const own = queued.filter((id) => placeInBatch(this.id, id) !== undefined)
    for (const id of own) if (!this.#hasEnded(id)) this.#pending.set(id, performance.now())
    for (let at = 0; at < own.length && !this.#signal.aborted; at += maxCancelling) {
      await Promise.all(own.slice(at, at + maxCancelling).map((id) => this.#cancel(id)))
    }
  }

  async #cancel(id: string): Promise<void> {
    const { queue, client, generations } = this.#options
    // An item that a renderer has begun is not cancelled.
    const queued = generations.find(id) ? undefined : await queue.find(id, this.ownerId)
    if (!queued) return
    const { request } = queued
    await cancelGeneration(client, request, this.#cause(id, 'cancel', request.api_key_id)).catch((err) => {
      if (!(err instanceof DomainError)) throw err
    })
  }

  /** Resolves to whether the end was recorded: not if items are missing, whose commands were lost. */
  async #end({ total, api_key_id }: RecordedBatch): Promise<boolean> {
    const { store, batches, untilCaughtUp, log } = this.#options
    await untilCaughtUp()
    const { rendering, ...ended } = batches.begun(this.id)
    const isWhole = ended.completed + ended.failed + ended.cancelled >= total
    if (rendering > 0 || !(isWhole || this.#isCancelled())) {
      await this.#wakeUp.wait(1_000, this.#signal)
      return false
    }
    const { state } = await handleCommand({
      store,
      decider: batchDecider,
      stream: batchStream(this.id),
      command: { type: 'EndBatch', data: ended, metadata: this.#cause(this.id, 'end', api_key_id) },
    })
    // A run begins again as long as the view shows that it is needed.
    await untilCaughtUp()
    log.info({ batch: this.id, status: state.status, ...ended }, 'batch ended')
    return true
  }

  /** Waits until the condition holds, or the run ends. */
  async #until(isTrue: () => boolean): Promise<void> {
    while (!this.#hasStopped() && !isTrue()) await this.#wait(1_000)
    if (this.#failure !== undefined) throw this.#failure
  }

  async #wait(ms: number): Promise<void> {
    await this.#wakeUp.wait(ms, this.#signal)
    await this.#lookUpOld()
  }

  #hasStopped(): boolean {
    return this.#signal.aborted || this.#failure !== undefined
  }

  /** Forgets items whose commands were lost: they are requested again. */
  async #lookUpOld(): Promise<void> {
    const { finder } = this.#options
    const now = performance.now()
    if (now - this.#lookedUpAt < lookUpAfterMs / 4) return
    this.#lookedUpAt = now
    for (const [id, since] of this.#pending) {
      if (now - since < lookUpAfterMs) continue
      const found = await finder.find(id, { ownerId: this.ownerId, apiKeyId: '' })
      if (found && !isFinal(found)) this.#pending.set(id, now)
      else this.#pending.delete(id)
    }
  }

  #isCancelled(): boolean {
    return this.#options.batches.state(this.id).status === 'cancelling'
  }

  #hasEnded(generationId: string): boolean {
    const record = this.#options.generations.find(generationId)
    return record !== undefined && isFinal(record)
  }
}
