import type { Refusals, RequestExtras, StatusRange } from '@platen/domain/generation/document-source.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import { linearRegExp } from '@platen/templating/data-schema/linear-reg-exp.ts'
import type { Form } from '../form/form.ts'
import { parseJson } from '../form/parse-values.ts'

/** Fields of every route that loads a page: what it waits for, what it sends, and what makes it fail. */
export interface RequestFields {
  waitDelayMs: number
  waitWindowStatus: string
  waitForExpression: string
  waitForSelector: string
  requests: RequestExtras
  pageStatuses: StatusRange[]
  refusals: Refusals
  mediaType: 'screen' | 'print' | undefined
  mediaFeatures: Record<string, string>
  omitBackground: boolean
}

const maxHeaders = 64
/** Of all scopes of a request, by `expandedLength`: they are compiled within some 50 ms. */
const maxScopesLength = 8_192
const maxCookies = 100

/** Reads the fields in the order in which clients know their problems to be listed. */
export function readRequestFields(form: Form): RequestFields {
  // A document is printed when it has loaded, and nothing that it has requested is on its way.
  form.bool('skipNetworkIdleEvent', true)
  form.bool('skipNetworkAlmostIdleEvent', true)
  const pageStatuses = statuses(form, 'failOnHttpStatusCodes', [499, 599])
  const resourceStatuses = statuses(form, 'failOnResourceHttpStatusCodes', [])
  const ignored_hosts = form.parsed('ignoreResourceHttpStatusDomains', [], (text) => {
    return stringsOf(unmarshal('ignoreResourceHttpStatusDomains', text)).map(hostOf)
  })
  const unloaded = form.bool('failOnResourceLoadingFailed', false)
  const exceptions = form.bool('failOnConsoleExceptions', false)
  const waitDelayMs = form.durationMs('waitDelay', 0)
  const waitWindowStatus = form.text('waitWindowStatus')
  const waitForExpression = form.text('waitForExpression')
  const waitForSelector = form.text('waitForSelector')
  const cookies = form.parsed('cookies', [], readCookies)
  const user_agent = form.text('userAgent')
  const headers = form.parsed('extraHttpHeaders', [], readHeaders)
  const mediaType = form.parsed<RequestFields['mediaType']>('emulatedMediaType', undefined, (text) => {
    if (text === 'screen' || text === 'print') return text
    throw new Error("wrong value, expected either 'screen', 'print' or empty")
  })
  const mediaFeatures = form.parsed('emulatedMediaFeatures', {}, (text) => {
    return textsOf(unmarshal('emulatedMediaFeatures', text))
  })
  const omitBackground = form.bool('omitBackground', false)
  return {
    waitDelayMs,
    waitWindowStatus,
    waitForExpression,
    waitForSelector,
    mediaType,
    mediaFeatures,
    omitBackground,
    requests: {
      ...(headers.length > 0 && { headers }),
      ...(cookies.length > 0 && { cookies }),
      ...(user_agent !== '' && { user_agent }),
    },
    pageStatuses: rangesOf(pageStatuses),
    refusals: {
      ...(exceptions && { exceptions }),
      ...(unloaded && { unloaded }),
      ...(resourceStatuses.length > 0 && { statuses: rangesOf(resourceStatuses) }),
      ...(ignored_hosts.length > 0 && { ignored_hosts }),
      ...(waitForExpression !== '' && { undefined_expression: true }),
    },
  }
}

function statuses(form: Form, name: string, fallback: number[]): number[] {
  return form.parsed(name, fallback, (text) => {
    const list = unmarshal(name, text)
    if (Array.isArray(list) && list.every((code) => Number.isInteger(code))) return list
    throw new Error(`unmarshal ${name}: it must be a list of numbers`)
  })
}

/** 499 stands for 400 to 499, and so on. */
function rangesOf(codes: readonly number[]): StatusRange[] {
  return codes.map((code) => ({ from: code % 100 === 99 ? code - 99 : code, to: code }))
}

function unmarshal(name: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch (err) {
    throw new Error(`unmarshal ${name}: ${(err as Error).message}`)
  }
}

function stringsOf(value: unknown): string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new Error('it must be a list of texts')
}

function textsOf(value: unknown): Record<string, string> {
  if (isJsonObject(value) && Object.values(value).every((item) => typeof item === 'string')) {
    return value as Record<string, string>
  }
  throw new Error('it must be an object of texts')
}

/** A domain may be given as a URL, or with a port. */
function hostOf(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  return (url?.hostname ?? text).toLowerCase()
}

type Cookies = NonNullable<RequestExtras['cookies']>

function readCookies(text: string): Cookies {
  const list = unmarshal('cookies', text)
  if (!Array.isArray(list)) throw new Error('unmarshal cookies: it must be a list')
  if (list.length > maxCookies) throw new Error(`too many cookies, got ${list.length}, expected at most ${maxCookies}`)
  const problems: string[] = []
  const cookies = list.flatMap((cookie: unknown, index): Cookies => {
    const { name, value, domain, path, secure } = isJsonObject(cookie) ? cookie : {}
    if ([name, value, domain].some((text) => typeof text !== 'string' || text.trim() === '')) {
      problems.push(`cookie ${index} must have its name, value and domain set`)
      return []
    }
    return [
      {
        name: String(name),
        value: String(value),
        domain: String(domain).trim(),
        ...(typeof path === 'string' && path !== '' && { path }),
        ...(secure === true && { secure }),
      },
    ]
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return cookies
}

type Headers = NonNullable<RequestExtras['headers']>

const tooLongScopes = `scopes of headers are too long, expected at most ${maxScopesLength} characters with all repetitions`

/** `{"X-Name": "value;scope=regular expression"}`. */
function readHeaders(text: string): Headers {
  const given = Object.entries(textsOf(unmarshal('extraHttpHeaders', text)))
  if (given.length > maxHeaders) {
    throw new Error(`too many headers, got ${given.length}, expected at most ${maxHeaders}`)
  }
  const problems: string[] = []
  let scopesLength = 0
  const headers = given.flatMap(([name, whole]): Headers => {
    const tokens = whole.split(';')
    const isScope = (token: string) => token.trim().toLowerCase().startsWith('scope')
    const token = tokens.find(isScope)
    const value = tokens.filter((token) => token !== '' && !isScope(token)).join('; ')
    if (token === undefined) return [{ name, value }]
    const scope = /^scope=(.+)$/is.exec(token.replace(/\s/g, ''))?.[1]
    if (scope === undefined) {
      problems.push(`invalid scope '' for header '${name}'`)
      return []
    }
    scopesLength += expandedLength(scope)
    if (scopesLength > maxScopesLength) throw new Error(tooLongScopes)
    const problem = scopeProblem(name, scope)
    if (problem !== undefined) problems.push(problem)
    return [{ name, value, scope }]
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return headers
}

function scopeProblem(name: string, scope: string): string | undefined {
  try {
    linearRegExp(scope)
    return undefined
  } catch (err) {
    const reason = (err as Error).message.replace(/^error parsing regexp: /, '').replace(/: `.*`$/s, '')
    return `invalid scope regex pattern for header '${name}': error parsing regexp: ${reason} in \`${scope}\``
  }
}

/** The characters of an expression, times the counts of its repetitions: it has hardly more steps when it is compiled. */
function expandedLength(scope: string): number {
  let length = scope.length
  for (const [, least, most] of scope.matchAll(/\{(\d+),?(\d*)\}/g)) length *= Math.max(1, Number(least), Number(most))
  return length
}
