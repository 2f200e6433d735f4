import { createHash } from 'node:crypto'
import type { RenderInput, RenderPdf } from '@platen/domain/generation/generation.ts'
import type {
  GenerationCompleted,
  GenerationOutcome,
  GenerationRequested,
} from '@platen/domain/generation/generation-events.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import type { Priority } from '@platen/domain/streams/subjects.ts'
import { abortWith } from '@platen/foundation/runtime/abort-with.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { retryWhileUnavailable } from '@platen/foundation/runtime/retry-while-unavailable.ts'
import { inSpan } from '@platen/foundation/tracing/tracing.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { admit, releasedIfNoBrowser } from '../admission/admit.ts'
import type { Slots } from '../admission/slots.ts'
import type { KnownJson } from '../chromium/browser/cdp/known-json.ts'
import { pageUserOf } from '../chromium/pool/page-user.ts'
import type { Printed } from '../print/print-job.ts'
import type { Printer } from '../print/printer.ts'
import { JobCancelled } from './active-jobs.ts'
import type { AssetSource } from './asset-source.ts'
import { type ComposedDocument, type ComposeOptions, composeDocument } from './compose-document.ts'
import { bareRequest, type Ending, type GenerationJob, type GenerationRepository } from './generation-repository.ts'
import type { ObjectWaits } from './object-waits.ts'
import type { RenderCommand } from './parse-render.ts'
import type { PdfFile } from './pdf-files.ts'
import { readInput } from './read-input.ts'
import { ObjectUnusable, useObject } from './use-object.ts'

export interface AttemptDependencies extends Omit<ComposeOptions, 'caller'> {
  generations: GenerationRepository
  objects: ObjectStore
  waits: ObjectWaits
  assets: Pick<AssetSource, 'open'>
  slots: Pick<Slots, 'acquire' | 'expectedWaitMs'>
  printer: Pick<Printer, 'print' | 'check'>
  log: Logger
  stopping: AbortSignal
}

/** A shorter job records its start and its end in one append: one flush and one publication. */
const shortJobMs = 50

/** One attempt to render a generation. */
export interface Attempt {
  file: PdfFile
  /** An append that names the file was sent, and its result is not known. */
  mayBeRecorded: boolean
}

export interface AttemptOptions {
  command: RenderCommand
  priority: Priority
  /** An earlier attempt has led to no end. */
  redelivered: boolean
  cancelled: AbortSignal
}

/** Prints the document and records how the generation ended. Throws Released where another renderer must do so. */
export async function runAttempt(
  attempt: Attempt,
  dependencies: AttemptDependencies,
  { command, priority, redelivered, cancelled }: AttemptOptions,
): Promise<GenerationOutcome> {
  const { file } = attempt
  const { generations, log, stopping } = dependencies
  const { request, input_key } = command.data
  const { traceparent: parent } = command.metadata
  const recording = <Result>(append: () => Promise<Result>) => retryWhileUnavailable(append, { log, stopping })
  const end = (ending: Ending) => recording(() => generations.end(job, ending))
  const ended = new AbortController()
  using _cancelling = abortWith(ended, [cancelled])
  const { signal } = ended
  let job: GenerationJob = {
    id: request.generation_id,
    request: bareRequest(request),
    cause: command,
    redelivered,
    isNew: !redelivered,
    attempt: file.attempt,
  }
  try {
    signal.throwIfAborted()
    const admitted = await inSpan('wait for a slot', { parent, attributes: { 'platen.priority': priority } }, () =>
      admitWithInput(dependencies, command.data, { priority, signal }),
    )
    using slot = admitted.slot
    const { input } = admitted
    const startedAt = new Date()
    job = { ...job, startedAt, request: { ...job.request, ...describeInput(input, input_key) } }
    // Recorded before the work, which may stop this process again.
    const outcome = redelivered ? await recording(() => generations.start(job)) : undefined
    if (outcome) return outcome
    const owner = pageUserOf(request)
    const { generation_id: generation, owner_id: ownerId } = request
    const printing = print(dependencies, input, {
      owner,
      ownerId,
      generation,
      parent,
      signal,
      known: command.html,
    }).finally(() => slot[Symbol.dispose]())
    const queuedAt = Date.parse(command.metadata.time)
    const queue_ms = Math.max(0, startedAt.getTime() - queuedAt)
    const rendered = printing.then((printed) =>
      inSpan('store', { parent, attributes: { 'platen.size': printed.pdf.byteLength } }, () =>
        storePdf(file, { ...printed, queue_ms }, signal),
      ),
    )
    // The promise is awaited below. Until then a rejection must not be reported as unhandled.
    rendered.catch(() => {})
    if (!redelivered && !(await settlesWithin(rendered, shortJobMs))) {
      const outcome = await recording(() => generations.start(job))
      if (outcome) return outcome
      job = { ...job, isNew: false }
    }
    const result = await rendered
    const { pdf } = await printing
    return await recording(async () => {
      if (!file.isFresh) await file.write(pdf, signal)
      attempt.mayBeRecorded = true
      return await generations.end(job, { type: 'CompleteGeneration', result })
    })
  } catch (err) {
    if (err instanceof JobCancelled) return end({ type: 'CancelGeneration' })
    if (err instanceof ObjectUnusable && !job.startedAt) {
      // Counts the attempt.
      const outcome = await recording(() => generations.start({ ...job, startedAt: new Date() }))
      if (outcome) return outcome
    }
    if (!(err instanceof DomainError)) throw releasedIfNoBrowser(err)
    return end({ type: 'FailGeneration', failure: err.toFailure() })
  } finally {
    ended.abort(jobEnded)
  }
}

