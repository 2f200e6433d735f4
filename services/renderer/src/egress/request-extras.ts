import type { OutgoingHttpHeaders } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { RequestExtras as Extras } from '@platen/domain/generation/document-source.ts'
import type { LinearRegExp } from '@platen/templating/data-schema/linear-reg-exp.ts'

/** The headers that a document adds to a request for a URL. */
export type HeadersFor = (url: URL) => Promise<OutgoingHttpHeaders>

/**
 * The steps of a match are the size of the expression times the length of the URL; each takes up to 300 ns. A match that needs more
 * than the first of these is none: an expression of 60 characters is tried on URLs of up to some 4,000.
 */
const matchSteps = 2 ** 18
/** Of all matches of a document, some seconds. */
const documentSteps = 2 ** 24

/** The headers, cookies and user agent of a request. Names and values with characters that HTTP does not allow are left out. */
export function headersOf({ headers = [], cookies = [], user_agent }: Extras): HeadersFor {
  const expressions = new Map<string, LinearRegExp>()
  let leftSteps = documentSteps
  const matches = async (scope: string, url: string): Promise<boolean> => {
    const expression = expressions.get(scope) ?? (await compile(scope))
    expressions.set(scope, expression)
    const steps = expression.size * url.length
    if (steps > Math.min(matchSteps, leftSteps)) return false
    leftSteps -= steps
    // Other documents are answered between two matches.
    await setImmediate()
    return expression.test(url)
  }
  return async (url) => {
    const added: OutgoingHttpHeaders = {}
    for (const { name, value, scope } of headers) {
      if (!isToken(name) || !isFieldValue(value) || reserved.has(name.toLowerCase())) continue
      if (scope === undefined || (await matches(scope, url.href))) added[name.toLowerCase()] = value
    }
    if (user_agent !== undefined && isFieldValue(user_agent)) added['user-agent'] = user_agent
    const sent = cookies.filter((cookie) => isFor(cookie, url)).map(({ name, value }) => `${name}=${value}`)
    if (sent.length > 0 && isFieldValue(sent.join('; '))) added.cookie = sent.join('; ')
    return added
  }
}

/** Few documents have scopes: the engine is loaded for those. */
async function compile(scope: string): Promise<LinearRegExp> {
  const { linearRegExp } = await import('@platen/templating/data-schema/linear-reg-exp.ts')
  return linearRegExp(scope)
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
