/** Settles like `work`, or rejects with the signal's reason when it aborts. Later rejections of `work` are ignored. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    work.then(
      (result) => {
        signal.removeEventListener('abort', abort)
        resolve(result)
      },
      (err) => {
        signal.removeEventListener('abort', abort)
        reject(err)
      },
    )
  })
}

/** Like `untilAborted` for several steps that one signal ends. It is listened to once. */
export function untilAbortedWith(signal: AbortSignal): <Result>(work: Promise<Result>) => Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  // Each step has it.
  aborted.catch(() => {})
  return (work) => Promise.race([work, aborted])
}
