import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Resolve } from '@platen/foundation/net/public-address.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { checkTarget, type TargetKind } from './checked-target.ts'
import { assetPolicy, type DocumentAssets, type ServedAsset } from './document-assets.ts'
import { DocumentOrigin, isDocumentHost } from './document-origin.ts'
import type { EgressLimits, EgressPolicy } from './egress-policy.ts'
import { fetchFromBase, fetchPlain } from './fetch-plain.ts'
import { Refusal, refusalReason } from './refusal.ts'
import type { HeadersFor } from './request-extras.ts'
import type { DocumentFiles } from './request-files.ts'
import { openTunnel } from './tunnel.ts'

/**
 * The only connection of a page to the network: a forward proxy (RFC 9110, 7.6 and 9.3.6) on its own port. It answers
 * for the document's own origin, and counts the fetched resources.
 */
export interface EgressProxy extends AsyncDisposable {
  /** `http://127.…:port`: the proxy URL of the browser. */
  readonly url: string
  /** Requests without them are answered with 407. Other users of the machine can find the port, but not the credentials. */
  readonly credentials: ProxyCredentials
  /** The current document's own origin. */
  readonly origin: DocumentOrigin
  /**
   * Chooses a new origin. Until the next `reset`, its URL `/` answers with an empty page, and everything else is
   * refused.
   */
  newOrigin(): string
  /** Starts the next document: sets all counts to zero and unblocks requests. */
  reset(document?: ProxiedDocument): void
  /** Aborts running fetches and refuses all further requests, so that the document stops waiting for them. */
  block(): void
  /** Why a URL was not fetched, in words for the document's author. */
  refusalReason(url: string): string | undefined
  /** URLs refused over plain HTTP, with the reason. For tunnels only host and port are known. */
  refused(): Iterable<[url: string, reason: string]>
}

/** What a document loads through the proxy besides what is in the network. */
export interface ProxiedDocument {
  /** Resolves relative URLs. */
  baseUrl?: URL | undefined
  assets?: DocumentAssets | undefined
  /** Loaded by relative URLs, before the base URL is asked. */
  files?: DocumentFiles | undefined
  /** Headers that are added to plain requests and to those for the host of the base URL. */
  headersFor?: HeadersFor | undefined
}

export interface ProxyCredentials {
  username: string
  password: string
}

export interface EgressProxyOptions {
  host: string
  policy: EgressPolicy
  limits: EgressLimits
  log: Logger
  /** Absent: the system's resolver. */
  resolve?: Resolve
}

