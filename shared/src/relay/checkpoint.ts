import type { Position } from '../event-store/event-store.ts'

/** How far a relay has come, saved a little later: a busy one saves once for many events, not once for each. */
export interface RelayCheckpoint extends AsyncDisposable {
  /** All up to here is published. */
  reached(position: Position): void
}

/**
 * A crash repeats what was published within this time; its message ids are dropped by the broker, as those of a crash
 * before a save would be.
 */
const saveWithinMs = 200

export interface RelayCheckpointOptions {
  save(position: Position): Promise<unknown>
  /** A save failed. The next one makes up for it. */
  onFault(err: unknown): void
}

/** What was reached is saved at the latest when it is disposed of. */
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
