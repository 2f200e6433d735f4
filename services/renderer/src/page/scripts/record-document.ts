import type { PageScripts } from '../contract.ts'

const maxErrors = 20
const maxChars = 500

/** An animation that counts its frames instead of the time gets as many as a second has. */
const countedFrames = 60

const hidden =
  'Uncaught error in a script of another origin: its details are hidden from the document. Add crossorigin to the <script>, ' +
  'and Access-Control-Allow-Origin to the answer of its server'

type Callback = (...values: unknown[]) => unknown

/**
 * Events of the DevTools protocol would have no limit: a script that logs in an endless loop would overload the browser
 * and the pipe. The functions that are called later are kept here, because the document may replace them. A document that
 * changes the recorder affects only itself.
 */
export const recordDocument: PageScripts['recordDocument'] = () => {
  const { complaints } = keepErrors()
  return { complaints, ...trackMovement() }
}

/** In the document's own world, where no function of the document is called. */
export const callRecorder: PageScripts['callRecorder'] = function (name, value) {
  return this[name](value)
}

function keepErrors() {
  const slice = Function.prototype.call.bind(String.prototype.slice) as (
    text: string,
    from: number,
    to: number,
  ) => string
  const { stringify } = JSON
  let kept = ''
  let count = 0
  const inWords = (value: unknown): string => {
    try {
      if (typeof value !== 'object' || value === null || value instanceof Error) return `${value}`
      return stringify(value) ?? `${value}`
    } catch {
      return typeof value
    }
  }
  const keep = (message: string) => {
    if (count >= maxErrors) return
    count += 1
    kept += `${slice(message, 0, maxChars)}\0`
  }
  const replacement = {
    error(...values: unknown[]) {
      if (count >= maxErrors) return
      let message = ''
      for (let i = 0; i < values.length && message.length < maxChars; i++) {
        message += (i === 0 ? '' : ' ') + slice(inWords(values[i]), 0, maxChars)
      }
      keep(message)
    },
  }
  Object.assign(console, replacement)
  const place = (url: unknown, line: number) => {
    if (typeof url !== 'string' || url === '' || !line) return ''
    const path = url === location.href ? `line ${line}` : `${url.slice(0, 200)}, line ${line}`
    return ` (${path})`
  }
  const thrown = ({ message, error, filename, lineno }: ErrorEvent) => {
    if ((error === null || error === undefined) && message === 'Script error.') return keep(hidden)
    const words = error === null || error === undefined ? message : inWords(error)
    keep(`Uncaught ${words}${place(filename, lineno)}`)
  }
  const rejected = ({ reason }: PromiseRejectionEvent) => keep(`Uncaught (in promise) ${inWords(reason)}`)
  const listen = () => {
    addEventListener('error', thrown)
    addEventListener('unhandledrejection', rejected)
  }
  // document.open() removes event listeners but not observers, which run before the first script is parsed.
  new MutationObserver(listen).observe(document, { childList: true })
  return { complaints: () => kept }
}

/** Pending timers and animation frames. */
function trackMovement() {
  const { apply } = Reflect
  const now = performance.now.bind(performance)
  const due = new Map<unknown, number>()
  const { set, delete: remove, forEach } = Map.prototype
  const original = { setTimeout, setInterval, clearTimeout, clearInterval, requestAnimationFrame }
  let frames = 0
  let seen = 0
  const callbackOf = (callback: unknown, run: (self: unknown, values: unknown[]) => unknown) =>
    typeof callback !== 'function'
      ? callback
      : function (this: unknown, ...values: unknown[]) {
          return run(this, values)
        }
  const replacements = {
    requestAnimationFrame(this: unknown, callback: unknown, ...values: unknown[]) {
      frames += 1
      // Chromium's own argument does not follow virtual time.
      const run = callbackOf(callback, (self) => apply(callback as Callback, self, [now()]))
      return apply(original.requestAnimationFrame, this ?? window, [run, ...values])
    },
    setTimeout(this: unknown, callback: unknown, ms: unknown, ...values: unknown[]) {
      // A late timer has not run yet. Only its call ends it.
      let id: unknown
      const run = callbackOf(callback, (self, values) => {
        apply(remove, due, [id])
        return apply(callback as Callback, self, values)
      })
      id = apply(original.setTimeout, this ?? window, [run, ms, ...values])
      if (run !== callback) apply(set, due, [id, now() + (+(ms as number) || 0)])
      return id
    },
    setInterval(this: unknown, ...values: unknown[]) {
      const id = apply(original.setInterval, this ?? window, values)
      apply(set, due, [id, 0])
      return id
    },
    clearTimeout(this: unknown, id: unknown) {
      apply(remove, due, [+(id as number)])
      return apply(original.clearTimeout, this ?? window, [id])
    },
    clearInterval(this: unknown, id: unknown) {
      apply(remove, due, [+(id as number)])
      return apply(original.clearInterval, this ?? window, [id])
    },
  }
  Object.assign(window, replacements)
  /** Whether a frame was requested since the last call. */
  const isDrawing = () => {
    const requested = frames !== seen
    seen = frames
    return requested
  }
  return {
    moving(withinMs: number) {
      const requested = isDrawing()
      let waiting = false
      const time = now()
      const look = (at: number) => {
        if (at - time <= withinMs) waiting = true
      }
      apply(forEach, due, [look])
      return requested || waiting
    },
    drawing: () => isDrawing() && frames < countedFrames,
  }
}
