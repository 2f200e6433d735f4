import { createHash } from 'node:crypto'
import type { Envelope } from '@platen/shared/contracts/command.ts'
import type {
  GenerationOutcome,
  GenerationRequested,
  RenderInput,
  RenderPdf,
} from '@platen/shared/contracts/generation.ts'
import { outcomeOf } from '@platen/shared/contracts/generation-state.ts'
import { type Lane, objectKeys } from '@platen/shared/contracts/subjects.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import type { TemplateEngine } from '@platen/shared/handlebars/engine.ts'
import type { ObjectStore } from '@platen/shared/object-store/object-store.ts'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import type { Printer } from '../browser/printer.ts'
import type { GenerationCommand } from '../domain/generation.ts'
import { type ActiveJobs, JobCancelled } from './active-jobs.ts'
import { composeDocument } from './compose-document.ts'
import { bareRequest, decideOn, end } from './generation-stream.ts'
import { readInput } from './read-input.ts'
import type { TemplateSource } from './template-source.ts'

export interface RenderParts {
  store: EventStore
  objects: ObjectStore
  engine: Pick<TemplateEngine, 'render'>
  templateSource: TemplateSource
  printer: Pick<Printer, 'print' | 'engine'>
  jobs: ActiveJobs
  /** Tells this renderer from its twins in `GenerationStarted`. */
  renderer: string
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
  const { store, jobs, renderer } = parts
  const { generation_id } = command.data.request
  const request = bareRequest(command.data.request)
  try {
    const input = await readInput(parts.objects, command.data)
    const described = { ...request, ...describeInput(input, command.data.input_key) }
    const start: GenerationCommand = { type: 'StartGeneration', data: { request: described, renderer } }
    const ended = outcomeOf(await decideOn(store, generation_id, start, command))
    if (ended) return ended
    const completed = await jobs.run(generation_id, (signal) => produce(parts, generation_id, input, { lane, signal }))
    return await end(store, generation_id, completed, command)
  } catch (err) {
    if (err instanceof JobCancelled) {
      return end(store, generation_id, { type: 'CancelGeneration', data: { request } }, command)
    }
    if (!(err instanceof DomainError)) throw err
    return end(store, generation_id, { type: 'FailGeneration', data: { request, failure: err.toFailure() } }, command)
  }
}

async function produce(
  { engine, templateSource, printer, objects }: RenderParts,
  generationId: string,
  input: RenderInput,
  { lane, signal }: { lane: Lane; signal: AbortSignal },
): Promise<GenerationCommand> {
  const startedAt = performance.now()
  const document = await composeDocument(input, { engine, templateSource })
  const job = { ...document, options: input.options, interactive: lane === 'interactive', signal }
  const { pdf, pages } = await printer.print(job)
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
      engine: printer.engine,
    },
  }
}

function describeInput(
  { html, options }: RenderInput,
  inputKey: string | undefined,
): Partial<GenerationRequested['data']> {
  return {
    options,
    ...(html !== undefined && { html_sha256: createHash('sha256').update(html).digest('hex') }),
    ...(inputKey !== undefined && { input_key: inputKey }),
  }
}
