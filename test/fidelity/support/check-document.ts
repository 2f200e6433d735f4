import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import { type Aspect, comparePages, type Difference } from './compare-pages.ts'
import type { PlainChromium } from './plain-chromium.ts'
import { type PlatenAccess, type PlatenJob, printByPlaten } from './platen-printer.ts'
import { type PrintedPage, readPages } from './read-pages.ts'

export interface FidelityDocument {
  name: string
  /** The URL that plain Chromium opens. */
  url: string
  /** The HTML that is sent to Platen. */
  html: string
}

/**
 * - `same`: every rendering of Platen's is what plain Chromium prints at the load event.
 * - `later`: it is what plain Chromium prints some seconds after it: animations have ended, scripts have loaded data.
 * - `different`: a rendering is neither, or is refused.
 * - `unstable`: plain Chromium prints it differently each time; the aspects that are equal each time are the same.
 * - `unjudged`: plain Chromium cannot print it.
 */
export type Outcome = 'same' | 'later' | 'different' | 'unstable' | 'unjudged'

export interface Verdict {
  name: string
  outcome: Outcome
  /** The number of pages that plain Chromium prints. */
  pages: number
  differences: Difference[]
  /** How many of Platen's renderings differ. */
  differing: number
  warnings: string[]
  /** Why plain Chromium could not print it. */
  error?: string
  /** The pages with a difference. */
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

/** Platen runs animations and timers of so many seconds to their end. */
const laterMs = 5_000

export async function checkDocument(document: FidelityDocument, checking: Checking): Promise<Verdict> {
  const { platen, options, repeat } = checking
  const { name, url: baseUrl, html } = document
  const verdict = { name, pages: 0, differences: [], differing: 0, warnings: [], seen: [] }
  const atLoad = await judge(document, checking, 0).catch((err: unknown) => String(err))
  if (typeof atLoad === 'string') return { ...verdict, outcome: 'unjudged', error: atLoad }
  const renderings = await Promise.all(
    Array.from({ length: repeat }, () => renderByPlaten(platen, { html, baseUrl, options })),
  )
  const compared = compareAll(atLoad, renderings)
  const isSure = atLoad.unsure.size === 0
  if (isSure && compared.differing === 0) return { ...verdict, outcome: 'same', ...compared }
  const later = compared.isPrinted ? await judge(document, checking, laterMs) : undefined
  if (later?.unsure.size === 0) {
    const comparedLater = compareAll(later, renderings)
    if (comparedLater.differing === 0) return { ...verdict, outcome: 'later', ...comparedLater }
    if (!isSure) return { ...verdict, outcome: 'different', ...comparedLater }
  }
  return { ...verdict, outcome: compared.differing > 0 ? 'different' : 'unstable', ...compared }
}

interface Judgement {
  pages: PrintedPage[]
  /** What plain Chromium prints differently each time. */
  unsure: ReadonlySet<Aspect>
}

/** Prints twice. An aspect in which the two prints differ is not compared. */
async function judge({ url }: FidelityDocument, { chromium, options }: Checking, waitMs: number): Promise<Judgement> {
  const print = async () => readPages(await chromium.print(url, { options, waitMs }), { drawn })
  const [pages, again] = await Promise.all([print(), print()])
  return { pages, unsure: new Set(comparePages(pages, again).map(({ aspect }) => aspect)) }
}

interface Rendering {
  /** Absent where the document was refused. */
  pages?: PrintedPage[]
  refusal: string
  warnings: string[]
}

async function renderByPlaten(platen: PlatenAccess, job: PlatenJob): Promise<Rendering> {
  const { status, pdf, error, warnings } = await printByPlaten(platen, job)
  return { ...(pdf && { pages: await readPages(pdf, { drawn }) }), refusal: `${status} ${error}`, warnings }
}

/** Tells of the first rendering that differs. */
function compareAll({ pages: plain, unsure }: Judgement, renderings: readonly Rendering[]) {
  const compared = renderings.map((rendering) => ({ rendering, differences: differencesOf(rendering) }))
  const differing = compared.filter(({ differences }) => differences.length > 0)
  const [shown = compared[0]] = differing
  const differences = shown?.differences ?? []
  return {
    pages: plain.length,
    isPrinted: renderings.every(({ pages }) => pages !== undefined),
    differing: differing.length,
    differences,
    warnings: shown?.rendering.warnings ?? [],
    seen: seenPages(differences, plain, shown?.rendering.pages ?? []),
  }

  function differencesOf({ pages, refusal }: Rendering): Difference[] {
    if (!pages) return [{ aspect: 'status', plain: 'printed', platen: refusal }]
    return comparePages(plain, pages).filter(({ aspect }) => !unsure.has(aspect))
  }
}

function seenPages(
  differences: readonly Difference[],
  plain: readonly PrintedPage[],
  platen: readonly PrintedPage[],
): SeenPage[] {
  const numbers = new Set(differences.flatMap(({ page }) => page ?? []))
  return [...numbers].map((number) => ({ number, plain: plain[number - 1], platen: platen[number - 1] }))
}
