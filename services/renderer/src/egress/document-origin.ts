import { randomBytes } from 'node:crypto'

/**
 * The suffix of all document hosts. Origins under `localhost` are secure contexts (W3C Secure Contexts, 3.1), and the
 * egress proxy answers for them without DNS. Each host is directly below `localhost`, and thus a site of its own, so
 * that the browser keeps its connections and TLS sessions apart.
 */
const suffix = '-platen.localhost'

/** Pads the origin: the origin of the base URL replaces it in the PDF in place, and must not be longer (`withAuthorLinks`). */
const labelBytes = 24

/** The origin of one document. It is never used again, so storage and caches are not shared. */
export class DocumentOrigin {
  readonly host: string
  readonly #baseUrl: URL | undefined
  readonly #assetsPath: string | undefined

  /** `baseUrl` resolves the document's relative URLs. Without it they are refused. Assets have URLs below `assetsPath`. */
  constructor({
    baseUrl,
    assetsPath,
    host,
  }: { baseUrl?: URL | undefined; assetsPath?: string | undefined; host?: string } = {}) {
    this.host = host ?? `${randomBytes(labelBytes).toString('hex')}${suffix}`
    this.#baseUrl = baseUrl
    this.#assetsPath = assetsPath
  }

  /** The document's own URL: `http://<id>-platen.localhost/` and the path of its base URL. */
  get documentUrl(): string {
    return `http://${this.host}${this.#baseUrl ? this.#baseUrl.pathname + this.#baseUrl.search : '/'}`
  }

  /** The same origin, with the settings of the next document on the page. */
  forDocument(document: { baseUrl?: URL | undefined; assetsPath?: string | undefined }): DocumentOrigin {
    return new DocumentOrigin({ ...document, host: this.host })
  }

  /** `asset:logo.svg` is loaded from this URL and `logo.svg`. */
  get assetsUrl(): string {
    return `http://${this.host}${this.#assetsPath ?? '/'}`
  }

  /** The name of the asset that a URL stands for. */
  assetName(url: URL): string | undefined {
    const path = this.#assetsPath
    return path !== undefined && this.owns(url) && url.pathname.startsWith(path)
      ? url.pathname.slice(path.length)
      : undefined
  }

  owns(url: URL): boolean {
    return url.host === this.host
  }

  /** The URL from which a URL of this origin is fetched; undefined without a base URL. */
  upstream({ pathname, search }: URL): URL | undefined {
    return this.#baseUrl && new URL(pathname + search, this.#baseUrl.origin)
  }

  /** The origin of the base URL, or an empty string. */
  get authorOrigin(): string {
    return this.#baseUrl ? this.#baseUrl.origin : ''
  }

  /** The text with URLs of this origin replaced by the URLs of the author. */
  authorText(text: string): string {
    const named = this.#assetsPath === undefined ? text : text.replaceAll(this.assetsUrl, 'asset:')
    return named.replaceAll(`http://${this.host}`, this.authorOrigin)
  }

  /** The URL as the author wrote it: resolved with the base URL, or relative. */
  authorUrl(url: string): string {
    const parsed = URL.parse(url)
    // The origin in a blob URL is that of the document that made it.
    if (parsed?.protocol === 'blob:') return this.authorText(url)
    if (!parsed || !this.owns(parsed)) return url
    const asset = this.assetName(parsed)
    if (asset !== undefined) return `asset:${asset}`
    return this.upstream(parsed)?.href ?? (parsed.pathname + parsed.search).slice(1)
  }
}

/** Whether a host is that of a document, of this one or of another. */
export function isDocumentHost(hostname: string): boolean {
  return hostname.endsWith(suffix)
}
