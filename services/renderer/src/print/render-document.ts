import { defined } from '@platen/foundation/json/defined.ts'
import { abortWith } from '@platen/foundation/runtime/abort-with.ts'
import { untilAborted, untilAbortedWith } from '@platen/foundation/runtime/until-aborted.ts'
import { SpanSequence } from '@platen/foundation/tracing/tracing.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import type { PageLease } from '../chromium/pool/warm-browser.ts'
import { headersOf } from '../egress/request-extras.ts'
import { documentFiles } from '../egress/request-files.ts'
import { type TableSizes, tableSizes } from '../inspect/document-traits.ts'
import type { DescriptionParts, DocumentDescription } from '../page/contract.ts'
import { runInPage } from '../page/run-in-page.ts'
import { withAuthorLinks } from '../pdf/author-links.ts'
import { type DocumentMetadata, withMetadata } from '../pdf/metadata.ts'
import type { PdfLimits } from '../pdf/page-count.ts'
import { carries, printWithSums } from './carried-sums.ts'
import type { LoadedDocument, PrintedDocument } from './concern.ts'
import { concerns } from './concerns.ts'
import { descriptionFromText } from './describe-document.ts'
import { recordDocument } from './document-recorder.ts'
import { finishAnimations } from './finish-animations.ts'
import { markInputs } from './form-inputs.ts'
import { withHiddenRows } from './hidden-rows.ts'
import type { MissingGlyphs } from './missing-glyphs.ts'
import { buildContents, printWithPageNumbers } from './page-numbers.ts'
import { isForSlices, printInSlices } from './print-in-slices.ts'
import type { InspectedJob, Printed } from './print-job.ts'
import { printPdf } from './print-pdf.ts'
import { refuseProblems } from './refuse-problems.ts'
import { takeScreenshot } from './screenshot.ts'
import { chooseSheet, contentBox, type Sheet, sheetOf } from './sheet.ts'
import { tallSheet } from './single-page.ts'
import { hideSplitTables } from './split-tables.ts'
import { TrackedRequests } from './track-requests.ts'
import { waitFor } from './wait-for.ts'
import { checkLoaded, waitUntilLoaded, whenLoaded } from './wait-until-loaded.ts'
import { markPlaces, withPages } from './warning-pages.ts'
import { collectWarnings, failOn } from './warnings.ts'
import { watchEvents, watchNavigation } from './watch-document.ts'

export interface RenderOptions {
  limits: PdfLimits
  tableSizes?: TableSizes | undefined
  missingGlyphs: MissingGlyphs
  /** How long all resources of the document together may take. */
  resourcesMs: number
  /** The deadline of the whole document. Part of it may have passed. */
  deadlineMs: number
  signal: AbortSignal
}

/** The document is animated by a linked style sheet: it must be printed in the scripted mode, on a page with frames. */
export class NeedsFrames extends Error {
  override readonly name = 'NeedsFrames'
}

/** An asset in the HTML cannot be shown. With its URL it is printed with a warning that names it. */
export class NeedsAssetUrls extends Error {
  override readonly name = 'NeedsAssetUrls'
}

