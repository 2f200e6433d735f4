import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'

const maxErrors = 20
const maxChars = 500

/** An animation that counts its frames instead of the time gets as many as a second has. */
const countedFrames = 60

/**
 * Runs in the document's own world before its scripts. Keeps the first console errors and uncaught errors, and tracks
 * pending timers and animation frames. Events of the DevTools protocol would have no limit: a script that logs in an
 * endless loop would overload the browser and the pipe. The recorder keeps references to the functions that it calls,
 * because the document may replace them. A document that changes the recorder affects only itself.
 */
const recorder = `(() => {
  const { apply } = Reflect
  const slice = Function.prototype.call.bind(String.prototype.slice)
  const { stringify } = JSON
  const now = performance.now.bind(performance)
  let kept = ''
  let count = 0
  const inWords = (value) => {
    try {
      if (typeof value !== 'object' || value === null || value instanceof Error) return '' + value
      return stringify(value) ?? '' + value
    } catch {
      return typeof value
    }
  }
  const keep = (message) => {
    if (count >= ${maxErrors}) return
    count += 1
    kept += slice(message, 0, ${maxChars}) + '\\0'
  }
  console.error = function error(...values) {
    if (count >= ${maxErrors}) return
    let message = ''
    for (let at = 0; at < values.length && message.length < ${maxChars}; at++) {
      message += (at === 0 ? '' : ' ') + slice(inWords(values[at]), 0, ${maxChars})
    }
    keep(message)
  }
  const place = (url, line) => {
    if (typeof url !== 'string' || url === '' || !line) return ''
    const path = url === location.href ? 'line ' + line : url.slice(0, 200) + ', line ' + line
    return ' (' + path + ')'
  }
  const thrown = ({ message, error, filename, lineno }) => {
    if (error == null && message === 'Script error.') {
      return keep('Uncaught error in a script of another origin: its details are hidden from the document. Add crossorigin to the <script>, and Access-Control-Allow-Origin to the answer of its server')
    }
    keep('Uncaught ' + (error == null ? message : inWords(error)) + place(filename, lineno))
  }
  const rejected = ({ reason }) => keep('Uncaught (in promise) ' + inWords(reason))
  const listen = () => {
    addEventListener('error', thrown)
    addEventListener('unhandledrejection', rejected)
  }
  // document.open() removes event listeners but not observers, which run before the first script is parsed.
  new MutationObserver(listen).observe(document, { childList: true })

  let frames = 0
  const due = new Map()
  const { set, delete: remove, forEach } = Map.prototype
  const original = { setTimeout, setInterval, clearTimeout, clearInterval, requestAnimationFrame }
  const replacements = {
    requestAnimationFrame(callback, ...values) {
      frames += 1
      // Chromium's own argument does not follow virtual time.
      const run = typeof callback !== 'function' ? callback : function () { return apply(callback, this, [now()]) }
      return apply(original.requestAnimationFrame, this ?? window, [run, ...values])
    },
    setTimeout(callback, ms, ...values) {
      // A late timer has not run yet. Only its call ends it.
      let id
      const run = typeof callback !== 'function' ? callback : function (...args) {
        apply(remove, due, [id])
        return apply(callback, this, args)
      }
      id = apply(original.setTimeout, this ?? window, [run, ms, ...values])
      if (run !== callback) apply(set, due, [id, now() + (+ms || 0)])
      return id
    },
    setInterval(...values) {
      const id = apply(original.setInterval, this ?? window, values)
      apply(set, due, [id, 0])
      return id
    },
    clearTimeout(id) {
      apply(remove, due, [+id])
      return apply(original.clearTimeout, this ?? window, [id])
    },
    clearInterval(id) {
      apply(remove, due, [+id])
      return apply(original.clearInterval, this ?? window, [id])
    },
  }
  Object.assign(window, replacements)
  let seen = 0
  return {
    complaints: () => kept,
    moving(withinMs) {
      const requested = frames !== seen
      seen = frames
      let waiting = false
      const time = now()
      apply(forEach, due, [(at) => {
        if (at - time <= withinMs) waiting = true
      }])
      return requested || waiting
    },
    drawing() {
      const requested = frames !== seen
      seen = frames
      return requested && frames < ${countedFrames}
    },
  }
})()`

/** Reads what the recorder in the document has kept. */
export interface DocumentRecord {
  /** Console errors and uncaught errors. */
  complaints(signal: AbortSignal): Promise<string[]>
  /** Whether an animation frame was requested since the last call, or a timer is due within `withinMs`. */
  isMoving(withinMs: number, signal: AbortSignal): Promise<boolean>
  /** Whether an animation frame was requested since the last call, and fewer than 60 since the start. */
  isDrawing(signal: AbortSignal): Promise<boolean>
}

/** Starts recording. Call it before the content is set; it does not wait for the page. */
export function recordDocument({ session }: BrowserPage): DocumentRecord {
  const recording = session.send('Runtime.evaluate', { expression: recorder })
  // Handled when the record is read. If the page is lost, the caller knows.
  recording.catch(() => {})
  const call = async (body: string, signal: AbortSignal): Promise<unknown> => {
    const { objectId } = (await untilAborted(recording, signal)).result
    if (objectId === undefined) return undefined
    const request = { objectId, functionDeclaration: `function () { return this.${body} }`, returnByValue: true }
    const { result } = await untilAborted(session.send('Runtime.callFunctionOn', request), signal)
    return result.value
  }
  return {
    async complaints(signal) {
      const kept = await call('complaints()', signal)
      return typeof kept === 'string' ? kept.split('\0').slice(0, -1) : []
    },
    async isMoving(withinMs, signal) {
      return (await call(`moving(${withinMs})`, signal)) === true
    },
    async isDrawing(signal) {
      return (await call('drawing()', signal)) === true
    },
  }
}