/** A random loopback address on Linux, where all of 127/8 is loopback; elsewhere 127.0.0.1. */
export function egressProxyHost(platform: NodeJS.Platform = process.platform): string {
  return platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}` : '127.0.0.1'
}

export async function startEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const server = createServer()
  server.listen(0, options.host)
  await once(server, 'listening')
  return new ListeningProxy(server, options)
}

/** The requests of one document. A late response of an earlier document does not affect the next one. */
class DocumentTraffic {
  readonly origin: DocumentOrigin
  readonly abort = new AbortController()
  /** True until `reset` is called: only the empty page is served. */
  readonly empty: boolean
  fetched = 0
  /** Reasons of refused requests, by URL; for tunnels by host and port. */
  readonly refusals = new Map<string, string>()
  readonly document: ProxiedDocument

  constructor(origin: DocumentOrigin, { empty, document = {} }: { empty: boolean; document?: ProxiedDocument }) {
    this.origin = origin
    this.empty = empty
    this.document = document
  }
}

/** Further refusals of a document are not recorded. */
const maxRefusals = 1_000

/** Created once, because every document ends with one and creating an error records the stack. */
const noTimeLeft = new Refusal(403, 'the document has no time left to fetch', 'timed out')
const documentDone = new Refusal(504, 'the document is done')

class ListeningProxy implements EgressProxy {
  readonly url: string
  readonly credentials = { username: 'page', password: randomBytes(24).toString('base64url') }
  readonly #authorization = Buffer.from(basic(this.credentials))
  readonly #server: Server
  readonly #options: EgressProxyOptions
  #traffic = new DocumentTraffic(new DocumentOrigin(), { empty: true })

  constructor(server: Server, options: EgressProxyOptions) {
    this.#server = server
    this.#options = options
    this.url = `http://${options.host}:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => {
      if (this.#isOfPage(request)) void this.#answer(request, response)
      else response.writeHead(407, challenge).end()
    })
    server.on('connect', (request, socket, head) => {
      if (this.#isOfPage(request)) void this.#tunnel(request, socket, head)
      else refuseTunnel(socket, 407, 'proxy-authenticate: Basic realm="platen"\r\n')
    })
    server.on('clientError', (_err, socket) => socket.destroy())
  }

  get origin(): DocumentOrigin {
    return this.#traffic.origin
  }

  newOrigin(): string {
    this.#traffic.abort.abort(documentDone)
    this.#traffic = new DocumentTraffic(new DocumentOrigin(), { empty: true })
    return this.origin.documentUrl
  }

  reset(document: ProxiedDocument = {}): void {
    this.#traffic.abort.abort(documentDone)
    const { baseUrl, assets } = document
    const origin = this.#traffic.origin.forDocument({ baseUrl, assetsPath: assets?.path })
    this.#traffic = new DocumentTraffic(origin, { empty: false, document })
  }

  block(): void {
    this.#traffic.abort.abort(noTimeLeft)
  }

  refusalReason(url: string): string | undefined {
    const { protocol, hostname, port } = URL.parse(url) ?? {}
    const tunnel = protocol === 'https:' || protocol === 'wss:'
    return this.#traffic.refusals.get(tunnel ? `${hostname}:${port || 443}` : refusalKey(url))
  }

  refused(): Iterable<[url: string, reason: string]> {
    return [...this.#traffic.refusals].filter(([url]) => plainUrl(url))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#traffic.abort.abort(documentDone)
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #isOfPage({ headers }: IncomingMessage): boolean {
    const sent = Buffer.from(headers['proxy-authorization'] ?? '')
    return sent.length === this.#authorization.length && timingSafeEqual(sent, this.#authorization)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const traffic = this.#traffic
    const { limits } = this.#options
    const { signal } = traffic.abort
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw new Refusal(405, 'only GET and HEAD')
      const url = plainUrl(request.url)
      if (traffic.empty) return sendEmptyPage(url, traffic.origin, response)
      const { assets, files, headersFor } = traffic.document
      const asset = url && traffic.origin.assetName(url)
      if (asset && assets) {
        if (signal.aborted) throw noTimeLeft
        return await sendAsset(asset, assets, request, response)
      }
      const file = url && traffic.origin.owns(url) && files?.get(url.pathname)
      if (file) {
        if (signal.aborted) throw noTimeLeft
        return sendFile(file, request, response)
      }
      const upstream = url && this.#upstream(url, request, traffic)
      if (upstream) {
        const check = (url: URL) => this.#target(url, 'base', traffic)
        return await fetchFromBase(request, response, { url: upstream, check, headersFor }, limits, signal)
      }
      const target = await this.#target(url, 'plain', traffic)
      const path = url ? url.pathname + url.search : '/'
      const added = (url && (await headersFor?.(url))) ?? {}
      await fetchPlain(request, response, { ...target, path, added }, limits, signal)
    } catch (err) {
      const status = this.#refuse(err, request, traffic)
      if (response.headersSent) response.destroy()
      else response.writeHead(status, { 'content-length': 0, connection: 'close' }).end()
    }
  }

  /** The URL from which a URL of the document's own origin is fetched; undefined for URLs of others. */
  #upstream(url: URL, { headers }: IncomingMessage, { origin, document }: DocumentTraffic): URL | undefined {
    if (!isDocumentHost(url.hostname)) return undefined
    if (!origin.owns(url)) throw new Refusal(403, 'the origin of another document')
    if (headers['service-worker'] !== undefined) throw new Refusal(403, 'documents have no service workers')
    const upstream = origin.upstream(url)
    if (!upstream && document.files) throw new Refusal(404, 'no such file', noSuchFile)
    if (!upstream) throw new Refusal(404, 'a relative URL', 'a relative URL: set options.base_url or <base href>')
    return upstream
  }

  async #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy())
    const traffic = this.#traffic
    try {
      const target = await this.#target(tunnelUrl(request.url), 'tunnel', traffic)
      await openTunnel(socket, head, target, this.#options.limits, traffic.abort.signal)
    } catch (err) {
      refuseTunnel(socket, this.#refuse(err, request, traffic))
    }
  }

  #target(url: URL | null, kind: TargetKind, traffic: DocumentTraffic) {
    const { policy, limits, resolve } = this.#options
    if (!url) throw new Refusal(400, 'not a proxy request', 'not a URL that can be loaded')
    if (traffic.abort.signal.aborted) throw noTimeLeft
    if (traffic.empty || isDocumentHost(url.hostname)) throw new Refusal(403, 'the origin of a document')
    traffic.fetched += 1
    if (traffic.fetched > limits.resources) throw new Refusal(403, `more than ${limits.resources} resources`)
    return checkTarget(url, { policy, kind, ...defined({ resolve }) })
  }

  #refuse(err: unknown, request: IncomingMessage, { refusals }: DocumentTraffic): number {
    if (refusals.size < maxRefusals) refusals.set(refusalKey(request.url), refusalReason(err))
    const target = hostOf(request.url)
    this.#options.log.debug({ method: request.method, target, reason: String(err) }, 'refused to a document')
    return err instanceof Refusal ? err.status : 502
  }
}

