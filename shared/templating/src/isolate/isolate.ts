import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core'

import { discardQuickJs, type QuickJs } from './quickjs.ts'

/**
 * The globals of a script and the function that calls its helpers. It runs before the script and keeps references to
 * what it needs, so that a script that replaces `JSON` or a prototype harms only itself. Arguments and results are JSON
 * texts: no object passes the boundary.
 */
const prelude = `(now) => {
  'use strict'
  const { parse, stringify } = JSON
  const SystemDate = Date
  const JobDate = function Date(...given) {
    if (new.target === undefined) return new SystemDate(now).toString()
    return Reflect.construct(SystemDate, given.length === 0 ? [now] : given, new.target)
  }
  JobDate.prototype = SystemDate.prototype
  JobDate.prototype.constructor = JobDate
  Object.assign(JobDate, { now: () => now, parse: SystemDate.parse, UTC: SystemDate.UTC })
  globalThis.Date = JobDate
  Math.random = () => {
    throw new TypeError('Math.random would give another document each time')
  }
  class SafeString {
    constructor(text) { this.text = String(text) }
    toString() { return this.text }
    toHTML() { return this.text }
  }
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;', '\`': '&#x60;', '=': '&#x3D;' }
  const escapeExpression = (value) => {
    if (value instanceof SafeString) return value.text
    return value === undefined || value === null ? '' : String(value).replace(/[&<>"'\`=]/g, (found) => entities[found])
  }
  globalThis.Handlebars = Object.freeze({ SafeString, escapeExpression })
  return (helper, json) => {
    const { args, absent, options } = parse(json)
    for (const index of absent) args[index] = undefined
    const result = helper(...args, options)
    if (result instanceof SafeString) return stringify({ html: result.text })
    const type = typeof result
    if (type === 'function' || type === 'symbol' || type === 'bigint') throw new TypeError('it returns a ' + type)
    if (type === 'object' && result !== null && typeof result.then === 'function') {
      throw new TypeError('it returns a promise, and helpers are not asynchronous')
    }
    return stringify({ value: result })
  }
}`

/** Limits of one document. */
export const isolateLimits = {
  memoryBytes: 16 * 1024 * 1024,
  stackBytes: 128 * 1024,
  /** Time of the script and all calls of its functions. */
  timeMs: 1_000,
  /** Length of a result as JSON. */
  resultChars: 1024 * 1024,
} as const

/** An exception of the script. Lines and columns are counted from 1. */
export class ScriptError extends Error {
  readonly place: { line: number; column: number } | undefined

  constructor(problem: string, place?: { line: number; column: number }) {
    super(problem)
    this.place = place
  }
}

/** The script needed more than the isolate has. */
export class IsolateLimit extends Error {}

const fileName = 'helpers.js'
const mostMessage = 300

/** Memory, time limit and global objects of one script for one document. */
export class Isolate implements Disposable {
  readonly #runtime: QuickJSRuntime
  readonly #context: QuickJSContext
  readonly #call: QuickJSHandle
  readonly #functions = new Map<string, QuickJSHandle>()
  /** Handles of the context, which must be released before it. */
  readonly #held: QuickJSHandle[] = []
  #leftMs: number = isolateLimits.timeMs
  #until = Number.POSITIVE_INFINITY
  #isBroken = false

  /** Runs an ES module, which exports functions only. `now`: what it takes for the time, in ms. Throws ScriptError and IsolateLimit. */
  constructor(quickJs: QuickJs, source: string, now: number) {
    this.#runtime = quickJs.newRuntime()
    this.#runtime.setMemoryLimit(isolateLimits.memoryBytes)
    this.#runtime.setMaxStackSize(isolateLimits.stackBytes)
    this.#runtime.setInterruptHandler(() => performance.now() > this.#until)
    this.#context = this.#runtime.newContext()
    this.#call = this.#hold(this.#runPrelude(now))
    try {
      this.#readFunctions(this.#limited(() => this.#context.evalCode(source, fileName, { type: 'module' })))
    } catch (err) {
      this[Symbol.dispose]()
      throw err
    }
  }

