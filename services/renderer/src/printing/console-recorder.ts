import { untilAborted } from '../browser/until-aborted.ts'
import type { PreparedPage } from '../pages/prepared-page.ts'

const maxErrors = 20
const maxChars = 500

/**
 * Runs in the document's own world, before anything of the document: keeps the first errors that it writes to its
 * console or does not catch. The protocol's own reports would do the same without any bound: a script that logs
 * megabytes in an endless loop would keep the whole browser and our pipe busy with them. What is called here was taken
 * before the document could replace it, and it can spoil nobody's warnings but its own.
 */
const recorder = `(() => {
  const slice = Function.prototype.call.bind(String.prototype.slice)
  const { stringify } = JSON
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
  // Nobody else reads that console.
  console.error = function error(...values) {
    if (count >= ${maxErrors}) return
    let message = ''
    for (let at = 0; at < values.length && message.length < ${maxChars}; at++) {
      message += (at === 0 ? '' : ' ') + slice(inWords(values[at]), 0, ${maxChars})
    }
    keep(message)
  }
  const thrown = ({ message, error }) => keep('Uncaught ' + (error == null ? message : inWords(error)))
  const rejected = ({ reason }) => keep('Uncaught (in promise) ' + inWords(reason))
  const listen = () => {
    addEventListener('error', thrown)
    addEventListener('unhandledrejection', rejected)
  }
  // A document that is written anew loses its listeners. Observers stay, and are called before the parser runs the
  // first script.
  new MutationObserver(listen).observe(document, { childList: true })
  return () => kept
})()`

/** Answers, when asked, what the document complained of. Must be called before the document is there. */
export function recordConsole({ session }: PreparedPage): (signal: AbortSignal) => Promise<string[]> {
  const recording = session.send('Runtime.evaluate', { expression: recorder })
  // Asked for below; a page that has gone is known by then.
  recording.catch(() => {})
  return async (signal) => {
    const { objectId } = (await untilAborted(recording, signal)).result
    if (objectId === undefined) return []
    const read = { objectId, functionDeclaration: 'function () { return this() }', returnByValue: true }
    const { result } = await untilAborted(session.send('Runtime.callFunctionOn', read), signal)
    return typeof result.value === 'string' ? result.value.split('\0').slice(0, -1) : []
  }
}
