import { setTimeout as delay } from 'node:timers/promises'
import type { WaitFor } from '@platen/shared/contracts/pdf-options.ts'
import { DomainError, fail } from '@platen/shared/runtime/errors.ts'
import { untilAborted } from '@platen/shared/runtime/until-aborted.ts'
import { ProtocolError } from '../browser/cdp/session.ts'
import type { BrowserPage } from '../browser-pool/browser-page.ts'

const firstPauseMs = 5
const longestPauseMs = 50
const maxQuotedChars = 200

/**
 * It gives up so long before the document's deadline: whoever waits with the same deadline, which began a little
 * earlier, is to hear why.
 */
const reserveMs = 1_000

/**
 * Waits for what the author of a scripted document said it is ready by. Asked again and again rather than told: a
 * document that never answers keeps nothing of ours busy. Rejects with RENDER_TIMEOUT in words that name `wait_for`,
 * and with the signal's reason.
 */
export async function waitFor(
  page: BrowserPage,
  wait: WaitFor,
  { deadlineMs, signal }: { deadlineMs: number; signal: AbortSignal },
): Promise<void> {
  const last: Told = { met: false }
  const patience = AbortSignal.timeout(Math.max(deadlineMs - reserveMs, deadlineMs / 2))
  const until = AbortSignal.any([signal, patience])
  try {
    if (wait.ms !== undefined) await delay(wait.ms, undefined, { signal: until })
    if (wait.selector !== undefined) await untilMet(() => findSelector(page, wait.selector ?? ''), last, until)
    if (wait.expression !== undefined) await untilMet(() => evaluate(page, wait.expression ?? ''), last, until)
  } catch (err) {
    if (!until.aborted) throw err
    if (signal.aborted && !isTimeout(signal.reason)) throw signal.reason
    throw new DomainError('RENDER_TIMEOUT', `The document was not ready in time: ${unmet(wait, last)}`, { cause: err })
  }
}

const isTimeout = (reason: unknown) => reason instanceof DomainError && reason.code === 'RENDER_TIMEOUT'

interface Told {
  met: boolean
  /** What the expression threw. */
  error?: string
}

async function untilMet(ask: () => Promise<Told>, last: Told, signal: AbortSignal): Promise<void> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    Object.assign(last, await untilAborted(ask(), signal))
    if (last.met) return
    await delay(pauseMs, undefined, { signal })
  }
}

/** In our own world, past the names that the document's elements may take. */
async function findSelector({ session, isolatedWorldId: contextId }: BrowserPage, selector: string): Promise<Told> {
  const expression = `(() => {
    try { return Document.prototype.querySelector.call(document, ${JSON.stringify(selector)}) !== null }
    catch { return 'invalid' }
  })()`
  const { result } = await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true })
  if (result.value === 'invalid')
    fail('RENDER_FAILED', `options.wait_for.selector is no CSS selector: ${cut(selector)}`)
  return { met: result.value === true }
}

/**
 * In the document's world. What it throws may be over with the next attempt, as a variable is not there yet; only what
 * cannot be parsed never will.
 */
async function evaluate({ session }: BrowserPage, source: string): Promise<Told> {
  const expression = `(async () => { try { return !!(await (${source}\n)) } catch (err) { return '' + err } })()`
  try {
    const options = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', options)
    if (exceptionDetails?.exception?.className === 'SyntaxError') {
      const [message = ''] = exceptionDetails.exception.description?.split('\n') ?? []
      fail('RENDER_FAILED', `options.wait_for.expression cannot be parsed: ${cut(message)}`)
    }
    if (typeof result.value === 'string') return { met: false, error: result.value }
    return { met: result.value === true }
  } catch (err) {
    // A promise that nothing can settle any more is collected as garbage.
    if (err instanceof ProtocolError) return { met: false, error: 'its promise was never settled' }
    throw err
  }
}

function unmet({ selector, expression, ms }: WaitFor, { error }: Told): string {
  if (selector !== undefined) return `no element matched options.wait_for.selector ${cut(selector)}`
  if (ms !== undefined) return `options.wait_for.ms asks for ${ms} ms after the load`
  const last = error === undefined ? '' : `; its last error: ${cut(error)}`
  return `options.wait_for.expression did not become true: ${cut(expression ?? '')}${last}`
}

function cut(text: string): string {
  return text.length > maxQuotedChars ? `${text.slice(0, maxQuotedChars)}…` : text
}
