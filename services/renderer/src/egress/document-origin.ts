import { randomBytes } from 'node:crypto'

/**
 * The suffix of all document hosts. Origins under `localhost` are secure contexts (W3C Secure Contexts, 3.1). The egress
 * proxy answers for them, without DNS. It is no name of its own under `localhost`: each host is a site of its own, so that
 * the browser keeps its connections and TLS sessions apart.
 */
const suffix = '-platen.localhost'

/** Pads the origin: the origin of the base URL replaces it in the PDF in place, and must not be longer (`withAuthorLinks`). */
const labelBytes = 24

/** The origin of one document. It is never used again, so storage and caches are not shared. */
export class DocumentOrigin {
  readonly host = `${randomBytes(labelBytes).toString('hex')}${suffix}`
  readonly #baseUrl: URL | undefined

  /** `baseUrl` resolves the document's relative URLs. Without it they are refused. */
  constructor(baseUrl?: URL, host?: string) {
    if (host !== undefined) this.host = host
    this.#baseUrl = baseUrl
  }

  /** The document's own URL: `http://<id>-platen.localhost/` and the path of its base URL. */
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

  /** The origin of the base URL, or an empty string. */
  get authorOrigin(): string {
    return this.#baseUrl ? this.#baseUrl.origin : ''
  }

  /** The text with URLs of this origin replaced by the URLs of the author. */
  authorText(text: string): string {
    return text.replaceAll(`http://${this.host}`, this.authorOrigin)
  }

  /** The URL as the author wrote it: resolved with the base URL, or relative. */
  authorUrl(url: string): string {
    const parsed = URL.parse(url)
    if (!parsed || !this.owns(parsed)) return url
    return this.upstream(parsed)?.href ?? (parsed.pathname + parsed.search).slice(1)
  }
}

/** Whether a host is that of a document, of this one or of another. */
export function isDocumentHost(hostname: string): boolean {
  return hostname.endsWith(suffix)
}
