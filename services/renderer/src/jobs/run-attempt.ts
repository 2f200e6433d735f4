import { createHash } from 'node:crypto'
import { describedSteps } from '@platen/domain/document/described-steps.ts'
import type { RenderInput, RenderPdf } from '@platen/domain/generation/generation.ts'
import type {
  GenerationCompleted,
  GenerationOutcome,
  GenerationRequested,
} from '@platen/domain/generation/generation-events.ts'
import { isOperation } from '@platen/domain/generation/render-features.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import type { Failure } from '@platen/domain/http/failure.ts'
import type { Priority } from '@platen/domain/streams/subjects.ts'
import { AppendTooLarge } from '@platen/event-store/event-store.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { abortWith } from '@platen/foundation/runtime/abort-with.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { retryWhileUnavailable } from '@platen/foundation/runtime/retry-while-unavailable.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { inSpan } from '@platen/foundation/tracing/tracing.ts'
import type { ServerClock } from '@platen/messaging/connection/server-clock.ts'
import { admit, endOfWait, releasedIfNoBrowser } from '../admission/admit.ts'
import type { HeldFiles } from '../admission/held-files.ts'
import type { Slots } from '../admission/slots.ts'
import { pageUserOf } from '../chromium/pool/page-user.ts'
import { JobCancelled } from './active-jobs.ts'
import { bareRequest, type Ending, type GenerationJob, type GenerationRepository } from './generation-repository.ts'
import { type MadeFile, type MakeDependencies, makeFile } from './make-file.ts'
import type { ObjectWaits } from './object-waits.ts'
import type { RenderCommand } from './parse-render.ts'
import type { PdfFile } from './pdf-files.ts'
import { type InputStores, inputKeyOf, readInput } from './read-input.ts'
import { ObjectUnusable, useObject } from './use-object.ts'

