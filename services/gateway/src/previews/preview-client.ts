import { type PreviewResult, previewLimits, previewSigns, previewSubjects } from '@platen/domain/generation/preview.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import type { Failure } from '@platen/domain/http/failure.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { type Bus, patienceMs } from '@platen/messaging/connection/bus.ts'
import { asBusUnavailable, BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { newReplySubject } from '@platen/messaging/requests/reply.ts'
import type { Msg, NatsConnection } from 'nats'

export interface PrintedPreview extends PreviewResult {
  /** The file. */
  parts: readonly Uint8Array[]
}

const headerName = 'Platen-Preview'

/** A RenderPreview in its wire format. */
export interface EncodedPreview {
  id: string
  payload: Uint8Array
}

/** Throws PAYLOAD_TOO_LARGE. */
export function checkPreviewSize({ byteLength: bytes }: Uint8Array): void {
  const { requestBytes } = previewLimits
  if (bytes <= requestBytes) return
  fail('PAYLOAD_TOO_LARGE', `The preview has ${bytes} bytes for the renderer; the limit is ${requestBytes}`)
}

export interface PreviewRequest {
  /** The time limit of all attempts together. */
  timeoutMs: number
  /** The message when the time has passed. */
  lateMessage?: string
  signal: AbortSignal
}

const pauseMs = 100
/** A renderer that has begun the preview refuses it when the document ends its browser, which others would lose, too. */
const maxRefusals = 3

/** A renderer has refused the preview before it began: it stops, has no browser, or is of an earlier version. */
class Released extends DomainError {}

/**
 * Sends a preview to one renderer and receives the file in parts. A preview records nothing, so that it is sent again,
 * for up to 4 s, if no renderer runs or can begin it, or if the connection to NATS or the renderer is lost. Throws the
 * failure of the renderer as a DomainError, DependencyUnavailable if nobody could print it, and the reason of `signal`,
 * which also stops the renderer.
 */
export async function requestPreview(
  bus: Pick<Bus, 'nats' | 'whenConnected' | 'untilDisconnected'>,
  preview: EncodedPreview,
  { timeoutMs, lateMessage = 'The preview was not printed in time', signal }: PreviewRequest,
): Promise<PrintedPreview> {
  const late = AbortSignal.timeout(timeoutMs)
  const tooLate = () => fail('RENDER_TIMEOUT', lateMessage)
  let failingSince: number | undefined
  for (let refusals = 0; ; ) {
    await bus.whenConnected()
    const attempt = new AbortController()
    try {
      return await bus.untilDisconnected(
        requestOnce(bus.nats, preview, { signal, late, abandoned: attempt.signal, tooLate }),
      )
    } catch (thrown) {
      const err = asBusUnavailable(thrown)
      failingSince ??= performance.now()
      if (isRefusal(err)) refusals++
      const isReleased = err instanceof Released || err instanceof DependencyUnavailable
      const mayBeRepeated = isReleased || (isRefusal(err) && refusals < maxRefusals)
      if (!mayBeRepeated || performance.now() - failingSince > patienceMs) throw err
    } finally {
      attempt.abort()
    }
    await sleep(pauseMs, AbortSignal.any([signal, late]))
  }
}

function isRefusal(err: unknown): boolean {
  return err instanceof DomainError && err.code === 'SERVICE_UNAVAILABLE' && !(err instanceof Released)
}

interface Attempt {
  signal: AbortSignal
  late: AbortSignal
  tooLate: () => never
  /** Aborts when this attempt is no longer awaited. */
  abandoned: AbortSignal
}

async function requestOnce(
  nats: NatsConnection,
  preview: EncodedPreview,
  { signal, late, tooLate, abandoned }: Attempt,
): Promise<PrintedPreview> {
  signal.throwIfAborted()
  if (late.aborted) return tooLate()
  const inbox = newReplySubject()
  const answers = nats.subscribe(inbox)
  const ended = AbortSignal.any([signal, late, abandoned])
  const stop = () => answers.unsubscribe()
  let isSilent = false
  const silence = setTimeout(() => {
    isSilent = true
    stop()
  }, previewSigns.lostAfterMs)
  ended.addEventListener('abort', stop, { once: true })
  let isPrinted = false
  try {
    if (nats.isClosed()) throw new BusUnavailable('NATS is not connected')
    nats.publish(previewSubjects.render, preview.payload, { reply: inbox })
    let result: PreviewResult | undefined
    const parts: Uint8Array[] = []
    let received = 0
    for await (const message of answers) {
      silence.refresh()
      if (message.headers?.has(previewSigns.header)) continue
      // A renderer that has lost its connection sends all of its answer again.
      if (!result || message.headers?.has(headerName)) {
        result = resultOf(message)
        received = parts.length = 0
      }
      parts.push(message.data)
      received += message.data.byteLength
      isPrinted = received >= result.size
      if (isPrinted) return { ...result, parts }
    }
    signal.throwIfAborted()
    if (late.aborted) return tooLate()
    throw new BusUnavailable('the preview was lost with a connection to NATS, or with its renderer')
  } finally {
    clearTimeout(silence)
    ended.removeEventListener('abort', stop)
    answers.unsubscribe()
    if ((ended.aborted || isSilent) && !isPrinted) nats.publish(previewSubjects.cancel, preview.id)
  }
}

function resultOf(message: Msg): PreviewResult {
  // NATS reports at once that the subject has no subscribers.
  if (message.headers?.code === 503) throw new DependencyUnavailable('no renderer is running')
  const text = Buffer.from(message.headers?.get(headerName) ?? '', 'base64').toString()
  const { result, failure, released } = JSON.parse(text) as {
    result?: PreviewResult
    failure?: Failure
    released?: true
  }
  if (failure && released) throw new Released(failure.code, failure.message)
  if (failure) throw DomainError.from(failure)
  return result ?? fail('INTERNAL_ERROR', 'The answer of the renderer could not be read')
}
