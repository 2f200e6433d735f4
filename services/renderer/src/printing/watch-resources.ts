import { DomainError } from '@platen/shared/runtime/errors.ts'
import { maxReportChars } from '../browser/cdp/connection.ts'
import type { PreparedPage } from '../pages/prepared-page.ts'
import { shownUrl, whyBroken, whyFailed } from './describe-resource.ts'
import type { Warnings } from './warnings.ts'

/** After so many nothing more is asked for: no author reads them. */
const maxReports = 500
/** A document from which more come nevertheless makes them in one endless script, past our asking. */
const floodReports = 2_500
const floodChars = 32 * 2 ** 20

/** The browser's clock for entries is a little off ours. */
const clockSkewMs = 10

const maxTextChars = 1_000

/** Pages that report already: a page is asked once, however many documents it shows. */
const reporting = new WeakSet<PreparedPage['session']>()

interface LogEntry {
  source: string
  level: string
  text: string
  timestamp: number
  category?: string
  url?: string
}

export interface WatchedResources extends Disposable {
  /** Aborts when there is no end to what fails. */
  flood: AbortSignal
  /** An image that is there and cannot be shown, of which the page reports nothing by itself. */
  brokenImage(url: string): void
  /** What the proxy refused so far: the browser may tell of it too late. */
  refused(): void
}

/** Warns of each resource that does not load while a page shows a document. The page reports by itself: nothing waits. */
export function watchResources(page: PreparedPage, warnings: Warnings): WatchedResources {
  const { session, door } = page
  const flood = new AbortController()
  const since = Date.now() - clockSkewMs
  const told = new Set<string>()
  let reports = 0
  let chars = 0

  const failed = (url: string, why: () => string) => {
    const address = shownUrl(url)
    const place = address.replace(/#.*/s, '')
    if (told.has(place)) return
    told.add(place)
    warnings.add('RESOURCE_FAILED', `${address}: ${why()}`)
  }
  const isHeard = (size: number): boolean => {
    reports += 1
    chars += size
    if (reports === maxReports) {
      // Asked again, the page would tell the next document what it kept of this one.
      page.retire()
      session.send('Log.disable').catch(() => {})
    }
    if (reports > floodReports || chars > floodChars) {
      flood.abort(new DomainError('RENDER_FAILED', 'The document asks without end for what it may not load'))
    }
    return reports <= maxReports
  }
  /** The entry is left out where it was longer than a report may be. */
  const logged = ({ entry }: Partial<{ entry: LogEntry }>) => {
    if (!isHeard(entry?.text.length ?? maxReportChars) || entry?.level !== 'error' || entry.timestamp < since) return
    const { source, category, url = '' } = entry
    const text = entry.text.slice(0, maxTextChars)
    if (source === 'network' && text.startsWith('Failed to load')) {
      return failed(url, () => whyFailed(url, { text, category }, door))
    }
    const local = /^Not allowed to load local resource: (.*)/s.exec(text)?.[1]
    if (local !== undefined) return failed(local, () => 'refused: documents read no local files')
    const blocked = /^[^']*'(\w+:[^']*)'.*Content Security Policy/s.exec(text)?.[1]
    if (blocked !== undefined) failed(blocked, () => "blocked by the document's own Content-Security-Policy")
  }

  session.on('Log.entryAdded', logged)
  if (!reporting.has(session)) session.send('Log.enable').catch(() => {})
  reporting.add(session)
  return {
    flood: flood.signal,
    brokenImage: (url) => failed(url, () => whyBroken(url, door)),
    refused() {
      for (const [url, why] of door.refused()) failed(url, () => why)
    },
    [Symbol.dispose]() {
      session.off('Log.entryAdded', logged)
    },
  }
}
