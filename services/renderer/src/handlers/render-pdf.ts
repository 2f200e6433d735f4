import { createHash } from 'node:crypto'
import type { Envelope } from '@platen/shared/contracts/command.ts'
import type {
  GenerationOutcome,
  GenerationRequested,
  RenderInput,
  RenderPdf,
} from '@platen/shared/contracts/generation.ts'
import { type Lane, objectKeys } from '@platen/shared/contracts/subjects.ts'
import type { TemplateEngine } from '@platen/shared/handlebars/engine.ts'
import type { ObjectStore } from '@platen/shared/object-store/object-store.ts'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import type { Printed, Printer } from '../browser/printer.ts'
import type { GenerationCommand } from '../domain/generation.ts'
import { type ActiveJobs, JobCancelled } from './active-jobs.ts'
import { composeDocument } from './compose-document.ts'
import { bareRequest, type GenerationLog } from './generation-log.ts'
import { readInput } from './read-input.ts'
import type { TemplateSource } from './template-source.ts'

export interface RenderParts {
  generations: GenerationLog
  objects: ObjectStore
  engine: Pick<TemplateEngine, 'render'>
  templateSource: TemplateSource
  printer: Pick<Printer, 'print'>
  jobs: ActiveJobs
}

/**
 * Takes a generation from its command to its end and answers how it ended. Safe to run again at any point, and beside
 * a twin: the object's key is the same, and only one of them ends the stream.
 */
export async function renderPdf(
  parts: RenderParts,
  command: Envelope<RenderPdf>,
  lane: Lane,
): Promise<GenerationOutcome> {
  const { generations, jobs } = parts
  const { generation_id: id } = command.data.request
  const request = bareRequest(command.data.request)
  // The browser begins while the start is recorded; nothing of it is kept unless the record says so.
  const over = new AbortController()
  try {
    const input = await readInput(parts.objects, command.data)
    const described = { ...request, ...describeInput(input, command.data.input_key) }
    const printing = jobs.run(id, (cancelled) =>
      print(parts, input, { owner: request.api_key_id, lane, signal: AbortSignal.any([cancelled, over.signal]) }),
    )
    // It is asked how it went below, once it may be known.
    printing.catch(() => {})
    const ended = await generations.start(id, described, command)
    if (ended) return ended
    return await generations.end(id, await keep(parts.objects, id, await printing), command)
  } catch (err) {
    if (err instanceof JobCancelled) {
      return generations.end(id, { type: 'CancelGeneration', data: { request } }, command)
    }
    if (!(err instanceof DomainError)) throw err
    return generations.end(id, { type: 'FailGeneration', data: { request, failure: err.toFailure() } }, command)
  } finally {
    over.abort()
  }
}

type PrintedNow = Printed & { startedAt: number }

async function print(
  { engine, templateSource, printer }: RenderParts,
  input: RenderInput,
  { owner, lane, signal }: { owner: string; lane: Lane; signal: AbortSignal },
): Promise<PrintedNow> {
  const startedAt = performance.now()
  const document = await composeDocument(input, { engine, templateSource })
  const job = { ...document, options: input.options, owner, interactive: lane === 'interactive', signal }
  return { ...(await printer.print(job)), startedAt }
}

async function keep(
  objects: ObjectStore,
  generationId: string,
  { pdf, pages, engine, startedAt }: PrintedNow,
): Promise<Extract<GenerationCommand, { type: 'CompleteGeneration' }>> {
  const object_key = objectKeys.pdf(generationId)
  await objects.put(object_key, pdf, 'application/pdf')
  return {
    type: 'CompleteGeneration',
    data: {
      object_key,
      pages,
      size: pdf.byteLength,
      sha256: createHash('sha256').update(pdf).digest('hex'),
      duration_ms: Math.round(performance.now() - startedAt),
      engine,
    },
  }
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
