import { randomBytes } from 'node:crypto'

/**
 * Hosts of documents end so. Names under `localhost` are secure contexts (W3C Secure Contexts, 3.1) that no DNS server
 * is asked for; the egress proxy answers for them itself.
 */
const suffix = '.platen.localhost'

/** Longer than the origins of most base URLs: `authorLinks` replaces ours by theirs in place. */
const labelBytes = 24

/** The origin that a document has for itself: no other document ever has it, so neither storage nor caches are shared. */
export class DocumentOrigin {
  readonly host = `${randomBytes(labelBytes).toString('hex')}${suffix}`
  readonly #baseUrl: URL | undefined

  /** `baseUrl`: what the document's relative URLs are resolved with; absent: they lead nowhere. */
  constructor(baseUrl?: URL, host?: string) {
    if (host !== undefined) this.host = host
    this.#baseUrl = baseUrl
  }

  /** The document's own URL: `http://<id>.platen.localhost/` and the path of its base URL. */
  get documentUrl(): string {
    return `http://${this.host}${this.#baseUrl ? this.#baseUrl.pathname + this.#baseUrl.search : '/'}`
  }

  /** The same origin for the next document on the page. */
  withBase(baseUrl: URL | undefined): DocumentOrigin {
    return new DocumentOrigin(baseUrl, this.host)
  }

  owns(url: URL): boolean {
    return url.host === this.host
  }

  /** Where a URL of this origin is fetched from; undefined without a base URL. */
  upstream({ pathname, search }: URL): URL | undefined {
    return this.#baseUrl && new URL(pathname + search, this.#baseUrl.origin)
  }

  /** Of the base URL, as its own text; empty without one: a relative URL is what the author wrote. */
  get authorOrigin(): string {
    return this.#baseUrl ? this.#baseUrl.origin : ''
  }

  /** A text of the browser in which URLs of this origin may stand, as the author knows them. */
  authorText(text: string): string {
    return text.replaceAll(`http://${this.host}`, this.authorOrigin)
  }

  /** A URL as the document's author knows it: of this origin, the absolute one or a relative one. */
  authorUrl(url: string): string {
    const parsed = URL.parse(url)
    if (!parsed || !this.owns(parsed)) return url
    return this.upstream(parsed)?.href ?? (parsed.pathname + parsed.search).slice(1)
  }
}

/** Whether a host is a document's: of this one or of any other. */
export function isDocumentHost(hostname: string): boolean {
  return hostname.endsWith(suffix)
}
