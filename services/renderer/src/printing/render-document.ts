import { parsePageRanges, reachesEveryRange } from '@platen/shared/contracts/page-ranges.ts'
import type { Warning, WarningCode } from '@platen/shared/contracts/warning.ts'
import { DomainError, fail } from '@platen/shared/runtime/errors.ts'
import { BrowserLost, PrintFailed } from '../browser/browser-errors.ts'
import { AnswerTooLong } from '../browser/cdp/session.ts'
import { untilAborted } from '../browser/until-aborted.ts'
import { mayLoad } from '../document/may-load.ts'
import { needsScript } from '../document/needs-script.ts'
import type { PreparedPage } from '../pages/prepared-page.ts'
import { withMetadata } from '../pdf/metadata.ts'
import { checkPdfBytes, measurePdf, type PdfLimits } from '../pdf/page-count.ts'
import { recordConsole } from './console-recorder.ts'
import { type DocumentDescription, mayHoldRareCharacters } from './describe-document.ts'
import { missingGlyphs } from './missing-glyphs.ts'
import type { Printed, PrintJob, ScannedJob } from './print-job.ts'
import { printParameters } from './print-options.ts'
import { readStream } from './read-stream.ts'
import { settle } from './settle.ts'
import { lookStatic, settleStatic } from './settle-static.ts'
import { waitFor } from './wait-for.ts'
import { collectWarnings } from './warnings.ts'
import { watchNavigation } from './watch-navigation.ts'
import { watchResources } from './watch-resources.ts'

/** Characters of html that hardly make more than a megabyte of PDF. */
const maxAtOnce = 256 * 1024

export interface RenderOptions {
  limits: PdfLimits
  /** How long the document's resources may take in all. */
  resourcesMs: number
  /** The time that a document has in all, of which a part may have gone by. */
  deadlineMs: number
  signal: AbortSignal
}

/** Content in, loaded, printed: one document on one page. Rejects with the signal's reason as soon as it aborts. */
export async function renderDocument(
  page: PreparedPage,
  job: ScannedJob,
  options: RenderOptions,
): Promise<Omit<Printed, 'engine'>> {
  using navigation = watchNavigation(page)
  const warnings = collectWarnings()
  using resources = watchResources(page, warnings)
  const signal = AbortSignal.any([options.signal, page.lost, navigation.left, resources.flood])
  // It makes the document's world, which one without script does not need.
  const complaints = page.mode === 'scripted' && needsScript(job.markup) ? recordConsole(page) : undefined
  const { frameId } = page
  const content = page.session.send('Page.setDocumentContent', { frameId, html: job.html })
  const atOnce = page.mode === 'static' && !mayLoad(job.markup) ? printAtOnce(page, job, options.limits) : undefined
  await untilAborted(content, signal)
  const settled = await (atOnce && untilAborted(atOnce.settled, signal))
  const description = settled ?? (await settleIn(page, job, { ...options, signal }))
  for (const url of description.brokenImages) resources.brokenImage(url)
  const lookingForGlyphs = missingGlyphs(description.rareCharacters)
  const printing = settled && atOnce ? atOnce.printed : printPage(page, job, options.limits)
  const printed = await untilAborted(printing, signal).catch((err: unknown) => {
    // Chromium refuses such a header or footer, or goes down over it.
    if (diedOfItself(page) && loadsStyles(job)) throw refusalOf(job)
    throw err
  })
  const glyphs = await untilAborted(lookingForGlyphs, signal)
  if (glyphs !== undefined) warnings.add('MISSING_GLYPHS', glyphs)
  for (const complaint of (await complaints?.(signal)) ?? []) warnings.add('CONSOLE_ERROR', complaint)
  resources.refused()
  signal.throwIfAborted()
  failOn(job.options.fail_on, warnings.list())
  return { ...printed, pdf: withMetadata(printed.pdf, description), warnings: warnings.list() }
}

/**
 * The question whether all is there and the print go out behind the content, so that the browser never waits for us
 * between them. Where the answer is no, the print is thrown away.
 */
