import { assetsOfSteps } from '@platen/domain/document/described-steps.ts'
import type { OutputOptions, StepResult } from '@platen/domain/document/output-options.ts'
import type { ResolvedPdfOptions } from '@platen/domain/document/pdf-options.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { Warning } from '@platen/foundation/errors/warning.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { inSpan } from '@platen/foundation/tracing/tracing.ts'
import type { PdfTask } from '@platen/pdf-tools/task/task.ts'
import { type JobAssets, lostAsset } from '../print/assets/job-assets.ts'
import { shortened } from '../print/warnings.ts'
import type { PdfToolbox } from './pdf-toolbox.ts'
import { type ResultFile, resultFile } from './result-file.ts'

export interface TaskRun {
  options: Pick<ResolvedPdfOptions, 'output' | 'timeout_ms'>
  /** The assets that the steps name. */
  assets: JobAssets
  caller: Claim
  /** The parent of its span. */
  parent?: string | undefined
  signal: AbortSignal
}

export interface TaskDone extends ResultFile {
  steps: StepResult[]
  warnings: Warning[]
  tools_ms: number
}

/** More are not recorded. */
const maxWarnings = 10

/**
 * Does the operation, makes the form, and does the steps of `options.output`. Throws the DomainErrors of the toolbox, ASSET_NOT_FOUND and
 * RENDER_LIMIT_EXCEEDED.
 */
export async function runTask(
  tools: Pick<PdfToolbox, 'run' | 'bounds'>,
  { sources, operation, form }: Pick<PdfTask, 'sources' | 'operation' | 'form'>,
  { options, assets, caller, parent, signal }: TaskRun,
): Promise<TaskDone> {
  const { output, timeout_ms: timeoutMs } = options
  const startedAt = performance.now()
  return inSpan('pdf tools', { parent, attributes: { 'platen.operation': operation.operation } }, async () => {
    const files = output ? await readStepFiles(output, assets, tools.bounds.maxBytes) : {}
    const task = { sources, files, operation, ...defined({ form, steps: output }) }
    const result = await tools.run(task, { signal, caller, timeoutMs })
    const file = await resultFile(result, { zipped: operation.operation === 'split' })
    const warnings = result.warnings.slice(0, maxWarnings).map(({ step, message }) => ({
      code: 'PDF_STEP' as const,
      message: shortened(`${step}: ${message}`, 500),
    }))
    return { ...file, steps: result.steps, warnings, tools_ms: Math.round(performance.now() - startedAt) }
  })
}

/** The bytes of the assets that the steps name. Throws ASSET_NOT_FOUND, and RENDER_LIMIT_EXCEEDED above the bound. */
async function readStepFiles(
  steps: OutputOptions,
  assets: JobAssets,
  maxBytes: number,
): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {}
  let bytes = 0
  for (const { field, name } of assetsOfSteps(steps)) {
    if (Object.hasOwn(files, name)) continue
    const path = `options.output.${field}`
    const asset = await assets.find(name)
    if (!asset) return fail('ASSET_NOT_FOUND', `${path}: asset ${name} does not exist`)
    bytes += asset.bytes
    if (bytes > maxBytes) fail('RENDER_LIMIT_EXCEEDED', `The assets of options.output have more than ${maxBytes} bytes`)
    const served = await assets.read(asset)
    if (!served) return fail('ASSET_NOT_FOUND', `${path}: ${name}: ${lostAsset}`)
    files[name] = served.bytes
  }
  return files
}
