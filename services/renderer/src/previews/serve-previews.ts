import {
  type ComparedFiles,
  type PreviewResult,
  previewSigns,
  previewSubjects,
  RenderPreview,
} from '@platen/domain/generation/preview.ts'
import { unknownFeatures } from '@platen/domain/generation/render-features.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { Released } from '@platen/messaging/consume/consume.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { decodePreview } from '@platen/service-kit/inputs/input-codec.ts'
import { headers, type Msg, type NatsConnection } from 'nats'
import { Compile } from 'typebox/compile'
import { releasedIfNoBrowser } from '../admission/admit.ts'
import { refusalOf } from '../admission/refuse.ts'
import type { Slots } from '../admission/slots.ts'
import { JobCancelled } from '../jobs/active-jobs.ts'
import { compareVersions } from './compare-versions.ts'
import { comparePages, drawPage } from './page-images.ts'
import { type PrintPreviewDependencies, printPreview, slotForPreview, viewerOf } from './print-preview.ts'
import { sendAnswer } from './send-answer.ts'

interface CompareFilesDependencies extends PrintPreviewDependencies {
  objects: Pick<ObjectStore, 'get'>
}

/** Nothing is printed. */
const noEngine = { name: 'none', version: '', mode: 'static' } as const

/**
 * Compares the pages of two stored PDFs. Resolves to the JSON of ComparedPage[]. As a comparison of versions, it keeps a slot
 * of a batch until it ends. Throws FILE_DELETED, ObjectStoreUnavailable, and the reason of the signal.
 */
async function compareFiles(
  dependencies: CompareFilesDependencies,
  { compared_files: files, ...preview }: Omit<RenderPreview, 'input'> & { compared_files: ComparedFiles },
  signal: AbortSignal,
): Promise<{ result: PreviewResult; bytes: Uint8Array }> {
  const startedAt = performance.now()
  using _slot = await slotForPreview(dependencies, preview, { priority: 'batch', signal })
  const read = (key: string) => readPdf(dependencies.objects, key)
  const { images, ignored } = files
  const pdfs = { from: await read(files.from), to: await read(files.to) }
  const bytes = await comparePages(dependencies.tools, { ...pdfs, images, ignored }, viewerOf(preview, signal))
  const duration_ms = Math.round(performance.now() - startedAt)
  return { result: { pages: 0, size: bytes.byteLength, warnings: [], engine: noEngine, duration_ms }, bytes }
}

async function readPdf(objects: CompareFilesDependencies['objects'], key: string): Promise<Buffer> {
  try {
    return await readBytes(await objects.get(key))
  } catch (err) {
    if (!(err instanceof ObjectNotFound)) throw err
    return fail('FILE_DELETED', 'A PDF of the comparison was deleted meanwhile')
  }
}

export interface PreviewDependencies extends PrintPreviewDependencies {
  objects: CompareFilesDependencies['objects']
  slots: Pick<Slots, 'acquire' | 'expectedWaitMs'>
  log: Pick<Logger, 'error' | 'warn'>
}

const schema = Compile(RenderPreview)

/** How long a renderer that stops waits for NATS. */
const answerWithinMs = 1_000

/**
 * Prints previews until disposal, in a queue group of renderers. The answer is a message with the result or the failure
 * in its header, followed by messages with the parts of the file. Nothing is stored, so that the gateway can repeat a
 * refused preview.
 */
export function servePreviews(nats: NatsConnection, dependencies: PreviewDependencies): AsyncDisposable {
  const running = new Map<string, AbortController>()
  const work = new Set<Promise<void>>()
  const renders = nats.subscribe(previewSubjects.render, {
    queue: 'renderers',
    callback: (err, message) => {
      if (err) return
      const done = answer(nats, { ...dependencies, running }, message).finally(() => work.delete(done))
      work.add(done)
    },
  })
  const cancels = nats.subscribe(previewSubjects.cancel, {
    callback: (err, message) => err || running.get(message.string())?.abort(new JobCancelled()),
  })
  return {
    async [Symbol.asyncDispose]() {
      // Requests that NATS has sent before are refused, so that the gateway sends them to another renderer.
      await whileConnected(renders.drain())
      await Promise.all(work)
      await whileConnected(nats.flush())
      cancels.unsubscribe()
    },
  }
}

/** Resolves when the preview is answered. Without a connection, both sides wait for the next one. */
function whileConnected(answered: Promise<void>): Promise<void> {
  return Promise.race([answered.catch(() => {}), sleep(answerWithinMs)])
}

