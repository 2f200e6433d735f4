import { createHash } from 'node:crypto'
import type { OutputStep, StepResult } from '@platen/domain/document/output-options.ts'
import type { Outcome } from '../pdf/change-pdf.ts'
import { beginStep } from '../task/part.ts'
import { PdfToolFailed, refuse } from '../task/pdf-tool-failed.ts'
import type { PdfBounds, PdfFile, PdfResult, PdfTask, PdfWarning } from '../task/task.ts'
import { failureOf } from './failure-of.ts'

/**
 * Does the operation, and then the steps, each to all files. Throws PdfToolFailed, with the step. Code is loaded when it is needed: to
 * draw a page takes none of what reads and writes PDFs.
 */
export async function runTask(task: PdfTask, bounds: PdfBounds): Promise<PdfResult> {
  const steps: StepResult[] = []
  const warnings: PdfWarning[] = []
  const warn = (step: string, messages: readonly string[] = []) =>
    warnings.push(...messages.map((message) => ({ step, message })))
  const run = async (step: string, work: () => Promise<Outcome>) => {
    const start = performance.now()
    beginStep(task)
    const result = await work().catch((err) => {
      throw new PdfToolFailed(failureOf(err, step), { cause: err })
    })
    checkSize(result.files, bounds, step)
    warn(step, result.warnings)
    steps.push(stepResult(step, result.files, performance.now() - start))
    return result.files
  }
  const { operation } = task.operation
  const wanted = await wantedSteps(task)
  const open = async () => {
    const opened = await given(task, bounds)
    warn(wanted[0] ?? operation, opened.warnings)
    return opened.files
  }
  let files = operation === 'steps' ? await open() : await run(operation, () => operated(task, bounds))
  const { form, fonts } = task
  if (form) {
    const [printed] = files
    const { addForm } = await import('../form/add-form.ts')
    files = await run('form_fields', async () => (printed ? addForm(printed, { form, fonts }, bounds) : { files }))
  }
  for (const step of wanted) {
    const before = files
    files = await run(step, () => done(step, before, task, bounds))
  }
  return { files, steps, warnings }
}

async function operated(task: PdfTask, bounds: PdfBounds): Promise<Outcome> {
  const { operation, sources } = task
  if (operation.operation === 'compare') {
    const { comparePages } = await import('../comparison/compare-pages.ts')
    return { files: await comparePages(sources, operation, bounds) }
  }
  const { operate } = await import('./operate.ts')
  return operate({ ...task, operation }, bounds)
}

async function done(step: OutputStep, files: readonly PdfFile[], task: PdfTask, bounds: PdfBounds): Promise<Outcome> {
  const { images } = task.steps ?? {}
  if (step !== 'images' || !images) {
    const { runStep } = await import('./run-step.ts')
    return runStep(step, files, task, bounds)
  }
  const { drawPages } = await import('../images/draw-pages.ts')
  const pictures: PdfFile[] = []
  for (const { bytes } of files) pictures.push(...(await drawPages(bytes, images, bounds)))
  return { files: pictures }
}

/** In the order in which they are done. */
async function wantedSteps({ steps = {} }: PdfTask): Promise<OutputStep[]> {
  const names = Object.keys(steps) as OutputStep[]
  if (names.length < 2) return names
  const { outputSteps } = await import('@platen/domain/document/output-options.ts')
  return outputSteps.filter((step) => steps[step] !== undefined)
}

/** The first step reads it, and says what is wrong with it. An encrypted one is opened here with its password. */
async function given({ sources, operation }: PdfTask, bounds: PdfBounds): Promise<Outcome> {
  const [source] = sources
  if (!source || sources.length > 1)
    return refuse('invalid', `Steps are done to one PDF, and these are ${sources.length}`)
  if (source.password !== undefined) return operated({ sources, files: {}, operation }, bounds)
  return { files: [{ bytes: source.bytes, mediaType: 'application/pdf' }] }
}

function checkSize(files: readonly PdfFile[], { maxBytes, maxPages }: PdfBounds, step: string): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0)
  const pages = files.reduce((sum, file) => sum + (file.pages ?? 0), 0)
  if (bytes > maxBytes) {
    throw new PdfToolFailed({ reason: 'too-large', message: `The result has more than ${maxBytes} bytes`, step })
  }
  if (pages > maxPages) {
    throw new PdfToolFailed({ reason: 'too-many-pages', message: `The result has more than ${maxPages} pages`, step })
  }
}

function stepResult(step: string, files: readonly PdfFile[], ms: number): StepResult {
  const hash = createHash('sha256')
  for (const { bytes } of files) hash.update(bytes)
  const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0)
  return { step, bytes, sha256: hash.digest('hex'), ms: Math.round(ms) }
}
