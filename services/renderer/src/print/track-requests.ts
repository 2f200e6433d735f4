import type { Session } from '../chromium/browser/cdp/session.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'

/**
 * The kind of element that requests a resource, by its type in the DevTools protocol. Requests of other types may stay
 * open for ever.
 */
const purposes: Record<string, string> = {
  Document: '<iframe>',
  Stylesheet: '@import',
  Script: 'import',
  Image: 'url()',
  Font: '@font-face',
  XHR: 'fetch',
  Fetch: 'fetch',
}

/** A response whose body a script does not read never ends. It counts as ended after this time without data. */
const unreadAfterMs = 250
/** Other responses are read by the browser itself, but their end is not always reported. */
const silentAfterMs = 2_000

/** Documents with more requests are no longer tracked. */
const maxRequests = 5_000

interface RequestWillBeSent {
  requestId: string
  /** Empty for worker scripts, whose end is reported to the worker's own session. */
  loaderId: string
  type?: string
  request: { url: string }
}

interface ResponseReceived {
  requestId: string
  type: string
  response: { status: number; mimeType: string; headers: Record<string, string> }
}

interface LoadingFailed {
  requestId: string
  type: string
  errorText: string
  canceled: boolean
}

/**
 * Tracks the requests of a page and its frames. Not used for documents that load only data URLs, because each event
 * contains the whole URL.
 */
export class TrackedRequests implements Disposable {
  readonly #session: Session
  /** URLs by request id. */
  readonly #pending = new Map<string, string>()
  readonly #purposes = new Map<string, string>()
  /** Why a frame shows nothing, by URL, in the words of the browser. */
  readonly #failedFrames = new Map<string, string>()
  /** Timers by request id: each ends its request unless more data arrives. */
  readonly #silence = new Map<string, NodeJS.Timeout>()
  #requests = 0

  constructor({ session }: BrowserPage) {
    this.#session = session
    session.on('Network.requestWillBeSent', this.#sent)
    session.on('Network.responseReceived', this.#answered)
    session.on('Network.dataReceived', this.#progressed)
    session.on('Network.loadingFinished', this.#ended)
    session.on('Network.loadingFailed', this.#failed)
    session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }).catch(() => {})
  }

  /** URLs of requests without a response. */
  pending(): string[] {
    return [...this.#pending.values()]
  }

  /** Frames that failed to load. The browser's log does not report all of them, and names only the host of some. */
  failedFrames(): ReadonlyMap<string, string> {
    return this.#failedFrames
  }

  /** The kind of reference to a URL (without fragment), if no element of the document refers to it. */
  purposeOf(url: string): string | undefined {
    return this.#purposes.get(url)
  }

  [Symbol.dispose](): void {
    this.#pending.clear()
    for (const timer of this.#silence.values()) clearTimeout(timer)
    this.#session.off('Network.requestWillBeSent', this.#sent)
    this.#session.off('Network.responseReceived', this.#answered)
    this.#session.off('Network.dataReceived', this.#progressed)
    this.#session.off('Network.loadingFinished', this.#ended)
    this.#session.off('Network.loadingFailed', this.#failed)
    this.#session.send('Network.disable').catch(() => {})
  }

  /** Events that were too long to be parsed have no content. */
  readonly #sent = ({ requestId, loaderId, type = '', request }: Partial<RequestWillBeSent>) => {
    if (requestId === undefined || request === undefined || !loaderId || !(type in purposes)) return
    this.#requests += 1
    if (this.#requests > maxRequests) return this[Symbol.dispose]()
    this.#pending.set(requestId, request.url)
    this.#purposes.set(request.url, purposes[type] ?? '')
  }

  readonly #answered = (event: Partial<ResponseReceived>) => {
    const url = this.#pending.get(event.requestId ?? '')
    const nothing = event.type === 'Document' && event.response && whyNothingToShow(event.response)
    if (nothing && url !== undefined) this.#failedFrames.set(url, nothing)
    this.#progressed(event)
  }

  readonly #progressed = ({ requestId }: Partial<{ requestId: string }>) => {
    const url = this.#pending.get(requestId ?? '')
    if (requestId === undefined || url === undefined) return
    const readByScript = this.#purposes.get(url) === 'fetch'
    clearTimeout(this.#silence.get(requestId))
    const end = () => this.#ended({ requestId })
    this.#silence.set(requestId, setTimeout(end, readByScript ? unreadAfterMs : silentAfterMs).unref())
  }

  /** `canceled`: another document was loaded instead, or the browser does not show this kind. */
  readonly #failed = ({ requestId, type, errorText = '', canceled }: Partial<LoadingFailed>) => {
    const url = this.#pending.get(requestId ?? '')
    if (type === 'Document' && url !== undefined) {
      if (!canceled) this.#failedFrames.set(url, errorText)
      // Schemes such as ftp: and mailto:, which a browser gives to another program.
      else if (!/^https?:/i.test(url)) this.#failedFrames.set(url, 'net::ERR_UNKNOWN_URL_SCHEME')
    }
    if (requestId !== undefined) this.#ended({ requestId })
  }

  readonly #ended = ({ requestId }: Partial<{ requestId: string }>) => {
    if (requestId === undefined) return
    this.#pending.delete(requestId)
    clearTimeout(this.#silence.get(requestId))
    this.#silence.delete(requestId)
  }
}

/** Media types that a frame shows. Others are downloads: a browser without a window has no viewer for PDF. */
const shownInFrames = /^(text|image|audio|video|multipart)\/|[/+](json|xml)$|javascript$/

/** Why a response leaves its frame empty, although it has no error. Undefined if the frame shows it. */
function whyNothingToShow({ status, mimeType, headers }: ResponseReceived['response']): string | undefined {
  if (status === 204 || status === 205) return `a status of ${status}`
  const disposition = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-disposition')?.[1]
  const isDownload = /^\s*attachment\b/i.test(disposition ?? '') || !shownInFrames.test(mimeType)
  return isDownload ? `download of ${mimeType}` : undefined
}