export interface AttemptDependencies extends MakeDependencies, Pick<InputStores, 'keyOf'> {
  generations: GenerationRepository
  waits: ObjectWaits
  held: HeldFiles
  slots: Pick<Slots, 'acquire' | 'expectedWaitMs'>
  clock: Pick<ServerClock, 'now'>
  /** Of operations on PDFs, which print nothing: a long one keeps no document waiting. */
  toolSlots: Pick<Slots, 'acquire' | 'expectedWaitMs'>
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

/** Makes the file and records how the generation ended. Throws Released where another renderer must do so. */
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
    using held = new DisposableStack()
    const { input } = admitted
    const startedAt = new Date(dependencies.clock.now())
    job = {
      ...job,
      startedAt,
      request: { ...job.request, ...describeInput(input, request.kept_input ? undefined : input_key) },
    }
    // Recorded before the work, which may stop this process again.
    const outcome = redelivered ? await recording(() => generations.start(job)) : undefined
    if (outcome) return outcome
    const owner = pageUserOf(request)
    const { generation_id: generation, owner_id: ownerId } = request
    const making = makeFile(dependencies, input, {
      owner,
      ownerId,
      generation,
      parent,
      signal,
      known: command.html,
    })
      .then((made) => {
        if (!held.disposed) held.use(dependencies.held.hold(made.bytes.byteLength))
        return made
      })
      .finally(() => slot[Symbol.dispose]())
    const queuedAt = Date.parse(command.metadata.time)
    const queue_ms = Math.max(0, startedAt.getTime() - queuedAt)
    const rendered = making.then((made) =>
      inSpan('store', { parent, attributes: { 'platen.size': made.bytes.byteLength } }, () =>
        storeFile(file, { ...made, queue_ms }, signal),
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
    const { bytes, media_type } = await making
    return await recording(async () => {
      if (!file.isFresh) await file.write(bytes, signal, media_type)
      attempt.mayBeRecorded = true
      return await generations.end(job, { type: 'CompleteGeneration', result })
    })
  } catch (err) {
    if (err instanceof JobCancelled) return end({ type: 'CancelGeneration' })
    if (err instanceof ObjectUnusable && !job.startedAt) {
      // Counts the attempt.
      const outcome = await recording(() =>
        generations.start({ ...job, startedAt: new Date(dependencies.clock.now()) }),
      )
      if (outcome) return outcome
    }
    if (err instanceof AppendTooLarge) {
      attempt.mayBeRecorded = false
      job = { ...job, request: bareRequest(request) }
      return end({ type: 'FailGeneration', failure: tooMuchToRecord })
    }
    if (!(err instanceof DomainError)) throw releasedIfNoBrowser(err)
    return end({ type: 'FailGeneration', failure: err.toFailure() })
  } finally {
    ended.abort(jobEnded)
  }
}

/** Another attempt would record as much. */
const tooMuchToRecord: Failure = {
  code: 'RENDER_LIMIT_EXCEEDED',
  message: 'What is recorded of the document is too large for the event store',
}

/** The slots of which a command takes one. */
export function slotsFor(
  { slots, toolSlots }: Pick<AttemptDependencies, 'slots' | 'toolSlots'>,
  { requires }: Pick<RenderPdf['data'], 'requires'>,
): AttemptDependencies['slots'] {
  return isOperation(requires) ? toolSlots : slots
}

/** A document that waits longer for its template gives its slot to others meanwhile. */
const briefMs = 50
/** How long a renderer waits for the input in an outage. Then another renderer may be able to read it. */
const maxInputWaitMs = 15_000

/** Waits for a slot and reads the input. While a store is unavailable, other documents have the slot. */
async function admitWithInput(
  dependencies: AttemptDependencies,
  data: RenderPdf['data'],
  { priority, signal }: { priority: Priority; signal: AbortSignal },
): Promise<{ slot: Disposable; input: RenderInput }> {
  const { generation_id: generation, api_key_id: key, owner_id: owner = key } = data.request
  const inputKey = await inputKeyOf(dependencies, data, signal)
  const admitAndRead = async (hasRead = false): Promise<{ slot: Disposable; input: RenderInput }> => {
    using held = new DisposableStack()
    const slots = slotsFor(dependencies, data)
    const slot = held.use(
      await admit(
        { ...dependencies, slots },
        { owner, key, priority, signal, waiting: data.waiting, held: dependencies.held },
      ),
    )
    const input = await readInput(dependencies, data, { key: inputKey, signal })
    const texts = hasRead || !(input.template ?? input.partials) ? undefined : readTexts(dependencies, input)
    if (texts && !(await settlesWithin(texts, briefMs))) {
      held.dispose()
      const { stopping } = dependencies
      await untilAborted(texts, AbortSignal.any([signal, stopping])).catch((err) => {
        throw endOfWait(err, { signal, stopping })
      })
      return admitAndRead(true)
    }
    await texts
    held.move()
    return { slot, input }
  }
  if (data.input_key === undefined) return admitAndRead()
  const use = { key: data.input_key, generation, signal, maxWaitMs: maxInputWaitMs }
  return useObject(dependencies, use, admitAndRead)
}

/** Reads the template and its partials, which stay in memory. Throws StoreUnavailable. */
async function readTexts(
  { templateSource, partialSources }: Pick<AttemptDependencies, 'templateSource' | 'partialSources'>,
  { template, partials }: RenderInput,
): Promise<void> {
  try {
    const source = template && (await templateSource(template))
    const pins = partials ?? source?.partials
    if (pins) await partialSources(pins)
  } catch (err) {
    // It fails again when the document has begun.
    if (!(err instanceof DomainError)) throw err
  }
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

async function storeFile(
  file: PdfFile,
  { bytes, startedAt, queue_ms, template_ms, print_ms, tools_ms, ...made }: MadeFile & { queue_ms: number },
  signal: AbortSignal,
): Promise<GenerationCompleted['data']> {
  const { media_type, helpersSha256, steps } = made
  const madeAt = performance.now()
  const written = file.write(bytes, signal, media_type)
  // Hashed while the object is being written.
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await written
  const storedAt = performance.now()
  const duration_ms = Math.round(storedAt - startedAt)
  const phases = {
    queue_ms,
    template_ms,
    print_ms,
    ...defined({ tools_ms }),
    store_ms: Math.round(storedAt - madeAt),
  }
  const { pages, engine, warnings } = made
  return {
    object_key: file.key,
    pages,
    size: bytes.byteLength,
    sha256,
    duration_ms,
    phases,
    engine,
    warnings,
    ...defined({ helpers_sha256: helpersSha256, media_type, steps }),
  }
}

/** The input as the event has it: without content. HTML may have megabytes, so that only its hash is recorded. */
function describeInput(
  { html, tool, options: { header_html: _, footer_html: __, document_info: ___, output, ...options } }: RenderInput,
  inputKey: string | undefined,
): Partial<GenerationRequested['data']> {
  return {
    options: { ...options, ...(output && { output: describedSteps(output) }) },
    ...(tool && { sources: tool.sources.map(({ name }) => name) }),
    ...(html !== undefined && { html_sha256: createHash('sha256').update(html).digest('hex') }),
    ...defined({ input_key: inputKey }),
  }
}
