import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'

/** What code that runs in a process of a model gets instead of the clock, the timers and the random numbers of this machine. */
export interface Surroundings {
  nowMs(): number
  /** Returns a function that clears the timer. */
  setTimer(ms: number, fire: () => void): () => void
  randomBytes(size: number): Buffer
  /** Resolves in a later turn of the event loop. */
  nextTurn(): Promise<void>
}

const current = new AsyncLocalStorage<Surroundings>()

/** Runs the work, and all that it starts, in the surroundings. */
export function runIn<Result>(surroundings: Surroundings, work: () => Result): Result {
  return current.run(surroundings, work)
}

/** Undefined for code of the test itself. */
export function currentSurroundings(): Surroundings | undefined {
  return current.getStore()
}

class ModelTimer {
  clear = () => {}
  ref() {
    return this
  }
  unref() {
    return this
  }
  hasRef() {
    return true
  }
}

/** Replaces the globals until it is disposed of. Code outside a model's processes gets the real ones. */
export function controlGlobals(): Disposable {
  const globals = {
    Date: globalThis.Date,
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    clearTimeout: globalThis.clearTimeout,
    clearInterval: globalThis.clearInterval,
  }
  const real = {
    ...globals,
    globals,
    random: Math.random,
    sleep: timersPromises.setTimeout,
    nextTurn: timersPromises.setImmediate,
    randomUUID: crypto.randomUUID,
    randomBytes: crypto.randomBytes,
    timeout: AbortSignal.timeout,
  }
  const startMs = real.Date.now()

  class ModelDate extends real.Date {
    constructor(...args: [] | [string | number | Date]) {
      const now = current.getStore()?.nowMs()
      if (args.length > 0 || now === undefined) super(...(args as [string]))
      else super(now)
    }
    static override now() {
      return current.getStore()?.nowMs() ?? real.Date.now()
    }
  }
  const once = (fire: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const surroundings = current.getStore()
    if (!surroundings) return real.setTimeout(fire, ms, ...args)
    const timer = new ModelTimer()
    timer.clear = surroundings.setTimer(ms, () => fire(...args))
    return timer
  }
  const repeated = (fire: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const surroundings = current.getStore()
    if (!surroundings) return real.setInterval(fire, ms, ...args)
    const timer = new ModelTimer()
    const again = () => {
      timer.clear = surroundings.setTimer(ms, () => {
        again()
        fire(...args)
      })
    }
    again()
    return timer
  }
  const clear = (timer: unknown) =>
    timer instanceof ModelTimer ? timer.clear() : real.clearTimeout(timer as NodeJS.Timeout)
  const sleep = (ms = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}) => {
    const surroundings = current.getStore()
    if (!surroundings) return real.sleep(ms, value, signal ? { signal } : {})
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const clearTimer = surroundings.setTimer(ms, () => resolve(value))
      const abort = () => {
        clearTimer()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
    })
  }
  const nextTurn = (value?: unknown) => current.getStore()?.nextTurn() ?? real.nextTurn(value)
  const randomBytes = (size: number, ...rest: []) =>
    current.getStore()?.randomBytes(size) ?? real.randomBytes(size, ...rest)
  const randomUUID = (...options: []) => {
    const bytes = current.getStore()?.randomBytes(16).toString('hex')
    return bytes?.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5') ?? real.randomUUID(...options)
  }
  const timeout = (ms: number) => {
    const surroundings = current.getStore()
    if (!surroundings) return real.timeout.call(AbortSignal, ms)
    const controller = new AbortController()
    surroundings.setTimer(ms, () => controller.abort(new DOMException('the time is over', 'TimeoutError')))
    return controller.signal
  }
  // In a model it is the same in each run: what is done at common moments of all processes depends on it.
  const now = () => current.getStore()?.nowMs() ?? real.Date.now() - startMs

  Object.assign(globalThis, { Date: ModelDate, setTimeout: once, setInterval: repeated })
  Object.assign(globalThis, { clearTimeout: clear, clearInterval: clear })
  Object.assign(Math, { random: () => (current.getStore() ? 0.5 : real.random()) })
  Object.assign(AbortSignal, { timeout })
  Object.assign(performance, { now })
  Object.assign(timersPromises, { setTimeout: sleep, setImmediate: nextTurn })
  Object.assign(crypto, { randomUUID, randomBytes })
  syncBuiltinESMExports()
  return {
    [Symbol.dispose]() {
      Object.assign(globalThis, real.globals)
      Object.assign(Math, { random: real.random })
      Object.assign(AbortSignal, { timeout: real.timeout })
      Reflect.deleteProperty(performance, 'now')
      Object.assign(timersPromises, { setTimeout: real.sleep, setImmediate: real.nextTurn })
      Object.assign(crypto, { randomUUID: real.randomUUID, randomBytes: real.randomBytes })
      syncBuiltinESMExports()
    },
  }
}
