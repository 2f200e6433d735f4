import { createHash } from 'node:crypto'
import type { StepResult } from '@platen/domain/document/output-options.ts'
import type { PdfOperation } from '@platen/domain/document/pdf-operation.ts'
import { bytesOf } from '@platen/domain/generation/document-source.ts'
import type { ChainTask, PdfChain } from '@platen/domain/generation/pdf-chain.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { Warning } from '@platen/foundation/errors/warning.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { joinBytes } from '@platen/foundation/runtime/read-bytes.ts'
import type { PdfBounds, PdfResult, PdfSource } from '@platen/pdf-tools/task/task.ts'
import { shortened } from '../print/warnings.ts'
import type { PdfToolbox } from './pdf-toolbox.ts'
import type { TaskDone, TaskRun } from './run-task.ts'

interface NamedPdf {
  name: string
  bytes: Uint8Array
  pages: number
  mediaType: string
}

/** More are not recorded. */
const maxWarnings = 10

/**
 * Does the tasks of a chain in order. Throws the DomainErrors of the toolbox. The bounds of bytes and pages are for all PDFs of the chain
 * together, and the time is that of the document.
 */
export async function runChain(
  tools: Pick<PdfToolbox, 'run' | 'bounds'>,
  { tasks, names, files: contents = {} }: PdfChain,
  sources: readonly PdfSource[],
  { options, caller, signal }: Pick<TaskRun, 'options' | 'caller' | 'signal'>,
): Promise<TaskDone> {
  const startedAt = performance.now()
  const { timeout_ms: limitMs = tools.bounds.timeoutMs } = options
  const files = Object.fromEntries(Object.entries(contents).map(([name, content]) => [name, bytesOf(content)]))
  const warnings: Warning[] = []
  const run: Run = async (given, operation, { steps: after }) => {
    const timeoutMs = Math.max(1, limitMs - (performance.now() - startedAt))
    const task = { sources: given, files, operation, ...defined({ steps: after }) }
    const result = await tools.run(task, { signal, caller, timeoutMs })
    for (const { step, message } of result.warnings.slice(0, maxWarnings - warnings.length)) {
      warnings.push({ code: 'PDF_STEP', message: shortened(`${step}: ${message}`, 500) })
    }
    return result
  }
  let pdfs: NamedPdf[] = sources.map(({ bytes }, at) => ({
    name: names[at] ?? `document-${at + 1}`,
    bytes,
    pages: 0,
    mediaType: 'application/pdf',
  }))
  const steps: StepResult[] = []
  for (const task of tasks) {
    const done = await runOnAll(pdfs, task, { run, bounds: tools.bounds })
    pdfs = done.pdfs
    steps.push(...stepsOf(done.results))
  }
  const file = await oneFile(pdfs)
  return { ...file, steps, warnings, tools_ms: Math.round(performance.now() - startedAt) }
}

type Run = (sources: PdfSource[], operation: PdfOperation, task: ChainTask) => Promise<PdfResult>

interface TaskResult {
  pdfs: NamedPdf[]
  results: PdfResult[]
}

