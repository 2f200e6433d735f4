import { ApiError } from '../../../api/api-error.ts'
import { ownerNow } from '../../../api/client.ts'
import { confirm } from '../../../parts/confirm.tsx'
import { notify } from '../../../parts/toasts.tsx'
import { textOf } from '../../../parts/use-action.ts'
import { assetName, type Library, uploadAsset } from '../model/library.ts'

/** Stores files as assets, one after the other. Asks before one replaces another of its name. */
export async function uploadFiles(files: readonly File[], library: Library): Promise<void> {
  const of = ownerNow()
  for (const file of files) {
    const name = assetName(file.name)
    try {
      if (!(await upload({ name, file, ...of }))) continue
      notify(`${name} is uploaded`)
    } catch (err) {
      notify(`${name}: ${textOf(err)}`, 'bad')
    }
  }
  await library.loadAssets().catch(() => {})
}

async function upload(asset: { name: string; file: File; owner?: string }): Promise<boolean> {
  try {
    await uploadAsset({ ...asset, replaces: false })
    return true
  } catch (err) {
    if (!(err instanceof ApiError) || err.code !== 'PRECONDITION_FAILED') throw err
  }
  const isConfirmed = await confirm({
    title: `Replace ${asset.name}?`,
    body: 'There is an asset with this name. Saved versions of templates keep the content that they were saved with.',
    action: 'Replace',
  })
  if (isConfirmed) await uploadAsset({ ...asset, replaces: true })
  return isConfirmed
}
