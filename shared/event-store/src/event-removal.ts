/** Some events of a stream. */
export interface RemovedEvents {
  stream: string
  /** The revision of the event that says that those before it are in the archive. It is kept. */
  before: number
}

/**
 * Removes events from a log that are in its archive, for `archive/remove-events.ts`. Not part of the port: services never remove
 * an event. `openEventRemoval` opens that of an adapter.
 */
export interface EventRemoval {
  /** Durable when it resolves. Events that are gone are ignored. Throws StoreUnavailable; some may be removed then. */
  remove(removed: readonly RemovedEvents[]): Promise<void>
  /** Gives free space back to the file system. Resolves to its bytes; undefined if only an operator of the server can do it. */
  reclaim(): Promise<number | undefined>
  close(): Promise<void>
}
