import type { Position } from '../event-store/event-store.ts'

/** Saves the position of a relay with a delay, so that a busy relay saves once for many events. */
export interface RelayCheckpoint extends AsyncDisposable {
  /** Every event up to `position` is published. */
  reached(position: Position): void
}

/**
 * A crash repeats the events of this time. The broker drops them as duplicates by their message ids.
 */
const saveWithinMs = 200

export interface RelayCheckpointOptions {
  save(position: Position): Promise<unknown>
  /** Called when a save failed. The next save includes its position. */
  onFault(err: unknown): void
}

/** Disposing saves the last position. */
export function openRelayCheckpoint({ save, onFault }: RelayCheckpointOptions): RelayCheckpoint {
  let unsaved: Position | undefined
  let timer: NodeJS.Timeout | undefined
  let saving: Promise<unknown> = Promise.resolve()

  const saveNow = () => {
    clearTimeout(timer)
    timer = undefined
    const position = unsaved
    unsaved = undefined
    if (position !== undefined) saving = saving.then(() => save(position)).catch(onFault)
  }
  return {
    reached(position) {
      unsaved = position
      timer ??= setTimeout(saveNow, saveWithinMs)
    },
    async [Symbol.asyncDispose]() {
      saveNow()
      await saving
    },
  }
}
