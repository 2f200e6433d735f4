import type { Session } from '../browser/cdp/session.ts'
import type { BrowserPage } from '../browser-pool/browser-page.ts'

/** What refers to a resource, by its type in the DevTools protocol. Other types may stay open without end. */
const purposes: Record<string, string> = {
  Document: '<iframe>',
  Stylesheet: '@import',
  Script: 'import',
  Image: 'url()',
  Font: '@font-face',
  XHR: 'fetch',
  Fetch: 'fetch',
}

/** Documents with more requests are no longer tracked. */
const maxRequests = 5_000

interface RequestWillBeSent {
  requestId: string
  /** Empty for worker scripts, whose end is reported to the worker's own session. */
  loaderId: string
  type?: string
  request: { url: string }
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
  #requests = 0

  constructor({ session }: BrowserPage) {
    this.#session = session
    session.on('Network.requestWillBeSent', this.#sent)
    session.on('Network.loadingFinished', this.#ended)
    session.on('Network.loadingFailed', this.#ended)
    session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }).catch(() => {})
  }

  /** URLs of requests without a response. */
  pending(): string[] {
    return [...this.#pending.values()]
  }

  /** What refers to a URL (without fragment), if no element of the document does. */
  purposeOf(url: string): string | undefined {
    return this.#purposes.get(url)
  }

  [Symbol.dispose](): void {
    this.#pending.clear()
    this.#session.off('Network.requestWillBeSent', this.#sent)
    this.#session.off('Network.loadingFinished', this.#ended)
    this.#session.off('Network.loadingFailed', this.#ended)
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

  readonly #ended = ({ requestId }: Partial<{ requestId: string }>) => {
    if (requestId !== undefined) this.#pending.delete(requestId)
  }
}
