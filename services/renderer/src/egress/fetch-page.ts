import type { IncomingMessage } from 'node:http'
import type { PageSource, RefusedFor, StatusRange } from '@platen/domain/generation/document-source.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Resolve } from '@platen/foundation/net/public-address.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { checkTarget } from './checked-target.ts'
import type { EgressLimits, EgressPolicy } from './egress-policy.ts'
import { atMost, maxRedirects, redirectOf, sendRequest } from './fetch-plain.ts'
import { privateOrUnknown, Refusal, refusalReason } from './refusal.ts'
import type { HeadersFor } from './request-extras.ts'

export interface PageFetching {
  policy: EgressPolicy
  limits: EgressLimits
  headersFor: HeadersFor
  signal: AbortSignal
  /** Absent: the system's resolver. */
  resolve?: Resolve
}

export interface FetchedPage {
  html: string
  /** Where the page is after redirects: its relative URLs are resolved with it. */
  url: URL
}

/**
 * Fetches the page that a request names instead of HTML, under the rules for the base URL of a document: the address is
 * checked for the first URL and for each redirect. Throws RENDER_FAILED, with the reason in `details.refused`, and the
 * reason of the signal.
 */
export async function fetchPage(
  { url: text, refused_statuses = [] }: PageSource,
  fetching: PageFetching,
): Promise<FetchedPage> {
  const first = URL.parse(text)
  if (!first || !/^https?:$/.test(first.protocol)) {
    return refuse('page_unreachable', `${text} is not an http or https URL`)
  }
  let url = first
  const { limits } = fetching
  const signal = AbortSignal.any([fetching.signal, AbortSignal.timeout(limits.resourceTimeoutMs)])
  try {
    for (let redirects = 0; ; redirects++) {
      const answer = await send(url, { ...fetching, signal })
      const next: URL | null = redirects < maxRedirects ? redirectOf(answer, url) : null
      if (!next) return await readPage(answer, url, refused_statuses, limits)
      answer.destroy()
      // RFC 9110, section 10.2.2.
      if (next.hash === '') next.hash = url.hash
      url = next
    }
  } catch (err) {
    fetching.signal.throwIfAborted()
    if (err instanceof DomainError) throw err
    const isRefused = err instanceof Refusal && (err.status === 403 || err.reason === privateOrUnknown)
    return refuse(isRefused ? 'page_forbidden' : 'page_unreachable', `The page cannot be loaded: ${refusalReason(err)}`)
  }
}

async function send(url: URL, { policy, resolve, headersFor, signal }: PageFetching): Promise<IncomingMessage> {
  const target = await checkTarget(url, { policy, kind: 'base', ...defined({ resolve }) })
  const headers = { ...browserHeaders, host: url.host, ...(await headersFor(url)), 'accept-encoding': 'identity' }
  const path = url.pathname + url.search
  return sendRequest({ ...target, path, method: 'GET', headers, signal, tls: url.protocol === 'https:' })
}

const browserHeaders = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.9',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Platen',
}

async function readPage(answer: IncomingMessage, url: URL, refused: readonly StatusRange[], limits: EgressLimits) {
  const { statusCode: status = 0, statusMessage = '', headers } = answer
  if (isIn(refused, status)) {
    answer.destroy()
    return refuse('page_status', `The page has the status ${status}`, {
      status,
      status_text: statusMessage,
      url: url.href,
    })
  }
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity') {
    answer.destroy()
    return refuse(
      'page_unreachable',
      `The page has the content encoding ${encoding.slice(0, 50)}, which was not asked for`,
    )
  }
  const [type = 'text/html', charset] = mediaType(headers['content-type'] ?? '')
  if (type.startsWith('image/')) {
    answer.destroy()
    return { url, html: `<!doctype html><img src="${url.href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">` }
  }
  if (!isText.test(type)) {
    answer.destroy()
    return refuse('page_unreachable', `The page is of the type ${type}, which a browser does not show`)
  }
  const bytes = await readBytes(answer.compose(atMost(limits.resourceBytes)))
  const text = decode(bytes, charset)
  return { url, html: isMarkup.test(type) ? text : `<!doctype html><pre>${escaped(text)}</pre>` }
}

const isText = /^(text\/|application\/(json|xml|javascript)$)|[+](json|xml)$/
const isMarkup = /html/

function mediaType(header: string): [type: string | undefined, charset: string | undefined] {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((part) => part.startsWith('charset='))?.slice('charset='.length)
  return [type === '' ? undefined : type, charset?.replaceAll('"', '')]
}

/** HTML, 13.2.3: the header, a `<meta charset>` in the first 1024 bytes, and otherwise UTF-8 or Windows-1252. */
function decode(bytes: Buffer, charset: string | undefined): string {
  const label = charset ?? /<meta[^>]+charset=["']?\s*([\w-]+)/i.exec(bytes.toString('latin1', 0, 1024))?.[1]
  for (const [name, fatal] of [
    [label, false],
    ['utf-8', true],
  ] as const) {
    try {
      if (name !== undefined) return new TextDecoder(name, { fatal }).decode(bytes)
    } catch {
      // An unknown label, or not UTF-8.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes)
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Whether a status is in one of the ranges. */
export function isIn(ranges: readonly StatusRange[], status: number): boolean {
  return ranges.some(({ from, to }) => status >= from && status <= to)
}

function refuse(refused: RefusedFor, message: string, more: object = {}): never {
  return fail('RENDER_FAILED', message, { refused, ...more })
}
