import { setTimeout as delay } from 'node:timers/promises'
import type { WaitFor } from '@platen/domain/document/pdf-options.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { ProtocolError } from '../chromium/browser/cdp/session.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { runInPage, scriptOf } from '../page/run-in-page.ts'

const firstPauseMs = 5
const longestPauseMs = 50
const maxQuotedChars = 200

/** Waiting ends this long before the deadline, so that a caller with the same deadline still receives the error. */
const reserveMs = 1_000

/**
 * Waits for the conditions of `wait_for`. They are polled, so that a document that never answers leaves no pending
 * work. Rejects with RENDER_TIMEOUT and the unmet condition, and with the signal's reason.
 */
export async function waitFor(
  page: BrowserPage,
  wait: WaitFor,
  { deadlineMs, signal, failsUndefined = false }: WaitOptions,
): Promise<void> {
  const { ms, selector, expression } = wait
  const last: Check = { met: false }
  const timeout = AbortSignal.timeout(Math.max(deadlineMs - reserveMs, deadlineMs / 2))
  const until = AbortSignal.any([signal, timeout])
  try {
    if (ms !== undefined) await delay(ms, undefined, { signal: until })
    if (selector !== undefined) await poll(() => checkSelector(page, selector), last, until)
    if (expression !== undefined) await untilAborted(parseExpression(page, expression), until)
    const check = async () => {
      const found = await checkExpression(page, expression ?? '')
      if (failsUndefined && (found.error !== undefined || found.isUndefined)) refuseExpression(expression ?? '')
      return found
    }
    if (expression !== undefined) await poll(check, last, until)
  } catch (err) {
    if (!until.aborted) throw err
    if (signal.aborted && !isTimeout(signal.reason)) throw signal.reason
    const message = `The document was not ready in time: ${describeUnmet(wait, last)}`
    throw new DomainError('RENDER_TIMEOUT', message, { cause: err })
  }
}

const isTimeout = (reason: unknown) => reason instanceof DomainError && reason.code === 'RENDER_TIMEOUT'

interface WaitOptions {
  deadlineMs: number
  signal: AbortSignal
  /** Fails at once where the expression throws or is undefined. Default: it is evaluated again. */
  failsUndefined?: boolean | undefined
}

function refuseExpression(expression: string): never {
  const message = `options.wait_for.expression throws or is undefined: ${cut(expression)}`
  return fail('RENDER_FAILED', message, { refused: 'expression' })
}

interface Check {
  met: boolean
  isUndefined?: boolean
  /** The error that the expression threw. */
  error?: string
}

async function poll(check: () => Promise<Check>, last: Check, signal: AbortSignal): Promise<void> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    Object.assign(last, await untilAborted(check(), signal))
    if (last.met) return
    await delay(pauseMs, undefined, { signal })
  }
}

async function checkSelector(page: BrowserPage, selector: string): Promise<Check> {
  const matches = await runInPage(page, 'matchesSelector', selector)
  if (matches === 'invalid') {
    fail('RENDER_FAILED', `options.wait_for.selector is not a valid CSS selector: ${cut(selector)}`)
  }
  return { met: matches === true }
}

/**
 * Fails unless the source is one expression. It is wrapped in two kinds of brackets: unbalanced brackets such as
 * `1)); throw 1; ((1` may match one kind, but never both. A script is parsed as a whole before it runs, and this one
 * ends with its first statement.
 */
async function parseExpression({ session }: BrowserPage, source: string): Promise<void> {
  for (const wrapped of [`[async () => [${source}\n]]`, `(async () => (${source}\n))`]) {
    const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: `throw 0; ${wrapped}` })
    if (exceptionDetails?.exception?.type === 'number') continue
    const [message = ''] = exceptionDetails?.exception?.description?.split('\n') ?? []
    fail('RENDER_FAILED', `options.wait_for.expression cannot be parsed: ${cut(message)}`)
  }
}

/**
 * Runs in the document's own world. An error may be temporary, such as a variable that is not yet defined, but not a
 * syntax error.
 */
async function checkExpression({ session }: BrowserPage, source: string): Promise<Check> {
  const expression = `(async (describe) => {
    try {
      const value = await (${source}\n)
      return value === undefined ? undefined : !!value
    } catch (thrown) { return describe(thrown, ${maxQuotedChars + 1}) }
  })(${scriptOf('describeThrown')})`
  try {
    const options = { expression, awaitPromise: true, returnByValue: true }
    const { result } = await session.send('Runtime.evaluate', options)
    if (typeof result.value === 'string') return { met: false, error: result.value }
    return { met: result.value === true, isUndefined: result.type === 'undefined' }
  } catch (err) {
    // Chromium reports that the promise was garbage collected.
    if (err instanceof ProtocolError) return { met: false, error: 'its promise was never settled' }
    throw err
  }
}

function describeUnmet({ selector, expression, ms }: WaitFor, { error }: Check): string {
  if (selector !== undefined) return `no element matched options.wait_for.selector ${cut(selector)}`
  if (ms !== undefined) return `options.wait_for.ms asks for ${ms} ms after the load`
  const last = error === undefined ? '' : `; its last error: ${cut(error)}`
  return `options.wait_for.expression did not become true: ${cut(expression ?? '')}${last}`
}

function cut(text: string): string {
  return text.length > maxQuotedChars ? `${text.slice(0, maxQuotedChars)}…` : text
}
