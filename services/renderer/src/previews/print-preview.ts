import type { OutputOptions } from '@platen/domain/document/output-options.ts'
import type { RenderInput } from '@platen/domain/generation/generation.ts'
import type { RenderPreview } from '@platen/domain/generation/preview.ts'
import type { Priority } from '@platen/domain/streams/subjects.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { type AdmissionOptions, admit } from '../admission/admit.ts'
import type { Slots } from '../admission/slots.ts'
import { pageUserOf } from '../chromium/pool/page-user.ts'
import type { AssetSource } from '../jobs/asset-source.ts'
import { type ComposeOptions, composeDocument } from '../jobs/compose-document.ts'
import type { Printed } from '../print/print-job.ts'
import type { Printer } from '../print/printer.ts'
import type { PdfToolbox } from '../tools/pdf-toolbox.ts'
import { runTask } from '../tools/run-task.ts'
import type { Viewer } from './page-images.ts'

export interface PrintPreviewDependencies extends Omit<ComposeOptions, 'caller' | 'locate'> {
  assets: Pick<AssetSource, 'open'>
  slots: Pick<Slots, 'acquire'>
  clock: AdmissionOptions['clock']
  printer: Pick<Printer, 'print' | 'check'>
  tools: Pick<PdfToolbox, 'run' | 'bounds'>
  stopping: AbortSignal
}

type Requested = Pick<RenderPreview, 'preview_id' | 'owner_id' | 'api_key_id' | 'until'>

/** A slot for all work on a preview. Throws what `admit` throws. */
export function slotForPreview(
  dependencies: PrintPreviewDependencies,
  { owner_id, api_key_id, until }: Requested,
  { priority, signal }: { priority: Priority; signal: AbortSignal },
): Promise<Disposable> {
  return admit(dependencies, {
    owner: owner_id,
    key: api_key_id,
    priority,
    signal,
    waiting: { until, returns: false },
  })
}

export function viewerOf(preview: Pick<Requested, 'owner_id' | 'api_key_id'>, signal: AbortSignal): Viewer {
  return { caller: { owner: preview.owner_id, key: pageUserOf(preview) }, signal }
}

/** Needs a slot. */
export async function printPreview(
  dependencies: PrintPreviewDependencies,
  { preview_id, owner_id, api_key_id, input }: Requested & { input: RenderInput },
  signal: AbortSignal,
): Promise<Printed> {
  const { caller } = viewerOf({ owner_id, api_key_id }, signal)
  const owner = caller.key
  const document = await composeDocument(input, { ...dependencies, caller, locate: true })
  const pins = document.assetPins
  const assets = dependencies.assets.open({ ownerId: owner_id, pins, generation: preview_id, signal })
  // A preview shows inputs as they are.
  const { form_fields: _, ...options } = input.options
  const printed = await dependencies.printer.print({ ...document, assets, options, owner, signal, locate: true })
  const output = visibleSteps(options.output)
  if (!output) return printed
  const task = { sources: [{ bytes: printed.pdf }], operation: { operation: 'steps' as const } }
  const done = await runTask(dependencies.tools, task, { options: { ...options, output }, assets, caller, signal })
  return { ...printed, pdf: done.bytes, pages: done.pages, warnings: [...printed.warnings, ...done.warnings] }
}

/** A preview shows what the steps change on the pages. It is neither encrypted nor pictures. */
function visibleSteps({ background, append, stamps }: OutputOptions = {}): OutputOptions | undefined {
  if (!background && !append && !stamps) return undefined
  return { ...defined({ background, append, stamps }) }
}
