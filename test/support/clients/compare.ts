import type { ExpectedRequest } from './behaviour.ts'
import type { Seen } from './fault-server.ts'

/**
 * Differences between a value and the expected one. Further fields are allowed. `null` also stands for an absent field.
 */
export function differences(expected: unknown, actual: unknown, path = ''): string[] {
  const found = () => [
    `${path || 'the value'} is ${JSON.stringify(actual)?.slice(0, 300)}, not ${JSON.stringify(expected)}`,
  ]
  if (expected === null) return actual === null || actual === undefined ? [] : found()
  if (typeof expected === 'string') return isLike(expected, actual) ? [] : found()
  if (typeof expected !== 'object') return expected === actual ? [] : found()
  if (typeof actual !== 'object' || actual === null) return found()
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) return found()
  return Object.entries(expected).flatMap(([name, value]) => {
    return differences(value, (actual as Record<string, unknown>)[name], path === '' ? name : `${path}.${name}`)
  })
}

function isLike(expected: string, actual: unknown): boolean {
  const [, pattern] = /^\/(.*)\/$/s.exec(expected) ?? []
  // A path is no pattern.
  if (pattern === undefined || !/[\\^$]/.test(pattern)) return expected === actual
  return typeof actual === 'string' && new RegExp(pattern, 's').test(actual)
}

/** Where the requests that were seen differ. */
export function requestDifferences(expected: readonly ExpectedRequest[], seen: readonly Seen[]): string[] {
  if (expected.length !== seen.length) return [`${seen.length} requests were seen, not ${expected.length}`]
  const keys = new Map<string, string>()
  return expected.flatMap(({ query, json, key, ...rest }, index) => {
    const { body, ...request } = seen[index] as Seen
    const at = `requests.${index}`
    return [
      ...differences(rest, request, at),
      ...(query ? differences(query, queryOf(request.path), `${at}.query`) : []),
      ...(json === undefined ? [] : differences(json, JSON.parse(body || 'null'), `${at}.json`)),
      ...(key === undefined ? [] : keyDifferences(keys, key, request.headers['idempotency-key'], at)),
    ]
  })
}

const queryOf = (path: string) => Object.fromEntries(new URL(path, 'http://localhost').searchParams)

function keyDifferences(known: Map<string, string>, name: string, sent: unknown, at: string): string[] {
  if (typeof sent !== 'string' || sent.length < 16) return [`${at} has no idempotency key`]
  const isOther = known.has(name) ? known.get(name) !== sent : [...known.values()].includes(sent)
  known.set(name, sent)
  return isOther ? [`${at} has another idempotency key than was expected`] : []
}
