import { createHash } from 'node:crypto'
import type { Envelope } from '@platen/shared/contracts/command.ts'
import type {
  GenerationCompleted,
  GenerationOutcome,
  GenerationRequested,
  RenderInput,
  RenderPdf,
} from '@platen/shared/contracts/generation.ts'
import type { Priority } from '@platen/shared/contracts/subjects.ts'
import type { TemplateEngine } from '@platen/shared/handlebars/engine.ts'
import type { ObjectStore } from '@platen/shared/object-store/object-store.ts'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { retryWhileUnavailable } from '@platen/shared/runtime/retry-while-unavailable.ts'
import type { Printed } from '../printing/print-job.ts'
import type { Printer } from '../printing/printer.ts'
import { type ActiveJobs, JobCancelled } from './active-jobs.ts'
import { composeDocument } from './compose-document.ts'
import { bareRequest, type Ending, type GenerationJob, type GenerationRepository } from './generation-repository.ts'
import type { PdfFile, PdfFiles } from './pdf-files.ts'
import { readInput } from './read-input.ts'
import type { TemplateSource } from './template-source.ts'

export interface RenderDependencies {
  generations: GenerationRepository
  objects: ObjectStore
  pdfs: PdfFiles
  engine: Pick<TemplateEngine, 'render'>
  templateSource: TemplateSource
  printer: Pick<Printer, 'print'>
  jobs: ActiveJobs
  log: Logger
  stopping: AbortSignal
}

export interface Delivery {
  priority: Priority
  /** The command was delivered before, to this or another renderer. */
  redelivered: boolean
}

/** A shorter job records its start and its end in one append: one flush and one publication. */
const shortJobMs = 50

/**
 * Handles a render command and returns the outcome of the generation. It is safe to run again after a failure at any
 * point, and on two renderers at once: each attempt writes a file of its own, and one ending is recorded, with the key of
 * its file. The other files are removed.
 */
export async function renderPdf(
  dependencies: RenderDependencies,
  command: Envelope<RenderPdf>,
  delivery: Delivery,
): Promise<GenerationOutcome> {
  const { generations, jobs, pdfs } = dependencies
  const { generation_id: id } = command.data.request
  const ended = delivery.redelivered ? await generations.find(id) : undefined
  if (ended) return ended
  const attempt: Attempt = { file: pdfs.open(id), mayBeRecorded: false }
  try {
    const outcome = await jobs.run(id, (cancelled) => {
      return runAttempt(attempt, dependencies, { command, delivery, cancelled })
    })
    attempt.mayBeRecorded = outcome.type === 'GenerationCompleted' && outcome.data.object_key === attempt.file.key
    return outcome
  } finally {
    if (!attempt.mayBeRecorded) pdfs.discard(attempt.file)
  }
}

interface Attempt {
  file: PdfFile
  /** An append that names the file was sent, and its result is not known. */
  mayBeRecorded: boolean
}

interface AttemptOptions {
  command: Envelope<RenderPdf>
  delivery: Delivery
  cancelled: AbortSignal
}

async function runAttempt(
  attempt: Attempt,
  dependencies: RenderDependencies,
  { command, delivery: { priority, redelivered }, cancelled }: AttemptOptions,
): Promise<GenerationOutcome> {
  const { file } = attempt
  const { generations, log, stopping } = dependencies
  const { request, input_key } = command.data
  const recording = <Result>(append: () => Promise<Result>) => retryWhileUnavailable(append, { log, stopping })
  const end = (ending: Ending) => recording(() => generations.end(job, ending))
  const ended = new AbortController()
  const signal = AbortSignal.any([cancelled, ended.signal])
  let job: GenerationJob = {
    id: request.generation_id,
    request: bareRequest(request),
    cause: command,
    startedAt: new Date(),
    attempt: file.attempt,
  }
  try {
    signal.throwIfAborted()
    const input = await readInput(dependencies, command.data, signal)
    job = { ...job, request: { ...job.request, ...describeInput(input, input_key) } }
    // Documents of two API keys share no page, nor do those that an `admin` key prints for two owners.
    const owner = `${request.owner_id} ${request.api_key_id}`
    const printing = print(dependencies, input, { owner, priority, signal })
    const rendered = printing.then((printed) => storePdf(file, printed, signal))
    // It is awaited below. A rejection before that must not be reported as unhandled.
    rendered.catch(() => {})
    if (redelivered || !(await settlesWithin(rendered, shortJobMs))) {
      const outcome = await recording(() => generations.start(job))
      if (outcome) return outcome
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
    if (!(err instanceof DomainError)) throw err
    return end({ type: 'FailGeneration', failure: err.toFailure() })
  } finally {
    ended.abort(jobEnded)
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

type TimedPrint = Printed & { startedAt: number }

async function print(
  { engine, templateSource, printer }: RenderDependencies,
  input: RenderInput,
  { owner, priority, signal }: { owner: string; priority: Priority; signal: AbortSignal },
): Promise<TimedPrint> {
  const startedAt = performance.now()
  const document = await composeDocument(input, { engine, templateSource })
  const job = { ...document, options: input.options, owner, interactive: priority === 'interactive', signal }
  return { ...(await printer.print(job)), startedAt }
}

async function storePdf(
  file: PdfFile,
  { pdf, pages, engine, warnings, startedAt }: TimedPrint,
  signal: AbortSignal,
): Promise<GenerationCompleted['data']> {
  const written = file.write(pdf, signal)
  // Hashed while the object is being written.
  const sha256 = createHash('sha256').update(pdf).digest('hex')
  await written
  const duration_ms = Math.round(performance.now() - startedAt)
  return { object_key: file.key, pages, size: pdf.byteLength, sha256, duration_ms, engine, warnings }
}

/** The input as the event has it: HTML may have megabytes, so that only its hash is recorded. */
function describeInput(
  { html, options: { header_html: _, footer_html: __, ...options } }: RenderInput,
  inputKey: string | undefined,
): Partial<GenerationRequested['data']> {
  return {
    options,
    ...(html !== undefined && { html_sha256: createHash('sha256').update(html).digest('hex') }),
    ...(inputKey !== undefined && { input_key: inputKey }),
  }
}
