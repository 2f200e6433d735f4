/** Saves the position of a relay with a delay, so that a busy relay saves once for many events. */
export interface RelayCheckpoint<Value> extends AsyncDisposable {
  /** Every event up to there is published. */
  reached(value: Value): void
}

export interface RelayCheckpointOptions<Value> {
  /** The delay in ms. */
  withinMs: number
  save(value: Value): Promise<unknown>
  /** Called when a save failed. The next save includes its position. */
  onFault(err: unknown): void
}

/** Disposing saves the last position. */
export function openRelayCheckpoint<Value>({
  withinMs,
  save,
  onFault,
}: RelayCheckpointOptions<Value>): RelayCheckpoint<Value> {
  let unsaved: Value | undefined
  let timer: NodeJS.Timeout | undefined
  let saving: Promise<unknown> = Promise.resolve()

  const saveNow = () => {
    clearTimeout(timer)
    timer = undefined
    const value = unsaved
    unsaved = undefined
    if (value !== undefined) saving = saving.then(() => save(value)).catch(onFault)
  }
  return {
    reached(value) {
      unsaved = value
      timer ??= setTimeout(saveNow, withinMs)
    },
    async [Symbol.asyncDispose]() {
      saveNow()
      await saving
    },
  }
}