/** Loads one document on a page and prints it. Rejects with the signal's reason as soon as it aborts. */
export async function renderDocument(
  lease: PageLease,
  job: InspectedJob,
  options: RenderOptions,
): Promise<Omit<Printed, 'engine'>> {
  const { page } = lease
  const { traits, prepared } = job
  const ending = new AbortController()
  const { signal } = ending
  using _ended = abortWith(ending, [options.signal, page.lost])
  using _navigation = watchNavigation(page, ending)
  using _events = watchEvents(page, ending)
  const untilEnded = untilAbortedWith(signal)
  using phases = SpanSequence.begin(job.traceparent)
  phases?.next('load')
  const sheet = chooseSheet(job.options, traits.pageRules)
  const language = page.begin({
    baseUrl: URL.parse(job.options.base_url ?? '') ?? undefined,
    assets: prepared?.forPage(),
    files: job.files && documentFiles(job.files),
    headersFor: job.requests && headersOf(job.requests),
    window: windowOf(job, sheet),
    media: job.options.media ?? (job.screenshot ? 'screen' : 'print'),
    mediaFeatures: job.options.media_features,
    scriptDisabled: job.options.javascript === 'off',
    locale: job.locale,
    timezone: job.timezone,
  })
  const record = page.mode === 'scripted' && traits.script ? recordDocument(page) : undefined
  using requests = traits.fetches || traits.script ? new TrackedRequests(page) : undefined
  // Resources that have not arrived by then are left out.
  using _late = timer(() => page.proxy.block(), options.resourcesMs)

  using resources = new DisposableStack()
  const retire = () => lease.retire()
  const { missingGlyphs: describeMissingGlyphs } = options
  const document = { page, job, requests, record, ending, resources, retire, describeMissingGlyphs }
  const steps = concerns.map((begin) => begin(document))

  const loadEvent = whenLoaded(page)
  const { frameId } = page
  const text = prepared?.html(page.proxy.origin.assetsUrl) ?? job.html
  const sliced = page.mode === 'static' && isForSlices(job)
  const html = sliced ? withHiddenRows(text) : text
  const content = page.session.sendLong('Page.setDocumentContent', { frameId, html }, sliced ? undefined : job.known)
  const giveUp = AbortSignal.timeout(options.resourcesMs * 2)
  const loading = { ...options, signal, giveUp, loadEvent, requests, record }
  // All commands are sent at once, so that the browser does not wait between them.
  const atOnce = isCompleteAtOnce(page, job) ? printAtOnce(page, job, sheet, { ...options, signal }) : undefined
  await untilEnded(content)
  if (language) await untilEnded(language)
  const early = atOnce && (await untilEnded(atOnce.description))
  if (!early) phases?.next('wait')
  const loaded = early ? { description: early, late: new Set<string>(), problems: [] } : await load(page, job, loading)
  const { description } = loaded
  if (job.inlined && description.brokenImages.length > 0) throw new NeedsAssetUrls()
  phases?.next('print')
  const printing: Promise<PrintedDocument> = sliced
    ? printSlices(page, job, description, loading)
    : early && atOnce
      ? atOnce.printed
      : printLoaded(page, job, description, { ...options, signal })
  // Their commands are behind the print, and cost no time.
  for (const step of steps) step.loaded?.(loaded)
  const pdf = await untilEnded(printing)

  phases?.next('finish')
  const warnings = collectWarnings()
  for (const step of steps) await step.after(pdf, warnings)
  signal.throwIfAborted()
  refuseProblems(job.refusals, warnings.list())
  const found = { printing: warnings.list(), filling: job.warnings ?? [] }
  const { names = new Map() } = pdf
  const authorUrl = (url: string) => page.proxy.origin.authorUrl(url)
  const all = job.locate
    ? withPages(found, { names, pdf: pdf.pdf, job, authorUrl })
    : [...found.printing, ...found.filling]
  failOn(job.options.fail_on, all)
  if (job.screenshot) return { pdf: pdf.pdf, pages: 1, mediaType: `image/${job.screenshot.format}`, warnings: all }
  return {
    pages: pdf.pages,
    pdf: withMetadata(withAuthorLinks(pdf.pdf, page.proxy.origin), metadataOf(description, job)),
    warnings: all,
    ...defined({ form: pdf.form }),
  }
}

/** The size of the window: for print that of the content box. */
const windowOf = ({ screenshot, options }: InspectedJob, sheet: Sheet) =>
  screenshot ? { width: screenshot.width, height: screenshot.height } : contentBox(sheet, options.scale)

function metadataOf(described: DocumentDescription, { options }: InspectedJob): DocumentMetadata {
  const { lang, author, description: subject, keywords, brokenHeadings } = described
  return { lang, author, subject, keywords, brokenHeadings, replaced: options.document_info }
}

/** Whether the document can be printed right after its content was set: it loads nothing. */
function isCompleteAtOnce(page: BrowserPage, job: InspectedJob): boolean {
  const { traits, options } = job
  return (
    page.mode === 'static' &&
    !traits.loads &&
    !traits.frames &&
    !traits.pageNumbers &&
    !traits.manyRows &&
    !carries(job) &&
    options.single_page !== true &&
    options.form_fields !== true
  )
}

/** Sends the description and the print right behind the content. If the document is not complete, the print is discarded. */
function printAtOnce(page: BrowserPage, job: InspectedJob, sheet: Sheet, { limits, signal }: RenderOptions) {
  const known = descriptionFromText(job)
  const description = known ? Promise.resolve(known) : checkLoaded(page, partsOf(job), 'atOnce')
  const names = needsPlaces(job) ? markPlaces(page, signal) : undefined
  const printed: Promise<PrintedDocument> = printPdf(page, job, sheet, limits).then(async (pdf) => ({
    ...pdf,
    names: await names,
  }))
  // If the caller has stopped waiting, their failures would be unhandled rejections.
  description.catch(() => {})
  names?.catch(() => {})
  printed.catch(() => {})
  return { description, printed }
}

/** Prints slices. Resources of a row are loaded when it is shown. */
async function printSlices(
  page: BrowserPage,
  job: InspectedJob,
  description: DocumentDescription,
  loading: Loading,
): Promise<PrintedDocument> {
  const { limits, tableSizes, requests, giveUp, signal } = loading
  const parts = { ...partsOf(job), pageRules: false }
  const rare = new Set(description.rareCharacters)
  const settle = async () => {
    if (!job.traits.loads && !parts.rareCharacters) return
    const shown = { loadEvent: Promise.resolve(), requests, frames: false, parts, giveUp, signal }
    const { description } = await waitUntilLoaded(page, shown)
    for (const character of description.rareCharacters) rare.add(character)
  }
  const printed = await printInSlices(page, job, { sheet: sheetOf(job, description), limits, tableSizes, settle })
  return { ...printed, rareCharacters: [...rare].join('') }
}

