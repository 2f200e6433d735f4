import { sleep } from '@platen/foundation/runtime/sleep.ts'

/** How long a disposal waits for a start in progress, such as one that waits for an unavailable server. */
const graceMs = 3_000

/**
 * Resolves when all have started, and rejects as soon as one has failed. They are released with the resources, the last one
 * first, also those that were still starting when another one failed.
 */
export async function startTogether<Started extends readonly AsyncDisposable[]>(
  resources: AsyncDisposableStack,
  starts: { [Index in keyof Started]: Promise<Started[Index]> },
): Promise<Started> {
  let grace: Promise<undefined> | undefined
  for (const start of starts) {
    const started = start.catch(() => undefined)
    resources.defer(async () => {
      grace ??= sleep(graceMs).then(() => undefined)
      const running = await Promise.race([started, grace])
      await running?.[Symbol.asyncDispose]()
    })
  }
  return Promise.all(starts) as unknown as Promise<Started>
}
