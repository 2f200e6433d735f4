import { assetsOfSteps } from '@platen/domain/document/described-steps.ts'
import type { OutputOptions } from '@platen/domain/document/output-options.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { type JobAssets, lostAsset } from '../print/assets/job-assets.ts'

/** The bytes of the assets that the steps name. Throws ASSET_NOT_FOUND, and RENDER_LIMIT_EXCEEDED above the bound. */
export async function readStepFiles(
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
