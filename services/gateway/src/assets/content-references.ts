import { referenceOf } from '@platen/domain/asset/asset-name.ts'
import { cssUrls } from '@platen/templating/css/css-urls.ts'
import { svgReferences } from '@platen/templating/html/svg-references.ts'
import { init, parse } from 'es-module-lexer'

/** An upload of a known type. */
export interface TypedContent {
  type: string
  bytes: Uint8Array
}

/** What a file refers to. */
export interface ContentReferences {
  /** Other assets, see `referenceOf`: of a style sheet, and those that a module imports. Sorted. */
  assets: string[]
  /** URLs that no browser loads in a picture, of an SVG. */
  outside: string[]
}

/** More names than an owner has assets need not be recorded. */
const maxReferences = 1_000

type Find = (text: string) => Promise<Partial<ContentReferences>> | Partial<ContentReferences>

/** The types of files that refer to others. */
const finders = new Map<string, Find>([
  ['image/svg+xml', (svg) => ({ outside: svgReferences(svg) })],
  ['text/css', (css) => ({ assets: sheetReferences(css) })],
  ['text/javascript', async (script) => ({ assets: references(await relativeImports(script)) })],
])

/** Whether a file of the type may refer to others. */
export const mayRefer = (type: string): boolean => finders.has(type)

/** A module that cannot be parsed has none; the browser reports what is wrong with it. */
export async function contentReferences({ type, bytes }: TypedContent): Promise<ContentReferences> {
  const find = finders.get(type)
  const text = () => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  return { assets: [], outside: [], ...(find && (await find(text()))) }
}

export const sheetReferences = (css: string): string[] => references(cssUrls(css).map(({ value }) => value))

async function relativeImports(script: string): Promise<string[]> {
  await init
  try {
    const [imports] = parse(script)
    return imports.flatMap(({ specifier }) => (/^\.\.?\//.test(specifier ?? '') ? [String(specifier)] : []))
  } catch {
    return []
  }
}

function references(urls: readonly string[]): string[] {
  const found = new Set<string>()
  for (const url of urls) {
    const reference = referenceOf(url)
    if (reference !== undefined) found.add(reference)
    if (found.size === maxReferences) break
  }
  return [...found].sort()
}