/** How long a renderer waits for the input in an outage. Then another renderer may be able to read it. */
const maxInputWaitMs = 15_000

/** Waits for a slot and reads the input. While the object store is unavailable, other documents have the slot. */
async function admitWithInput(
  dependencies: AttemptDependencies,
  data: RenderPdf['data'],
  { priority, signal }: { priority: Priority; signal: AbortSignal },
): Promise<{ slot: Disposable; input: RenderInput }> {
  const { generation_id: generation, api_key_id: key, owner_id: owner = key } = data.request
  const admitAndRead = async () => {
    using held = new DisposableStack()
    const slot = held.use(await admit(dependencies, { owner, key, priority, signal, waiting: data.waiting }))
    const input = await readInput(dependencies.objects, data, signal)
    held.move()
    return { slot, input }
  }
  if (data.input_key === undefined) return admitAndRead()
  const use = { key: data.input_key, generation, signal, maxWaitMs: maxInputWaitMs }
  return useObject(dependencies, use, admitAndRead)
}

/** Created once, because creating the stack of an error takes longer than the rest of ending a job. */
const jobEnded = new Error('the job has ended')

function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false)
    const done = () => {
      clearTimeout(timer)
      resolve(true)
    }
    work.then(done, done)
  })
}

interface TimedPrint extends Printed, Pick<ComposedDocument, 'helpersSha256'> {
  startedAt: number
  template_ms: number
  print_ms: number
}

interface PrintFor {
  /** Documents of another one share no page. */
  owner: string
  ownerId: string
  /** Its id. */
  generation: string
  /** The parent of its spans. */
  parent: string | undefined
  signal: AbortSignal
  /** The HTML of the command, unless it is filled in. */
  known: KnownJson | undefined
}

async function print(
  { engine, templateSource, partialSources, assets, printer }: AttemptDependencies,
  input: RenderInput,
  { owner, ownerId, generation, parent, signal, known }: PrintFor,
): Promise<TimedPrint> {
  const startedAt = performance.now()
  const document = await inSpan('fill', { parent, attributes: { 'platen.template': input.template?.id } }, () =>
    composeDocument(input, { engine, templateSource, partialSources, caller: { owner: ownerId, key: owner } }),
  )
  const composedAt = performance.now()
  const printed = await inSpan('render', { parent }, async (traceparent, span) => {
    const own = assets.open({ ownerId, pins: document.assetPins, generation, signal })
    const job = { ...document, assets: own, options: input.options, owner, signal, traceparent, known }
    const result = await printer.print(job)
    span?.set({ 'platen.pages': result.pages, 'platen.mode': result.engine.mode })
    return result
  })
  const print_ms = Math.round(performance.now() - composedAt)
  const { helpersSha256 } = document
  return { ...printed, helpersSha256, startedAt, template_ms: Math.round(composedAt - startedAt), print_ms }
}

async function storePdf(
  file: PdfFile,
  { pdf, startedAt, queue_ms, template_ms, print_ms, helpersSha256, ...printed }: TimedPrint & { queue_ms: number },
  signal: AbortSignal,
): Promise<GenerationCompleted['data']> {
  const printedAt = performance.now()
  const written = file.write(pdf, signal)
  // Hashed while the object is being written.
  const sha256 = createHash('sha256').update(pdf).digest('hex')
  await written
  const storedAt = performance.now()
  const duration_ms = Math.round(storedAt - startedAt)
  const phases = { queue_ms, template_ms, print_ms, store_ms: Math.round(storedAt - printedAt) }
  const { pages, engine, warnings } = printed
  return {
    ...{ object_key: file.key, pages, size: pdf.byteLength, sha256, duration_ms, phases, engine, warnings },
    ...(helpersSha256 !== undefined && { helpers_sha256: helpersSha256 }),
  }
}

/** The input as the event has it: without content. HTML may have megabytes, so that only its hash is recorded. */
function describeInput(
  { html, options: { header_html: _, footer_html: __, document_info: ___, ...options } }: RenderInput,
  inputKey: string | undefined,
): Partial<GenerationRequested['data']> {
  return {
    options,
    ...(html !== undefined && { html_sha256: createHash('sha256').update(html).digest('hex') }),
    ...(inputKey !== undefined && { input_key: inputKey }),
  }
}
