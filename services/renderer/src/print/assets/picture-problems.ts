import { refersTo } from '@platen/templating/html/svg-references.ts'
import type { AssetTexts } from '../../inspect/inspect-texts.ts'
import type { JobAssets } from './job-assets.ts'

/** References of the SVG pictures among the assets of a document. Only pictures that have been read are known. */
export function pictureProblems({ assets, assetTexts }: { assets?: JobAssets; assetTexts?: AssetTexts }): string[] {
  const references = assets?.pictureReferences()
  if (!references || references.size === 0) return []
  const framed = new Set<string>()
  const shown = new Set<string>()
  for (const part of assetTexts?.html ?? []) {
    if (typeof part !== 'string') (part.framed ? framed : shown).add(part.asset)
  }
  // In a frame the SVG is a document, which loads what it refers to.
  return [...references]
    .filter(([name]) => !framed.has(name) || shown.has(name))
    .map(([name, urls]) => `asset:${name}: ${refersTo(urls)}`)
}
