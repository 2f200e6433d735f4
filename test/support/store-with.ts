import type { EventStore } from '@platen/event-store/event-store.ts'

/** A store with other methods. Whoever closes it does not close the one behind it, which others use. */
export function storeWith(store: EventStore, methods: Partial<EventStore>): EventStore {
  return {
    append: (...args) => store.append(...args),
    readStream: (...args) => store.readStream(...args),
    readLog: (options) => store.readLog(options),
    identity: () => store.identity(),
    end: () => store.end(),
    before: (time) => store.before(time),
    check: () => store.check(),
    subscribe: (options) => store.subscribe(options),
    close: async () => {},
    ...methods,
  }
}
