import type { Failure } from '@platen/shared/contracts/failure.ts'
import { type PreviewResult, previewSubjects, type RenderPreview } from '@platen/shared/contracts/preview.ts'
import { BusUnavailable } from '@platen/shared/messaging/connection/bus-unavailable.ts'
import { DependencyUnavailable, DomainError, fail } from '@platen/shared/runtime/errors.ts'
import { createInbox, type Msg, type NatsConnection } from 'nats'

export interface PrintedPreview extends PreviewResult {
  /** The file. */
  parts: readonly Uint8Array[]
}

const headerName = 'Platen-Preview'

/**
 * Sends a preview to one renderer and receives the file in parts. Throws the failure of the renderer as a DomainError,
 * DependencyUnavailable if no renderer runs, and the reason of `signal`, which also stops the renderer.
 */
export async function requestPreview(
  nats: NatsConnection,
  preview: RenderPreview,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<PrintedPreview> {
  const inbox = createInbox()
  const answers = nats.subscribe(inbox)
  const late = AbortSignal.timeout(timeoutMs)
  const ended = AbortSignal.any([signal, late])
  const stop = () => answers.unsubscribe()
  ended.addEventListener('abort', stop, { once: true })
  try {
    ended.throwIfAborted()
    if (nats.isClosed()) throw new BusUnavailable('NATS is not connected')
    nats.publish(previewSubjects.render, JSON.stringify(preview), { reply: inbox })
    let result: PreviewResult | undefined
    const parts: Uint8Array[] = []
    let received = 0
    for await (const message of answers) {
      result ??= resultOf(message)
      parts.push(message.data)
      received += message.data.byteLength
      if (received >= result.size) return { ...result, parts }
    }
    signal.throwIfAborted()
    if (late.aborted) return fail('RENDER_TIMEOUT', 'The preview was not printed in time')
    throw new BusUnavailable('the connection to NATS was lost')
  } finally {
    ended.removeEventListener('abort', stop)
    answers.unsubscribe()
    if (ended.aborted) nats.publish(previewSubjects.cancel, preview.preview_id)
  }
}

function resultOf(message: Msg): PreviewResult {
  // NATS says at once that nobody subscribes to the subject.
  if (message.headers?.code === 503) throw new DependencyUnavailable('no renderer is running')
  const text = Buffer.from(message.headers?.get(headerName) ?? '', 'base64').toString()
  const { result, failure } = JSON.parse(text) as { result?: PreviewResult; failure?: Failure }
  if (failure) throw DomainError.from(failure)
  return result ?? fail('INTERNAL_ERROR', 'The answer of the renderer could not be read')
}
