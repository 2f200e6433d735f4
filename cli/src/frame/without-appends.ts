import type { EventStore } from '@platen/event-store/event-store.ts'

/**
 * The store for a dry run: a command is decided, and refused, as it would be, and what it would append is dropped. Resolves an
 * append as if it had been written.
 */
export function withoutAppends(store: EventStore): EventStore {
  return {
    async append(_stream, events, expected) {
      const before = typeof expected === 'number' ? expected : -1
      const end = await store.end()
      return { revision: before + events.length, position: end === 'start' ? ('' as never) : end }
    },
    readStream: (stream, options) => store.readStream(stream, options),
    readLog: (options) => store.readLog(options),
    subscribe: (options) => store.subscribe(options),
    identity: () => store.identity(),
    end: () => store.end(),
    check: (options) => store.check(options),
    close: () => store.close(),
  }
}