/** Prints on the final sheet: linked style sheets and the height of the document are known now. */
async function printLoaded(
  page: BrowserPage,
  job: InspectedJob,
  description: DocumentDescription,
  { limits, tableSizes: sizes = tableSizes, signal }: RenderOptions,
): Promise<PrintedDocument> {
  if (job.screenshot) return { pdf: await takeScreenshot(page, job.screenshot, limits), pages: 1 }
  const names = needsPlaces(job) ? await markPlaces(page, signal) : undefined
  const sheet = sheetOf(job, description)
  const { single_page: isOnePage, scale } = job.options
  const final = isOnePage ? await tallSheet(page, sheet, scale) : sheet
  const isSplit = job.traits.manyRows && !isOnePage && ((await runInPage(page, 'splitTables', sizes)) ?? 0) > 0
  const form = job.options.form_fields === true ? await markInputs(page, signal) : undefined
  // Split tables are hidden unless scripts may look at the window, or amounts are read from the rows that it shows.
  if (isSplit && page.mode === 'static' && !carries(job)) await hideSplitTables(page)
  const numbered = job.traits.pageNumbers ? await printWithPageNumbers(page, job, final, limits) : undefined
  if (carries(job)) {
    const { problems = [], ...printed } = await printWithSums(page, job, final, limits)
    return { ...printed, names, form, problems: [...(numbered?.problems ?? []), ...problems] }
  }
  return { ...(numbered ?? (await printPdf(page, job, final, limits))), names, form }
}

/** Whether it may have warnings that are about a page. */
const needsPlaces = ({ locate, traits, warnings = [] }: InspectedJob) =>
  locate === true && (traits.loads || traits.rareCharacters || traits.script || warnings.length > 0)

const partsOf = ({ traits, options }: InspectedJob): DescriptionParts => ({
  rareCharacters: traits.rareCharacters || traits.script,
  // Page rules in the document's own text are known from its traits. These may be in linked style sheets, or made by
  // scripts.
  pageRules: (traits.linkedStyles || traits.script) && options.prefer_css_page_size !== false,
  brokenHeadings: options.outline === true,
})

interface Loading extends RenderOptions {
  giveUp: AbortSignal
  loadEvent: Promise<void>
  requests: TrackedRequests | undefined
  record: ReturnType<typeof recordDocument> | undefined
}

async function load(
  page: BrowserPage,
  job: InspectedJob,
  { loadEvent, requests, record, giveUp, deadlineMs, signal }: Loading,
): Promise<LoadedDocument> {
  const { frames, moves, linkedStyles, pageNumbers } = job.traits
  const { wait_for: wait, finish_animations: enabled = true } = job.options
  const scriptDisabled = job.options.javascript === 'off'
  const isStill = record === undefined && !moves
  const late = new Set<string>()
  const loaded = async (isFinal: boolean) => {
    // The walk over the text is needed once, when the document has its final text.
    const parts = isFinal ? partsOf(job) : { ...partsOf(job), rareCharacters: false }
    const loading = { loadEvent, requests, frames, parts, giveUp, signal }
    const waited = await waitUntilLoaded(page, loading)
    for (const url of waited.late) late.add(url)
    return waited.description
  }
  if (wait !== undefined) {
    // `ms` counts from the load. A selector or expression may wait for something that the load event waits for, too.
    if (wait.ms !== undefined) await loaded(false)
    const failsUndefined = job.refusals?.undefined_expression
    await waitFor(page, wait, { deadlineMs, signal, failsUndefined })
  }
  const description = await loaded(isStill && !pageNumbers)
  if (isStill) {
    // Only linked style sheets can contain animations that the traits do not know.
    if (
      linkedStyles &&
      enabled &&
      page.mode === 'static' &&
      (await untilAborted(runInPage(page, 'isAnimating'), signal))
    )
      throw new NeedsFrames()
    if (!pageNumbers) return { description, late, problems: [] }
  } else {
    // A linked style sheet may choose another paper size. Charts adapt to the size of the window.
    page.resize(windowOf(job, sheetOf(job, description)))
    await finishAnimations(page, { record, requests, frames, enabled, scriptDisabled, giveUp, signal })
    if (!pageNumbers) return { description: await loaded(true), late, problems: [] }
  }
  const problems = await untilAborted(buildContents(page), signal)
  // A contents list may use a font that nothing else does.
  return { description: await loaded(true), late, problems }
}

function timer(act: () => void, ms: number): Disposable {
  const timeout = setTimeout(act, ms)
  return { [Symbol.dispose]: () => clearTimeout(timeout) }
}
