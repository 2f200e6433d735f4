/** Interrupts the wait of a loop. A call between two waits ends the next one at once. */
export class WakeUp {
  #isPending = false
  #end = () => {}

  readonly wake = (): void => {
    this.#isPending = true
    this.#end()
  }

  /** Resolves at a call of `wake`, after `ms`, or when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        this.#isPending = false
        this.#end = () => {}
        resolve()
      }
      const timer = setTimeout(end, ms)
      this.#end = end
      if (this.#isPending || signal.aborted) end()
      else signal.addEventListener('abort', end)
    })
  }
}
