import type { Warning, WarningCode } from '@platen/shared/contracts/warning.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import { untilAborted } from '@platen/shared/runtime/until-aborted.ts'
import type { BrowserPage } from '../browser-pool/browser-page.ts'
import type { PageLease } from '../browser-pool/warm-browser.ts'
import { withAuthorLinks } from '../pdf/author-links.ts'
import { withMetadata } from '../pdf/metadata.ts'
import type { PdfLimits } from '../pdf/page-count.ts'
import type { DescriptionParts, DocumentDescription } from './describe-document.ts'
import { recordDocument } from './document-recorder.ts'
import { finishAnimations } from './finish-animations.ts'
import { missingGlyphs } from './missing-glyphs.ts'
import type { InspectedJob, Printed } from './print-job.ts'
import { printPdf } from './print-pdf.ts'
import { chooseSheet, contentBox, type Sheet } from './sheet.ts'
import { tallSheet } from './single-page.ts'
import { TrackedRequests } from './track-requests.ts'
import { waitFor } from './wait-for.ts'
import { checkLoaded, waitUntilLoaded, whenLoaded } from './wait-until-loaded.ts'
import { collectWarnings } from './warnings.ts'
import { watchNavigation } from './watch-navigation.ts'
import { ResourceWatch } from './watch-resources.ts'

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
  lease: PageLease,
  job: InspectedJob,
  options: RenderOptions,
): Promise<Omit<Printed, 'engine'>> {
  const { page } = lease
  const { html, traits } = job
  using navigation = watchNavigation(page)
  using resources = new ResourceWatch(lease)
  const signal = AbortSignal.any([options.signal, page.lost, navigation.left, resources.flood])
  const sheet = chooseSheet(job.options, traits.pageRules)
  page.begin({
    baseUrl: URL.parse(job.options.base_url ?? '') ?? undefined,
    window: contentBox(sheet, job.options.scale),
    media: job.options.media ?? 'print',
    scriptDisabled: job.options.javascript === 'off',
  })
  const record = page.mode === 'scripted' && traits.script ? recordDocument(page) : undefined
  using requests = traits.fetches || traits.script ? new TrackedRequests(page) : undefined
  // Where time is up, what is still on its way is left out.
  using _late = timer(() => page.proxy.block(), options.resourcesMs)

  const loadEvent = whenLoaded(page)
  const { frameId } = page
  const content = page.session.send('Page.setDocumentContent', { frameId, html })
  const giveUp = AbortSignal.timeout(options.resourcesMs * 2)
  const loading = { ...options, signal, giveUp, loadEvent, requests, record }
  // The browser never waits for us between content and print.
  const atOnce = isCompleteAtOnce(page, job) ? printAtOnce(page, job, sheet, options.limits) : undefined
  await untilAborted(content, signal)
  const early = atOnce && (await untilAborted(atOnce.description, signal))
  const description = early ?? (await load(page, job, loading, resources))
  const lookingForGlyphs = missingGlyphs(description.rareCharacters)
  const printing = early && atOnce ? atOnce.printed : printLoaded(page, job, description, options.limits)
  const pdf = await untilAborted(printing, signal)

  const warnings = collectWarnings()
  resources.brokenImages(description.brokenImages)
  await resources.report(warnings, requests, signal)
  const complaints = await record?.complaints(signal)
  for (const complaint of complaints ?? []) {
    warnings.add('CONSOLE_ERROR', page.proxy.origin.authorText(complaint))
  }
  const glyphs = await untilAborted(lookingForGlyphs, signal)
  if (glyphs !== undefined) warnings.add('MISSING_GLYPHS', glyphs)
  signal.throwIfAborted()
  failOn(job.options.fail_on, warnings.list())
  return {
    pages: pdf.pages,
    pdf: withMetadata(withAuthorLinks(pdf.pdf, page.proxy.origin), description),
    warnings: warnings.list(),
  }
}

/** Nothing has to arrive, and nothing has to be asked before the print. */
function isCompleteAtOnce(page: BrowserPage, { traits, options }: InspectedJob): boolean {
  return page.mode === 'static' && !traits.loads && !traits.frames && options.single_page !== true
}

/** The question whether all is there and the print go out behind the content. Where it is not, the print is thrown away. */
function printAtOnce(page: BrowserPage, job: InspectedJob, sheet: Sheet, limits: PdfLimits) {
  const description = checkLoaded(page, partsOf(job), 'atOnce')
  const printed = printPdf(page, job, sheet, limits)
  // Whoever gives up before asks neither.
  description.catch(() => {})
  printed.catch(() => {})
  return { description, printed }
}

/** The sheet is final once the document's linked style sheets and its height are known. */
async function printLoaded(page: BrowserPage, job: InspectedJob, description: DocumentDescription, limits: PdfLimits) {
  const sheet = sheetOf(job, description)
  const final = job.options.single_page ? await tallSheet(page, sheet, job.options.scale) : sheet
  return printPdf(page, job, final, limits)
}

const sheetOf = ({ options, traits }: InspectedJob, { pageRules }: DocumentDescription) =>
  chooseSheet(options, { ...traits.pageRules, ...pageRules })

const partsOf = ({ traits, options }: InspectedJob): DescriptionParts => ({
  rareCharacters: traits.rareCharacters || traits.script,
  // In the document's own text they are known already.
  pageRules: (traits.linkedStyles || traits.script) && options.prefer_css_page_size !== false,
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
  resources: ResourceWatch,
): Promise<DocumentDescription> {
  const { frames, moves } = job.traits
  const { wait_for: wait, finish_animations: enabled = true } = job.options
  const scriptDisabled = job.options.javascript === 'off'
  const loaded = async () => {
    const loading = { loadEvent, requests, frames, parts: partsOf(job), giveUp, signal }
    const { description, late } = await waitUntilLoaded(page, loading)
    resources.late(late)
    return description
  }
  if (wait !== undefined) {
    // The milliseconds are counted from the load; what the others wait for may be what loads the rest.
    if (wait.ms !== undefined) await loaded()
    await waitFor(page, wait, { deadlineMs, signal })
  }
  const description = await loaded()
  if (record === undefined && !moves) return description
  // A linked style sheet may have chosen another paper. Charts follow their window.
  page.resize(contentBox(sheetOf(job, description), job.options.scale))
  await finishAnimations(page, { record, requests, frames, enabled, scriptDisabled, giveUp, signal })
  return loaded()
}

function failOn(codes: readonly WarningCode[] = [], warnings: Warning[]): void {
  const failing = warnings.filter(({ code }) => codes.includes(code))
  const [first] = failing
  if (!first) return
  const more = failing.length === 1 ? '' : ` (and ${failing.length - 1} more)`
  fail('RENDER_FAILED', `options.fail_on: ${first.code}: ${first.message}${more}`, { warnings })
}

function timer(act: () => void, ms: number): Disposable {
  const timeout = setTimeout(act, ms)
  return { [Symbol.dispose]: () => clearTimeout(timeout) }
}