async function runOnAll(
  pdfs: readonly NamedPdf[],
  task: ChainTask,
  { run, bounds }: { run: Run; bounds: PdfBounds },
): Promise<TaskResult> {
  const sourceOf = ({ name, bytes }: NamedPdf): PdfSource => ({ name, bytes })
  const named = ({ files }: PdfResult, name: string): NamedPdf[] =>
    files.map(({ bytes, pages = 1, mediaType }, at) => {
      const isNumbered = task.operation.operation === 'split' && !task.keeps_name
      return { name: isNumbered ? `${name}_${at}` : name, bytes, pages, mediaType }
    })
  const [first] = pdfs
  if (task.operation.operation === 'merge') {
    if (!first) return { pdfs: [], results: [] }
    const result = await run(pdfs.map(sourceOf), task.operation, task)
    return { pdfs: named(result, first.name), results: [result] }
  }
  const size = sizeOf(pdfs)
  const done: NamedPdf[] = []
  const results: PdfResult[] = []
  for (const pdf of pdfs) {
    const own = task.bookmarks && Object.hasOwn(task.bookmarks, pdf.name) ? task.bookmarks[pdf.name] : undefined
    if (task.bookmarks && !own) done.push(pdf)
    else {
      const operation = own ? { operation: 'edit' as const, bookmarks: own } : task.operation
      const result = await run([sourceOf(pdf)], operation, task)
      const made = named(result, pdf.name)
      const { bytes, pages } = sizeOf(made)
      size.bytes += bytes - pdf.bytes.byteLength
      size.pages += pages - pdf.pages
      checkSize(size, bounds, operation.operation)
      done.push(...made)
      results.push(result)
    }
  }
  return { pdfs: done, results }
}

function sizeOf(pdfs: readonly NamedPdf[]): { bytes: number; pages: number } {
  return {
    bytes: pdfs.reduce((sum, pdf) => sum + pdf.bytes.byteLength, 0),
    pages: pdfs.reduce((sum, pdf) => sum + pdf.pages, 0),
  }
}

/** Each task is bounded by itself: this is about the PDFs that are done and those that wait, together. */
function checkSize(
  { bytes, pages }: { bytes: number; pages: number },
  { maxBytes, maxPages }: PdfBounds,
  step: string,
): void {
  if (bytes > maxBytes) {
    const message = `${step}: The PDFs have more than ${maxBytes} bytes together`
    fail('RENDER_LIMIT_EXCEEDED', message, { reason: 'too-large', step })
  }
  if (pages > maxPages) {
    const message = `${step}: The PDFs have more than ${maxPages} pages together`
    fail('RENDER_LIMIT_EXCEEDED', message, { reason: 'too-many-pages', step })
  }
}

/** The steps of a task on one PDF, or one for all of its PDFs: an event has no room for those of thousands. */
function stepsOf(results: readonly PdfResult[]): StepResult[] {
  const [first] = results
  const step = first?.steps.at(-1)?.step
  if (results.length < 2 || step === undefined) return first?.steps ?? []
  const hash = createHash('sha256')
  let bytes = 0
  for (const file of results.flatMap(({ files }) => files)) {
    hash.update(file.bytes)
    bytes += file.bytes.byteLength
  }
  const ms = results.flatMap(({ steps }) => steps).reduce((sum, { ms }) => sum + ms, 0)
  return [{ step, bytes, sha256: hash.digest('hex'), ms }]
}

async function oneFile(pdfs: readonly NamedPdf[]) {
  const [first] = pdfs
  if (!first) throw new Error('a chain has no result')
  const pages = pdfs.reduce((sum, pdf) => sum + pdf.pages, 0)
  if (pdfs.length === 1) {
    const { bytes, mediaType } = first
    return { bytes, pages, ...(mediaType !== 'application/pdf' && { media_type: mediaType }) }
  }
  if (pdfs.every(({ mediaType }) => mediaType === 'application/json')) return joinedJson(pdfs)
  // Loaded with the first ZIP file.
  const { downloadZip } = await import('client-zip')
  const entries = pdfs.map(({ name, bytes }) => ({ name: `${name}.pdf`, input: bytes }))
  return { bytes: await downloadZip(entries).bytes(), pages, media_type: 'application/zip' }
}

/**
 * The descriptions of several PDFs in one object: each is an object with the name of its PDF, which no other one has. They say what a
 * PDF says, so that they are not parsed here.
 */
async function joinedJson(pdfs: readonly NamedPdf[]) {
  const fields = pdfs.flatMap(({ bytes }, at) => [Buffer.from(at === 0 ? '{' : ','), bytes.subarray(1, -1)])
  return { bytes: await joinBytes([...fields, Buffer.from('}')]), pages: 0, media_type: 'application/json' }
}
