import type { OutgoingHttpHeaders } from 'node:http'
import { type Context, createContext, Script } from 'node:vm'
import type { RequestExtras as Extras } from '@platen/domain/generation/document-source.ts'

/** The headers that a document adds to a request for a URL. */
export type HeadersFor = (url: URL) => OutgoingHttpHeaders

/** A regular expression of a client may take exponential time: a match is broken off after this time, and all of a document together. */
const matchMs = 100
const allMatchesMs = 1_000

let match: Script | undefined

/** The headers, cookies and user agent of a request. Names and values with characters that HTTP does not allow are left out. */
export function headersOf({ headers = [], cookies = [], user_agent }: Extras): HeadersFor {
  let leftMs = allMatchesMs
  let context: Context | undefined
  const matches = (scope: string, url: string): boolean => {
    if (leftMs <= 0) return false
    const startedAt = performance.now()
    try {
      // One for the document, as a context costs much more than a match.
      context ??= createContext({})
      Object.assign(context, { scope, url })
      match ??= new Script('new RegExp(scope).test(url)')
      return match.runInContext(context, { timeout: matchMs }) === true
    } catch {
      return false
    } finally {
      leftMs -= performance.now() - startedAt
    }
  }
  return (url) => {
    const added: OutgoingHttpHeaders = {}
    for (const { name, value, scope } of headers) {
      if (!isToken(name) || !isFieldValue(value) || reserved.has(name.toLowerCase())) continue
      if (scope === undefined || matches(scope, url.href)) added[name.toLowerCase()] = value
    }
    if (user_agent !== undefined && isFieldValue(user_agent)) added['user-agent'] = user_agent
    const sent = cookies.filter((cookie) => isFor(cookie, url)).map(({ name, value }) => `${name}=${value}`)
    if (sent.length > 0 && isFieldValue(sent.join('; '))) added.cookie = sent.join('; ')
    return added
  }
}

type Cookie = NonNullable<Extras['cookies']>[number]

/** RFC 6265, section 5.4: the host, the path, and `Secure`. A port of the domain is compared, too. */
function isFor({ domain, path = '/', secure = false }: Cookie, url: URL): boolean {
  const own = domain.replace(/^\./, '').toLowerCase()
  const isHost =
    own === url.host || own === url.hostname || (domain.startsWith('.') && url.hostname.endsWith(`.${own}`))
  const isPath = url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
  return isHost && isPath && (!secure || url.protocol === 'https:')
}

/** Headers that belong to the connection, which a document must not set. */
const reserved = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer'])

const isToken = (name: string) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)
const isFieldValue = (value: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
