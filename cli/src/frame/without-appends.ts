import type { EventStore } from '@platen/event-store/event-store.ts'

/**
 * The store for a dry run. A command is decided or refused as usual, but its events are dropped, and the append
 * resolves as if they were written.
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
    before: (time) => store.before(time),
    check: (options) => store.check(options),
    close: () => store.close(),
  }
}
