import { isAssetName } from './asset-name.ts'

export interface NamedAsset {
  name: string
  /** The offset of `asset:`. */
  at: number
  /**
   * Whether the reference is where only a URL can be: after a quotation mark, a parenthesis or an equals sign, and not
   * in prose.
   */
  isUrl: boolean
}

const scheme = 'asset:'
const opening = new Set(['"', "'", '(', '='])
const isNameCharacter = (character: string) => /[\w./@+-]/.test(character)

/**
 * The assets that a template source names as `asset:<name>`, found in one pass over the text. A name that data
 * completes (`asset:{{logo}}.svg`) is not found.
 */
export function namedAssets(source: string): NamedAsset[] {
  const found: NamedAsset[] = []
  for (let at = source.indexOf(scheme); at !== -1; at = source.indexOf(scheme, at + 1)) {
    const before = source.charAt(at - 1)
    if (/[\w.-]/.test(before)) continue
    const start = at + scheme.length
    let end = start
    while (end < source.length && isNameCharacter(source.charAt(end))) end++
    const name = source.slice(start, end)
    const isComplete = !'{%:'.includes(source.charAt(end) || ' ') || endsBlock(source, end)
    if (isComplete && isAssetName(name)) found.push({ name, at, isUrl: opening.has(before) })
  }
  return found
}

/** After `{{/if}}` or `{{else}}`, the name in front is complete. */
const endsBlock = (source: string, at: number) => /^\{\{~?(\/|else\b|\^)/.test(source.slice(at, at + 8))
