import type { StepResult } from '@platen/domain/document/output-options.ts'
import type { PdfOperation } from '@platen/domain/document/pdf-operation.ts'
import type { ChainTask, PdfChain } from '@platen/domain/generation/pdf-chain.ts'
import type { Warning } from '@platen/foundation/errors/warning.ts'
import type { PdfResult, PdfSource } from '@platen/pdf-tools/task/task.ts'
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
 * Does the tasks of a chain in order. Throws the DomainErrors of the toolbox. Each task is bounded as an operation of its own, and all
 * of them by the time of the document.
 */
export async function runChain(
  tools: Pick<PdfToolbox, 'run' | 'bounds'>,
  { tasks, names, files: base64 = {} }: PdfChain,
  sources: readonly PdfSource[],
  { options, caller, signal }: Pick<TaskRun, 'options' | 'caller' | 'signal'>,
): Promise<TaskDone> {
  const startedAt = performance.now()
  const { timeout_ms: limitMs = tools.bounds.timeoutMs } = options
  const decoded = Object.entries(base64).map(([name, text]) => [name, Buffer.from(text, 'base64')] as const)
  const files = Object.fromEntries(decoded)
  const steps: StepResult[] = []
  const warnings: Warning[] = []
  const run = async (given: PdfSource[], operation: PdfOperation, { steps: after }: ChainTask): Promise<PdfResult> => {
    const timeoutMs = Math.max(1, limitMs - (performance.now() - startedAt))
    const task = { sources: given, files, operation, ...(after && { steps: after }) }
    const result = await tools.run(task, { signal, caller, timeoutMs })
    steps.push(...result.steps)
    for (const { step, message } of result.warnings.slice(0, maxWarnings - warnings.length)) {
      warnings.push({ code: 'PDF_STEP', message: shortened(`${step}: ${message}`, 500) })
    }
    return result
  }
  let pdfs: NamedPdf[] = sources.map(({ bytes }, at) => ({
    ...{ name: names[at] ?? `document-${at + 1}`, bytes, pages: 0, mediaType: 'application/pdf' },
  }))
  for (const task of tasks) pdfs = await runOnAll(pdfs, task, run)
  const file = await oneFile(pdfs)
  return { ...file, steps, warnings, tools_ms: Math.round(performance.now() - startedAt) }
}

type Run = (sources: PdfSource[], operation: PdfOperation, task: ChainTask) => Promise<PdfResult>

async function runOnAll(pdfs: NamedPdf[], task: ChainTask, run: Run): Promise<NamedPdf[]> {
  const sourceOf = ({ name, bytes }: NamedPdf): PdfSource => ({ name, bytes })
  const named = ({ files }: PdfResult, name: string): NamedPdf[] =>
    files.map(({ bytes, pages = 1, mediaType }, at) => {
      const isNumbered = task.operation.operation === 'split' && !task.keeps_name
      return { name: isNumbered ? `${name}_${at}` : name, bytes, pages, mediaType }
    })
  const [first] = pdfs
  if (task.operation.operation === 'merge') {
    return first ? named(await run(pdfs.map(sourceOf), task.operation, task), first.name) : []
  }
  const done: NamedPdf[] = []
  for (const pdf of pdfs) {
    const own = task.bookmarks && Object.hasOwn(task.bookmarks, pdf.name) ? task.bookmarks[pdf.name] : undefined
    if (task.bookmarks && !own) done.push(pdf)
    else {
      const operation = own ? { operation: 'edit' as const, bookmarks: own } : task.operation
      done.push(...named(await run([sourceOf(pdf)], operation, task), pdf.name))
    }
  }
  return done
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

/** The descriptions of several PDFs, each of which is an object with the name of its PDF. */
function joinedJson(pdfs: readonly NamedPdf[]) {
  const objects = pdfs.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as object)
  return { bytes: Buffer.from(JSON.stringify(Object.assign({}, ...objects))), pages: 0, media_type: 'application/json' }
}
