import type { PdfOptions } from '@platen/shared/contracts/pdf-options.ts'
import { type Aspect, comparePages, type Difference } from './compare-pages.ts'
import type { PlainChromium } from './plain-chromium.ts'
import { type PlatenAccess, printByPlaten } from './platen-printer.ts'
import { type PrintedPage, readPages } from './read-pages.ts'

export interface FidelityDocument {
  name: string
  /** Where plain Chromium opens it. */
  url: string
  /** What Platen is sent. */
  html: string
}

/**
 * - `same`: every rendering of Platen's is what plain Chromium prints.
 * - `different`: one of them is not, or is refused.
 * - `unstable`: plain Chromium prints it differently each time; what it is sure of is the same.
 * - `unjudged`: plain Chromium cannot print it.
 */
export type Outcome = 'same' | 'different' | 'unstable' | 'unjudged'

export interface Verdict {
  name: string
  outcome: Outcome
  /** Plain Chromium's pages. */
  pages: number
  differences: Difference[]
  /** How many of Platen's renderings differ. */
  differing: number
  warnings: string[]
  /** Why plain Chromium could not print it. */
  error?: string
  /** The pages where a difference is seen. */
  seen: SeenPage[]
}

export interface SeenPage {
  number: number
  plain: PrintedPage | undefined
  platen: PrintedPage | undefined
}

export interface Checking {
  chromium: PlainChromium
  platen: PlatenAccess
  options: PdfOptions
  /** Renderings by Platen. */
  repeat: number
}

/** Pages that are compared as pictures. */
const drawn = 30

export async function checkDocument({ name, url, html }: FidelityDocument, checking: Checking): Promise<Verdict> {
  const { chromium, platen, options, repeat } = checking
  const verdict = { name, pages: 0, differences: [], differing: 0, warnings: [], seen: [] }
  const judged = await judge(chromium, url, options).catch((err: unknown) => String(err))
  if (typeof judged === 'string') return { ...verdict, outcome: 'unjudged', error: judged }
  const { pages: plain, unsure } = judged
  const renderings = await Promise.all(
    Array.from({ length: repeat }, () => compareWith(plain, unsure, platen, { html, baseUrl: url, options })),
  )
  const differing = renderings.filter(({ differences }) => differences.length > 0)
  const [shown = renderings[0]] = differing
  const differences = shown?.differences ?? []
  return {
    ...verdict,
    outcome: differing.length > 0 ? 'different' : unsure.size > 0 ? 'unstable' : 'same',
    pages: plain.length,
    differences,
    differing: differing.length,
    warnings: shown?.warnings ?? [],
    seen: seenPages(differences, plain, shown?.pages ?? []),
  }
}

/** Prints twice: in what the two differ nobody can be judged by them. */
async function judge(chromium: PlainChromium, url: string, options: PdfOptions) {
  const print = async () => readPages(await chromium.print(url, { options }), { drawn })
  const [pages, again] = await Promise.all([print(), print()])
  const unsure = new Set<Aspect>(comparePages(pages, again).map(({ aspect }) => aspect))
  return { pages, unsure }
}

async function compareWith(
  plain: readonly PrintedPage[],
  unsure: ReadonlySet<Aspect>,
  platen: PlatenAccess,
  job: Parameters<typeof printByPlaten>[1],
): Promise<{ differences: Difference[]; warnings: string[]; pages: PrintedPage[] }> {
  const { status, pdf, error, warnings } = await printByPlaten(platen, job)
  if (!pdf) {
    return { differences: [{ aspect: 'status', plain: 'printed', platen: `${status} ${error}` }], warnings, pages: [] }
  }
  const pages = await readPages(pdf, { drawn })
  const differences = comparePages(plain, pages).filter(({ aspect }) => !unsure.has(aspect))
  return { differences, warnings, pages }
}

function seenPages(
  differences: readonly Difference[],
  plain: readonly PrintedPage[],
  platen: readonly PrintedPage[],
): SeenPage[] {
  const numbers = new Set(differences.flatMap(({ page }) => page ?? []))
  return [...numbers].map((number) => ({ number, plain: plain[number - 1], platen: platen[number - 1] }))
}
