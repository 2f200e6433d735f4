/**
 * Aborts a controller, with the same reason, when one of the signals does, until disposal. AbortSignal.any needs none, but leaves
 * weak references that the garbage collector has to find, which takes longer than most work that it would end.
 */
export function abortWith(controller: AbortController, signals: readonly AbortSignal[]): Disposable {
  const aborted = signals.find((signal) => signal.aborted)
  if (aborted) {
    controller.abort(aborted.reason)
    return { [Symbol.dispose]() {} }
  }
  const abort = ({ target }: Event) => controller.abort((target as AbortSignal).reason)
  for (const signal of signals) signal.addEventListener('abort', abort)
  return {
    [Symbol.dispose]() {
      for (const signal of signals) signal.removeEventListener('abort', abort)
    },
  }
}
