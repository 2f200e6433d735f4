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
import { bareRequest, type GenerationJob, type GenerationLog } from './generation-log.ts'
import { readInput } from './read-input.ts'
import type { TemplateSource } from './template-source.ts'

export interface RenderDependencies {
  generations: GenerationLog
  objects: ObjectStore
  engine: Pick<TemplateEngine, 'render'>
  templateSource: TemplateSource
  printer: Pick<Printer, 'print'>
  jobs: ActiveJobs
}

export interface Delivery {
  priority: Priority
  /** Somebody has had the command in hand before. */
  redelivered: boolean
}

/**
 * What is done within this time is recorded whole, in one append: start and end in one flush, one publication, one
 * wake-up of the views.
 */
const briefMs = 50

/**
 * Takes a generation from its command to its end and answers how it ended. Safe to run again at any point, and beside
 * a twin: the object's key is the same, and only one of them ends the stream.
 */
export async function renderPdf(
  dependencies: RenderDependencies,
  command: Envelope<RenderPdf>,
  { priority, redelivered }: Delivery,
): Promise<GenerationOutcome> {
  const { generations, jobs, objects } = dependencies
  const { generation_id: id } = command.data.request
  const over = new AbortController()
  let job: GenerationJob = { id, request: bareRequest(command.data.request), cause: command, startedAt: new Date() }
  try {
    const input = await readInput(objects, command.data)
    job = { ...job, request: { ...job.request, ...describeInput(input, command.data.input_key) } }
    const owner = job.request.api_key_id
    const rendered = jobs.run(id, async (cancelled) => {
      const signal = AbortSignal.any([cancelled, over.signal])
      return keep(objects, id, await print(dependencies, input, { owner, priority, signal }))
    })
    // It is asked how it went below, once it may be known.
    rendered.catch(() => {})
    if (redelivered || !(await isDoneWithin(rendered, briefMs))) {
      const ended = await generations.start(job)
      if (ended) return ended
    }
    return await generations.end(job, { type: 'CompleteGeneration', result: await rendered })
  } catch (err) {
    if (err instanceof JobCancelled) return generations.end(job, { type: 'CancelGeneration' })
    if (!(err instanceof DomainError)) throw err
    return generations.end(job, { type: 'FailGeneration', failure: err.toFailure() })
  } finally {
    over.abort(isOver)
  }
}

/** Made once: an error's stack costs more than all else that ends a job. */
const isOver = new Error('the job is over')

function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false)
    const done = () => {
      clearTimeout(timer)
      resolve(true)
    }
    work.then(done, done)
  })
}

type PrintedNow = Printed & { startedAt: number }

async function print(
  { engine, templateSource, printer }: RenderDependencies,
  input: RenderInput,
  { owner, priority, signal }: { owner: string; priority: Priority; signal: AbortSignal },
): Promise<PrintedNow> {
  const startedAt = performance.now()
  const document = await composeDocument(input, { engine, templateSource })
  const job = { ...document, options: input.options, owner, interactive: priority === 'interactive', signal }
  return { ...(await printer.print(job)), startedAt }
}

async function keep(
  objects: ObjectStore,
  generationId: string,
  { pdf, pages, engine, warnings, startedAt }: PrintedNow,
): Promise<GenerationCompleted['data']> {
  const object_key = objectKeys.pdf(generationId)
  const stored = objects.put(object_key, pdf, 'application/pdf')
  // The disk is busy meanwhile.
  const sha256 = createHash('sha256').update(pdf).digest('hex')
  await stored
  const duration_ms = Math.round(performance.now() - startedAt)
  return { object_key, pages, size: pdf.byteLength, sha256, duration_ms, engine, warnings }
}

/** What the log keeps of the input: bodies, and there may be megabytes of them, only as hashes. */
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
