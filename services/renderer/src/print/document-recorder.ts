import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import type { DocumentRecorder } from '../page/contract.ts'
import { scriptOf } from '../page/run-in-page.ts'

/** Reads what the recorder in the document has kept. */
export type DocumentRecord = ReturnType<typeof recordDocument>

/** Starts recording. Call it before the content is set; it does not wait for the page. */
export function recordDocument({ session }: BrowserPage) {
  const recording = session.send('Runtime.evaluate', { expression: `(${scriptOf('recordDocument')})()` })
  // Handled when the record is read. If the page is lost, the caller knows.
  recording.catch(() => {})
  const call = async (name: keyof DocumentRecorder, signal: AbortSignal, value = 0): Promise<unknown> => {
    const { objectId } = (await untilAborted(recording, signal)).result
    if (objectId === undefined) return undefined
    const request = {
      objectId,
      functionDeclaration: scriptOf('callRecorder'),
      arguments: [{ value: name }, { value }],
      returnByValue: true,
    }
    const { result } = await untilAborted(session.send('Runtime.callFunctionOn', request), signal)
    return result.value
  }
  return {
    async complaints(signal: AbortSignal): Promise<string[]> {
      const kept = await call('complaints', signal)
      return typeof kept === 'string' ? kept.split('\0').slice(0, -1) : []
    },
    async isMoving(withinMs: number, signal: AbortSignal): Promise<boolean> {
      return (await call('moving', signal, withinMs)) === true
    },
    async isDrawing(signal: AbortSignal): Promise<boolean> {
      return (await call('drawing', signal)) === true
    },
  }
}
