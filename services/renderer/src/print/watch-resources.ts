import { DomainError } from '@platen/domain/http/errors.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { maxReportBytes } from '../chromium/browser/cdp/connection.ts'
import type { Session } from '../chromium/browser/cdp/session.ts'
import { runInPage } from '../page/run-in-page.ts'
import type { Concern, ConcernSteps, DocumentOnPage, LoadedDocument } from './concern.ts'
import { shownUrl, whyBroken, whyFailed, whyLocal } from './describe-resource.ts'
import type { Warnings } from './warnings.ts'

/** The most reports of a page. */
const maxReports = 500
/** More reports than this come from an endless loop. */
const floodReports = 2_500
const floodChars = 32 * 2 ** 20

/** The timestamps of log entries may be slightly earlier than our clock. */
const clockSkewMs = 10

const maxTextChars = 1_000

/** As many URLs are looked up in the document. */
const maxUrls = 60

/** Sessions whose log is enabled. Enabling it again would repeat old entries. */
const reporting = new WeakSet<Session>()

/** Messages of the browser that name a blocked resource. */
const blocked: [message: RegExp, reason: string | ((url: string) => string)][] = [
  [/^Not allowed to load local resource: (.*)/s, whyLocal],
  [/^Unsafe attempt to load URL (\S+) from/, 'blocked: its origin is not that of the document'],
  // A frame that its server allows in no page is reported by its request.
  [
    /^(?!.*"frame-ancestors)[^']*'(\w+:[^']*)'.*Content Security Policy/s,
    "blocked by the document's own Content-Security-Policy",
  ],
]

interface LogEntry {
  source: string
  level: string
  text: string
  timestamp: number
  category?: string
  url?: string
}

export const failedResources: Concern = (document) => new ResourceWatch(document)

/** Collects the resources that fail to load while a page shows a document. */
class ResourceWatch implements ConcernSteps {
  readonly #document: DocumentOnPage
  readonly #since = Date.now() - clockSkewMs
  /** Failures by URL, without fragment. */
  readonly #failures = new Map<string, { url: string; reason: string }>()
  /** Images that were loaded but cannot be shown. The browser does not report these. */
  #brokenImages: readonly string[] = []
  #reports = 0
  #chars = 0

  constructor(document: DocumentOnPage) {
    this.#document = document
    const { session } = document.page
    const listener = ({ entry }: Partial<{ entry: LogEntry }>) => this.#logged(entry)
    session.on('Log.entryAdded', listener)
    document.resources.defer(() => session.off('Log.entryAdded', listener))
    if (!reporting.has(session)) session.send('Log.enable').catch(() => {})
    reporting.add(session)
  }

  loaded({ description, late }: LoadedDocument): void {
    for (const url of late) this.#failed(url, () => 'timed out')
    this.#brokenImages = description.brokenImages
  }

  /** Adds a warning for each failed resource, with the element that refers to it. */
  async after(_: unknown, warnings: Warnings): Promise<void> {
    const { page, requests, ending } = this.#document
    const { proxy } = page
    for (const url of this.#brokenImages) this.#failed(url, () => whyBroken(url, proxy))
    // The browser may report a request that the proxy refused only after the print.
    for (const [url, reason] of proxy.refused()) this.#failed(url, () => reason)
    for (const [url, text] of requests?.failedFrames() ?? []) this.#failed(url, () => whyFailed(url, { text }, proxy))
    if (this.#failures.size === 0) return
    const urls = [...this.#failures.keys()]
    const found = await untilAborted(runInPage(page, 'findElements', urls.slice(0, maxUrls)), ending.signal)
    const elements = new Map(Object.entries(found ?? {}))
    for (const [key, { url, reason }] of this.#failures) {
      const element = elements.get(key) ?? requests?.purposeOf(key)
      const shown = shownUrl(proxy.origin.authorUrl(url))
      warnings.add('RESOURCE_FAILED', `${shown}: ${reason}`, element)
    }
  }

  #failed(url: string, reason: () => string): void {
    const key = withoutFragment(url)
    if (!this.#failures.has(key) && this.#failures.size < maxReports) this.#failures.set(key, { url, reason: reason() })
  }

  /** `entry` is absent if the message was too long to be parsed. */
  #logged(entry: LogEntry | undefined): void {
    const isWithinLimits = this.#isWithinLimits(entry?.text.length ?? maxReportBytes)
    if (!isWithinLimits || entry?.level !== 'error' || entry.timestamp < this.#since) return
    const { source, category, url = '' } = entry
    const text = entry.text.slice(0, maxTextChars)
    if (source === 'network' && text.startsWith('Failed to load')) {
      this.#failed(url, () => whyFailed(url, { text, category }, this.#document.page.proxy))
    }
    for (const [pattern, reason] of blocked) {
      const found = pattern.exec(text)?.[1]
      if (found !== undefined) this.#failed(found, () => (typeof reason === 'string' ? reason : reason(found)))
    }
  }

  #isWithinLimits(size: number): boolean {
    this.#reports += 1
    this.#chars += size
    if (this.#reports === maxReports) {
      // If the log were enabled again, the next document would get the entries of this one.
      this.#document.retire()
      this.#document.page.session.send('Log.disable').catch(() => {})
    }
    if (this.#reports > floodReports || this.#chars > floodChars) {
      this.#document.ending.abort(
        new DomainError('RENDER_FAILED', 'The document requests resources that cannot be loaded without end'),
      )
    }
    return this.#reports <= maxReports
  }
}

function withoutFragment(url: string): string {
  const at = url.indexOf('#')
  return at < 0 ? url : url.slice(0, at)
}
