import { paperSizeMm, paperSizesMm, type ResolvedPdfOptions } from '@platen/domain/document/pdf-options.ts'
import { lengthMm } from '@platen/foundation/css-length.ts'
import type { WindowSize } from '../chromium/pool/open-target.ts'
import type { PageRules } from '../inspect/page-rules.ts'

/** The sheet that a document is printed on, in millimetres. */
export interface Sheet {
  width: number
  height: number
  margin: { top: number; right: number; bottom: number; left: number }
}

/** Sizes that CSS names and `format` does not (CSS Paged Media 3, 7.1). */
const cssSizesMm: Record<string, { width: number; height: number }> = {
  ...Object.fromEntries(Object.entries(paperSizesMm).map(([name, size]) => [name.toLowerCase(), size])),
  ledger: paperSizesMm.Tabloid,
  b5: { width: 176, height: 250 },
  b4: { width: 250, height: 353 },
  'jis-b5': { width: 182, height: 257 },
  'jis-b4': { width: 257, height: 364 },
}

/** The sheet that results from the options and the document's `@page` rules. The rules take precedence, as in CSS. */
export function chooseSheet(options: ResolvedPdfOptions, rules: PageRules = {}): Sheet {
  const paper = paperSizeMm(options)
  const { prefer_css_page_size: preferCss = true } = options
  const size = preferCss && rules.size !== undefined ? cssSizeMm(rules.size, paper) : undefined
  const { width, height } = size ?? paper
  const margin = marginMm(rules, options.margin)
  // Chromium ignores a page size that is smaller than the margins.
  if (size === undefined) return { width, height, margin }
  const fits = margin.left + margin.right < width && margin.top + margin.bottom < height
  return { width, height, margin: fits ? margin : { top: 0, right: 0, bottom: 0, left: 0 } }
}

/** The sheet of a loaded document: linked style sheets may have rules that its text does not have. */
export const sheetOf = (
  { options, traits }: { options: ResolvedPdfOptions; traits: { pageRules: PageRules | undefined } },
  { pageRules }: { pageRules?: PageRules | undefined },
) => chooseSheet(options, { ...traits.pageRules, ...pageRules })

const pxPerMm = 96 / 25.4

/** The content box of a sheet in CSS pixels, in which the document is laid out. */
export function contentBox({ width, height, margin }: Sheet, scale: number): WindowSize {
  const px = (mm: number) => Math.max(1, Math.round((mm * pxPerMm) / scale))
  return { width: px(width - margin.left - margin.right), height: px(height - margin.top - margin.bottom) }
}

function cssSizeMm(declared: string, paper: { width: number; height: number }) {
  const words = wordsOf(declared)
  const lengths = words.map((word) => lengthMm(word))
  const [width, height = width] = lengths
  if (width !== undefined && height !== undefined && words.length <= 2) return { width, height }
  const named = words.map((word) => cssSizesMm[word]).find((size) => size !== undefined) ?? paper
  const [short, long] = [Math.min(named.width, named.height), Math.max(named.width, named.height)]
  if (words.includes('landscape')) return { width: long, height: short }
  return words.includes('portrait') ? { width: short, height: long } : named
}

function marginMm(rules: PageRules, margin: Sheet['margin']): Sheet['margin'] {
  const [top, right = top, bottom = top, left = right] = wordsOf(rules.margin ?? '').map(sideMm)
  return {
    top: sideMm(rules['margin-top']) ?? top ?? margin.top,
    right: sideMm(rules['margin-right']) ?? right ?? margin.right,
    bottom: sideMm(rules['margin-bottom']) ?? bottom ?? margin.bottom,
    left: sideMm(rules['margin-left']) ?? left ?? margin.left,
  }
}

const sideMm = (declared = '') => (declared.trim() === '0' ? 0 : lengthMm(declared.trim().toLowerCase()))

const wordsOf = (declared: string) =>
  declared
    .toLowerCase()
    .split(' ')
    .map((word) => word.trim())
    .filter((word) => word !== '')
