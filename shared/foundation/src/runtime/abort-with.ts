/**
 * Aborts a controller when one of the signals aborts, with the same reason, until disposal. AbortSignal.any needs no
 * disposal, but leaves weak references whose collection takes longer than most work that it would abort.
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