function printAtOnce(page: PreparedPage, job: ScannedJob, limits: PdfLimits) {
  const settled = lookStatic(page, mayHoldRareCharacters(job.markup))
  const printed = printPage(page, job, limits)
  // Whoever gives up before asks neither.
  settled.catch(() => {})
  printed.catch(() => {})
  return { settled, printed }
}

function failOn(codes: readonly WarningCode[] = [], warnings: Warning[]): void {
  const failing = warnings.filter(({ code }) => codes.includes(code))
  const [first] = failing
  if (!first) return
  const more = failing.length === 1 ? '' : ` (and ${failing.length - 1} more)`
  fail('RENDER_FAILED', `options.fail_on: ${first.code}: ${first.message}${more}`, { warnings })
}

async function settleIn(
  page: PreparedPage,
  job: ScannedJob,
  { resourcesMs, deadlineMs, signal }: RenderOptions,
): Promise<DocumentDescription> {
  if (page.mode === 'static') {
    return settleStatic(page, { resourcesMs, closely: mayHoldRareCharacters(job.markup), signal })
  }
  const { wait_for: wait } = job.options
  const loaded = () =>
    settle(page, { resourcesMs, scripted: wait !== undefined || /<script/i.test(job.markup), signal })
  if (wait === undefined) return loaded()
  // The milliseconds are counted from the load; what the others wait for may be what loads the rest.
  if (wait.ms !== undefined) await loaded()
  await waitFor(page, wait, { deadlineMs, signal })
  return loaded()
}

const diedOfItself = ({ lost }: PreparedPage) =>
  lost.aborted && !(lost.reason instanceof BrowserLost && lost.reason.blameless)

const loadsStyles = ({ headerHtml = '', footerHtml = '' }: PrintJob) =>
  /@import|@font-face|<link/i.test(headerHtml + footerHtml)

type PrintedPages = Pick<Printed, 'pdf' | 'pages'>

async function printPage(page: PreparedPage, job: PrintJob, limits: PdfLimits): Promise<PrintedPages> {
  const { page_ranges: wanted } = job.options
  try {
    const pdf = await print(page, job, limits)
    const pages = measurePdf(pdf, limits)
    // Chromium leaves out what lies beyond the last page, unless nothing is left.
    if (wanted === undefined || reachesEveryRange(parsePageRanges(wanted), pages)) return { pdf, pages }
  } catch (err) {
    if (/Page range exceeds page count/.test(String(err))) return refuseRanges(page, job, limits)
    if (/invalid print parameters/.test(String(err))) throw refusalOf(job)
    if (/Printing failed/.test(String(err))) throw new PrintFailed(refusalOf(job), err)
    throw err
  }
  return refuseRanges(page, job, limits)
}

async function print(page: PreparedPage, job: PrintJob, limits: PdfLimits): Promise<Uint8Array> {
  // One answer is faster than a stream, as long as it is no large one.
  const transferMode = job.html.length > maxAtOnce ? 'ReturnAsStream' : 'ReturnAsBase64'
  try {
    const printed = await page.session.send('Page.printToPDF', { ...printParameters(job), transferMode })
    if (printed.stream !== undefined) return await readStream(page, printed.stream, limits)
    return Buffer.from(printed.data, 'base64')
  } catch (err) {
    if (err instanceof AnswerTooLong) checkPdfBytes(Number.POSITIVE_INFINITY, limits)
    throw err
  }
}

async function refuseRanges(page: PreparedPage, job: PrintJob, limits: PdfLimits): Promise<never> {
  const { page_ranges: wanted, ...whole } = job.options
  const pages = measurePdf(await print(page, { ...job, options: whole }, limits), limits)
  const there = pages === 1 ? '1 page' : `${pages} pages`
  return fail('RENDER_FAILED', `The document has ${there}, page_ranges asks for ${wanted}`)
}

function refusalOf({ headerHtml, footerHtml }: PrintJob): DomainError {
  const cannot = 'The document cannot be printed'
  if (headerHtml === undefined && footerHtml === undefined) return new DomainError('RENDER_FAILED', cannot)
  // Chromium prints these in a page that loads nothing that could change its layout late.
  const why = 'header_html and footer_html must not use @import, linked style sheets or web fonts'
  return new DomainError('RENDER_FAILED', `${cannot}: ${why}`)
}