/** RFC 7617. */
export function basic({ username, password }: ProxyCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

const challenge = { 'proxy-authenticate': 'Basic realm="platen"', 'content-length': 0 }

function refuseTunnel(socket: Duplex, status: number, header = ''): void {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} Refused\r\n${header}content-length: 0\r\nconnection: close\r\n\r\n`)
}

function sendEmptyPage(url: URL | null, origin: DocumentOrigin, response: ServerResponse): void {
  if (url?.href !== origin.documentUrl) return void response.writeHead(404, { 'content-length': 0 }).end()
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': 0,
    'cache-control': 'no-store',
    // Requests to other hosts do not reveal the document's origin.
    'referrer-policy': 'no-referrer',
  })
  response.end()
}

/** The reason for the author of a document that comes with files. */
export const noSuchFile = 'the request has no file of this name'

/** A file of the request: the document may run it as a script, and show it in a frame, as its own. */
function sendFile({ type, bytes }: ServedAsset, { method }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': type,
    'content-length': bytes.length,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(method === 'HEAD' ? undefined : bytes)
}

/** No network is involved, so that no egress policy applies. */
async function sendAsset(name: string, assets: DocumentAssets, { method }: IncomingMessage, response: ServerResponse) {
  const { type, bytes } = await assets.get(name)
  response.writeHead(200, {
    'content-type': type === 'text/css' ? 'text/css; charset=utf-8' : type,
    'content-length': bytes.length,
    'content-security-policy': assetPolicy,
    'x-content-type-options': 'nosniff',
    // The URL belongs to one document.
    'cache-control': 'no-store',
  })
  response.end(method === 'HEAD' ? undefined : bytes)
}

/** The URL as the browser writes it, without its fragment. */
function refusalKey(target = ''): string {
  const text = plainUrl(target)?.href ?? target
  const fragment = text.indexOf('#')
  return fragment < 0 ? text : text.slice(0, fragment)
}

function plainUrl(text: string | undefined): URL | null {
  const url = URL.parse(text ?? '')
  return url?.protocol === 'http:' ? url : null
}

function tunnelUrl(authority: string | undefined): URL | null {
  return /^[^/@?#]+:\d+$/.test(authority ?? '') ? URL.parse(`http://${authority}/`) : null
}

/** Paths and queries may be confidential, so they are not logged. */
const hostOf = (target: string | undefined) => (plainUrl(target) ?? tunnelUrl(target))?.host
