import type { RenderInput } from '@platen/domain/generation/generation.ts'
import type { RenderPreview } from '@platen/domain/generation/preview.ts'
import type { Priority } from '@platen/domain/streams/subjects.ts'
import { admit } from '../admission/admit.ts'
import type { Slots } from '../admission/slots.ts'
import { pageUserOf } from '../chromium/pool/page-user.ts'
import type { AssetSource } from '../jobs/asset-source.ts'
import { type ComposeOptions, composeDocument } from '../jobs/compose-document.ts'
import type { Printed } from '../print/print-job.ts'
import type { Printer } from '../print/printer.ts'

export interface PrintPreviewDependencies extends Omit<ComposeOptions, 'caller' | 'locate'> {
  assets: Pick<AssetSource, 'open'>
  slots: Pick<Slots, 'acquire'>
  printer: Pick<Printer, 'print' | 'check'>
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

/** Needs a slot. */
export async function printPreview(
  dependencies: PrintPreviewDependencies,
  { preview_id, owner_id, api_key_id, input }: Requested & { input: RenderInput },
  signal: AbortSignal,
): Promise<Printed> {
  const owner = pageUserOf({ owner_id, api_key_id })
  const caller = { owner: owner_id, key: owner }
  const document = await composeDocument(input, { ...dependencies, caller, locate: true })
  const pins = document.assetPins
  const assets = dependencies.assets.open({ ownerId: owner_id, pins, generation: preview_id, signal })
  return await dependencies.printer.print({ ...document, assets, options: input.options, owner, signal, locate: true })
}
