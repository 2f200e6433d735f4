import { createHash } from 'node:crypto'
import type { Envelope } from '@platen/shared/contracts/command.ts'
import type {
  GenerationCompleted,
  GenerationOutcome,
  GenerationRequested,
  RenderInput,
  RenderPdf,
} from '@platen/shared/contracts/generation.ts'
import { objectKeys, type Priority } from '@platen/shared/contracts/subjects.ts'
import type { TemplateEngine } from '@platen/shared/handlebars/engine.ts'
import type { ObjectStore } from '@platen/shared/object-store/object-store.ts'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import type { Printed } from '../printing/print-job.ts'
import type { Printer } from '../printing/printer.ts'
import { type ActiveJobs, JobCancelled } from './active-jobs.ts'
import { composeDocument } from './compose-document.ts'
import { bareRequest, type GenerationJob, type GenerationRepository } from './generation-repository.ts'
import { readInput } from './read-input.ts'
import type { TemplateSource } from './template-source.ts'

export interface RenderDependencies {
  generations: GenerationRepository
  objects: ObjectStore
  engine: Pick<TemplateEngine, 'render'>
  templateSource: TemplateSource
  printer: Pick<Printer, 'print'>
  jobs: ActiveJobs
}

export interface Delivery {
  priority: Priority
  /** The command was delivered before, to this or another renderer. */
  redelivered: boolean
}

/** The start and the end of a job that takes no longer are recorded in one append: one flush and one publication. */
const shortJobMs = 50

/**
 * Handles a render command and returns the outcome of the generation. It is safe to run again after a failure at any
 * point, and on two renderers at once: the object has the same key, and only one ending is recorded.
 */
export async function renderPdf(
  dependencies: RenderDependencies,
  command: Envelope<RenderPdf>,
  { priority, redelivered }: Delivery,
): Promise<GenerationOutcome> {
  const { generations, jobs, objects } = dependencies
  const { generation_id: id } = command.data.request
  const ended = new AbortController()
  let job: GenerationJob = { id, request: bareRequest(command.data.request), cause: command, startedAt: new Date() }
  try {
    const input = await readInput(objects, command.data)
    job = { ...job, request: { ...job.request, ...describeInput(input, command.data.input_key) } }
    const owner = job.request.api_key_id
    const rendered = jobs.run(id, async (cancelled) => {
      const signal = AbortSignal.any([cancelled, ended.signal])
      return storePdf(objects, id, await print(dependencies, input, { owner, priority, signal }))
    })
    // It is awaited below. A rejection before that must not be reported as unhandled.
    rendered.catch(() => {})
    if (redelivered || !(await settlesWithin(rendered, shortJobMs))) {
      const outcome = await generations.start(job)
      if (outcome) return outcome
    }
    return await generations.end(job, { type: 'CompleteGeneration', result: await rendered })
  } catch (err) {
    if (err instanceof JobCancelled) return generations.end(job, { type: 'CancelGeneration' })
    if (!(err instanceof DomainError)) throw err
    return generations.end(job, { type: 'FailGeneration', failure: err.toFailure() })
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
  objects: ObjectStore,
  generationId: string,
  { pdf, pages, engine, warnings, startedAt }: TimedPrint,
): Promise<GenerationCompleted['data']> {
  const object_key = objectKeys.pdf(generationId)
  const stored = objects.put(object_key, pdf, 'application/pdf')
  // Hashed while the object is being written.
  const sha256 = createHash('sha256').update(pdf).digest('hex')
  await stored
  const duration_ms = Math.round(performance.now() - startedAt)
  return { object_key, pages, size: pdf.byteLength, sha256, duration_ms, engine, warnings }
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
