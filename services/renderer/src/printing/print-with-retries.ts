import { DomainError } from '@platen/shared/runtime/errors.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { backoffMs, sleep } from '@platen/shared/runtime/sleep.ts'
import { BrowserLost, PageCrashed, PrintFailed } from '../browser/browser-errors.ts'
import type { BrowserPage } from '../browser-pool/browser-page.ts'

/** A document whose page or browser dies under it this often is at fault itself. */
const maxCrashes = 3
/** Where others kill: somebody may kill one after another, and a system short of memory does so too. */
const maxTries = 10

/** The pages of a dying browser fail a moment before it is known to be gone. */
const retry = { firstMs: 50, maxMs: 1_000 }
const lossKnownAfterMs = 300

/** Tries again when the browser is lost under a document. Rejects with what the last attempt did. */
export async function printWithRetries<Result>(
  attempt: () => Promise<Result>,
  { signal, log }: { signal: AbortSignal; log: Logger },
): Promise<Result> {
  let crashes = 0
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (err) {
      if (!(err instanceof BrowserLost)) throw err
      if (!err.blameless) crashes += 1
      if (crashes === maxCrashes) throw finalError(err)
      if (tries === maxTries) throw err
      log.warn({ err, tries, crashes }, 'lost the browser under a document, trying again')
      await sleep(backoffMs(tries, retry), signal)
    }
  }
}

/** Commands to a page that is going down fail before it is known to be gone, and of what. */
export async function causeOfLoss(cause: unknown, { lost }: BrowserPage): Promise<BrowserLost> {
  await sleep(lossKnownAfterMs, lost)
  if (lost.aborted) return lost.reason
  return cause instanceof BrowserLost ? cause : new BrowserLost('the browser failed', { cause })
}

function finalError(err: BrowserLost): Error {
  if (err instanceof PrintFailed) return err.refusal
  return err instanceof PageCrashed ? crashed(err) : err
}

function crashed(cause: PageCrashed): DomainError {
  return new DomainError('RENDER_FAILED', `The document crashed its page ${maxCrashes} times`, { cause })
}