  /** Names of the exported functions. */
  get names(): string[] {
    return [...this.#functions.keys()]
  }

  /** Returns the JSON text that the prelude's function returns. Throws ScriptError and IsolateLimit. */
  call(name: string, json: string): string {
    const helper = this.#functions.get(name)
    if (!helper) throw new ScriptError(`there is no function ${name}`)
    if (this.#isBroken || this.#leftMs <= 0) throw tooLong()
    using text = this.#context.newString(json)
    using result = this.#limited(() => this.#context.callFunction(this.#call, this.#context.undefined, helper, text))
    if (this.#context.typeof(result) !== 'string') throw new ScriptError('its result is not JSON')
    const found = this.#context.getString(result)
    if (found.length > isolateLimits.resultChars) {
      throw new IsolateLimit(`returned more than ${isolateLimits.resultChars / 1024 / 1024} MiB`)
    }
    return found
  }

  [Symbol.dispose](): void {
    if (this.#isBroken) return
    try {
      for (const handle of this.#held) handle.dispose()
      this.#context.dispose()
      this.#runtime.dispose()
    } catch {
      discardQuickJs()
    }
  }

  #runPrelude(now: number): QuickJSHandle {
    using start = this.#context.unwrapResult(this.#context.evalCode(prelude))
    using time = this.#context.newNumber(now)
    return this.#context.unwrapResult(this.#context.callFunction(start, this.#context.undefined, time))
  }

  #hold(handle: QuickJSHandle): QuickJSHandle {
    this.#held.push(handle)
    return handle
  }

  #readFunctions(exported: QuickJSHandle): void {
    this.#hold(exported)
    // A promise of the exports, if the script awaits something.
    const state = this.#context.getPromiseState(exported)
    if (state.type === 'rejected') this.#hold(state.error)
    if (state.type === 'fulfilled' && !state.notAPromise) this.#hold(state.value)
    if (state.type !== 'fulfilled' || !state.notAPromise) throw new ScriptError('await is not possible here')
    using keys = this.#context.unwrapResult(
      this.#context.getOwnPropertyNames(exported, { onlyEnumerable: false, strings: true }),
    )
    for (const key of keys) {
      const name = this.#context.getString(key)
      const value = this.#hold(this.#context.getProp(exported, key))
      if (this.#context.typeof(value) !== 'function') throw new ScriptError(`the export ${name} is not a function`)
      this.#functions.set(name, value)
    }
  }

  /** Runs the script within its limits, and converts its exceptions. */
  #limited(work: () => ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    const since = performance.now()
    this.#until = since + this.#leftMs
    let result: ReturnType<QuickJSContext['evalCode']>
    try {
      result = work()
    } catch (err) {
      // An exception of WebAssembly itself, such as a stack overflow.
      this.#isBroken = true
      discardQuickJs()
      throw new IsolateLimit('are nested too deeply', { cause: err })
    } finally {
      this.#leftMs -= performance.now() - since
      this.#until = Number.POSITIVE_INFINITY
    }
    if (!result.error) return result.value
    using error = result.error
    if (this.#leftMs <= 0) throw tooLong()
    throw this.#problemOf(error)
  }

  /** The thrown value may be anything, and its properties may be functions, which run within the remaining time. */
  #problemOf(error: QuickJSHandle): ScriptError | IsolateLimit {
    this.#until = performance.now() + Math.max(0, this.#leftMs)
    try {
      const read = (name: string) => {
        using value = this.#context.getProp(error, name)
        return this.#context.typeof(value) === 'string' ? this.#context.getString(value) : ''
      }
      const isObject = this.#context.typeof(error) === 'object'
      const [name, message, stack] = isObject ? [read('name'), read('message'), read('stack')] : ['', '', '']
      if (name === 'InternalError' && message === 'out of memory') {
        return new IsolateLimit(`need more than ${isolateLimits.memoryBytes / 1024 / 1024} MiB of memory`)
      }
      if (name === 'InternalError' && message === 'stack overflow')
        return new IsolateLimit('call each other too deeply')
      const problem = isObject && message !== '' ? message : `it has thrown ${this.#context.typeof(error)}`
      const found = new RegExp(`${fileName}:(\\d+):(\\d+)`).exec(stack)
      const place = found ? { line: Number(found[1]), column: Number(found[2]) } : undefined
      return new ScriptError(problem.slice(0, mostMessage), place)
    } catch {
      return new ScriptError('its exception cannot be read')
    } finally {
      this.#until = Number.POSITIVE_INFINITY
    }
  }
}

const tooLong = () => new IsolateLimit(`took longer than ${isolateLimits.timeMs} ms in one document`)