interface Serving extends PreviewDependencies {
  running: Map<string, AbortController>
}

async function answer(nats: NatsConnection, serving: Serving, message: Msg): Promise<void> {
  const { stopping } = serving
  const send = (content: object, bytes: Uint8Array = new Uint8Array()) =>
    sendAnswer(nats, message, { headers: headerOf(content), bytes, stopping }).catch((err) => {
      serving.log.warn({ err }, 'the answer to a preview was not sent')
    })
  const refuse = (err: DomainError) => send({ failure: err.toFailure() })
  try {
    const { result, bytes } = await whileWorking(message, () => render(serving, message.data))
    await send({ result }, bytes)
  } catch (err) {
    if (err instanceof JobCancelled) return
    if (err instanceof DomainError) return refuse(err)
    const released = releasedIfNoBrowser(err)
    if (released instanceof Released) {
      const message = `The preview is not printed now: ${released.message}; retry`
      // `released`: printing had not begun, so that the preview is not the cause, and may be sent again more often.
      return send({ failure: new DomainError('SERVICE_UNAVAILABLE', message).toFailure(), released: true })
    }
    serving.log.warn({ err }, 'a preview was not printed')
    await refuse(new DomainError('SERVICE_UNAVAILABLE', 'The renderer cannot print the preview now; retry'))
  }
}

/** Tells the gateway each second that the preview is not lost. */
async function whileWorking<Result>(message: Msg, work: () => Promise<Result>): Promise<Result> {
  const sign = headers()
  sign.set(previewSigns.header, '1')
  const telling = setInterval(() => message.respond('', { headers: sign }), previewSigns.everyMs)
  try {
    return await work()
  } finally {
    clearInterval(telling)
  }
}

const headerName = 'Platen-Preview'

function headerOf(content: object) {
  const made = headers()
  made.set(headerName, Buffer.from(JSON.stringify(content)).toString('base64'))
  return made
}

async function render(
  { running, ...dependencies }: Serving,
  data: Uint8Array,
): Promise<{ result: PreviewResult; bytes: Uint8Array }> {
  const { fields, input: readInput } = decodePreview(data)
  const unknown = unknownFeatures(fields)
  if (unknown.length > 0) throw new Released(`the preview needs a newer renderer, for ${unknown.join(', ')}`)
  const command = { ...fields, input: readInput() }
  if (!schema.Check(command)) return fail('INTERNAL_ERROR', 'The preview could not be read')
  const { preview_id, api_key_id, comparison, compared_files, format, page, width, until } = command
  const waiting = { until, returns: false }
  const refusal = refusalOf(dependencies.slots, { request: { api_key_id }, waiting }, dependencies.clock.now())
  if (refusal) throw DomainError.from(refusal)
  const controller = new AbortController()
  running.set(preview_id, controller)
  try {
    if (comparison || compared_files) {
      // The gateway may have ended with the client.
      using limit = timeLimit(Date.parse(until) - dependencies.clock.now())
      const signal = AbortSignal.any([controller.signal, limit.signal])
      if (compared_files) return await compareFiles(dependencies, { ...command, compared_files }, signal)
      if (comparison) return await compareVersions(dependencies, { ...command, comparison }, signal)
    }
    const { signal } = controller
    using _slot = await slotForPreview(dependencies, command, { priority: 'interactive', signal })
    const startedAt = performance.now()
    const { pdf, pages, warnings, engine } = await printPreview(dependencies, command, signal)
    if (format === 'png' && page > pages) {
      fail('VALIDATION_ERROR', `page must be at most ${pages}, the number of pages`, [
        { path: 'page', message: `must be at most ${pages}, the number of pages` },
      ])
    }
    const isPicture = format === 'png'
    const bytes = isPicture ? await drawPage(dependencies.tools, { pdf, page, width }, viewerOf(command, signal)) : pdf
    const duration_ms = Math.round(performance.now() - startedAt)
    return { result: { pages, size: bytes.byteLength, warnings, engine, duration_ms }, bytes }
  } finally {
    running.delete(preview_id)
  }
}

function timeLimit(ms: number): Disposable & { signal: AbortSignal } {
  const controller = new AbortController()
  const late = new DomainError('RENDER_TIMEOUT', 'The pages were not compared in time')
  const timer = setTimeout(() => controller.abort(late), Math.max(0, ms))
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) }
}
