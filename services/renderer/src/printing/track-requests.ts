import type { Session } from '../browser/cdp/session.ts'
import type { BrowserPage } from '../browser-pool/browser-page.ts'

/** What a resource of a type of the DevTools protocol is requested for. Scripts may keep other types open for ever. */
const purposes: Record<string, string> = {
  Document: '<iframe>',
  Stylesheet: '@import',
  Script: 'import',
  Image: 'url()',
  Font: '@font-face',
  XHR: 'fetch',
  Fetch: 'fetch',
}

/** A document that requests more is no longer tracked. */
const maxRequests = 5_000

interface RequestWillBeSent {
  requestId: string
  /** Empty for the script of a worker, whose end is reported to the worker alone. */
  loaderId: string
  type?: string
  request: { url: string }
}

/**
 * Follows the requests of a page and of its frames. A document that loads nothing but its own data needs none of this:
 * events of data URLs hold the whole URL.
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

  /** URLs of requests that have no answer yet. */
  pending(): string[] {
    return [...this.#pending.values()]
  }

  /** What a URL without fragment was requested for, where no element of the document refers to it. */
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

  /** An event that was too long to be read has no content. */
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
