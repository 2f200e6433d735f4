import { type EventStore, type StoredEvent, StoreUnavailable } from './event-store.ts'

/** The reading part of the port. */
export type StreamReader = Pick<EventStore, 'readStream'>

/** Limits how long a read may take. It then throws StoreUnavailable. */
export function readingInTime(store: StreamReader, timeoutMs: number): StreamReader {
  return {
    async *readStream(stream, options = {}): AsyncIterable<StoredEvent> {
      const timeout = AbortSignal.timeout(timeoutMs)
      const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
      try {
        yield* store.readStream(stream, { ...options, signal })
      } catch (cause) {
        if (!timeout.aborted) throw cause
        throw new StoreUnavailable('The event store does not answer', { cause })
      }
    },
  }
}
