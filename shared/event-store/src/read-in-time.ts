import { defined } from '@platen/foundation/json/defined.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { ArchiveDamaged, type EventStore, type ReadOptions, type StoredEvent, StoreUnavailable } from './event-store.ts'

/** The reading part of the port. */
export type StreamReader = Pick<EventStore, 'readStream'>

const retryMs = 50

/**
 * Limits how long a read may take. A read that fails, because a connection was cut for example, continues after the last
 * event until then. Throws StoreUnavailable, and ArchiveDamaged at once.
 */
export function readingInTime(store: StreamReader, timeoutMs: number): StreamReader {
  return {
    async *readStream(stream, options = {}): AsyncIterable<StoredEvent> {
      const timeout = AbortSignal.timeout(timeoutMs)
      const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
      for (let rest: ReadOptions | undefined = { ...options, signal }; rest !== undefined; ) {
        try {
          for await (const event of store.readStream(stream, rest)) {
            rest = after(event, rest)
            yield event
            if (rest === undefined) return
          }
          return
        } catch (cause) {
          if (cause instanceof ArchiveDamaged) throw cause
          if (!(cause instanceof StoreUnavailable) && !timeout.aborted) throw cause
          await sleep(retryMs, signal)
          if (options.signal?.aborted) throw cause
          if (timeout.aborted) throw new StoreUnavailable('The event store does not answer', { cause })
        }
      }
    },
  }
}

/** The options of a read that continues after the event; undefined if it was the last one. */
function after({ revision }: StoredEvent, options: ReadOptions): ReadOptions | undefined {
  const limit = options.limit === undefined ? undefined : options.limit - 1
  const from = options.backwards ? revision - 1 : revision + 1
  if (limit === 0 || from < 0) return undefined
  return { ...options, from, ...defined({ limit }) }
}
