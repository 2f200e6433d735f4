import { base } from './address.ts'

export interface Match<Route> {
  route: Route
  params: Readonly<Record<string, string>>
}

/** The first route whose `path`, such as `/templates/:id`, is that of the URL. */
export function matchRoute<Route extends { path: string }>(
  routes: readonly Route[],
  { pathname }: URL,
): Match<Route> | undefined {
  const segments = segmentsOf(pathname.slice(base.length))
  for (const route of routes) {
    const params = paramsOf(segmentsOf(route.path), segments)
    if (params !== undefined) return { route, params }
  }
  return undefined
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '')

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of pattern.entries()) {
    const segment = decoded(segments[at] ?? '')
    if (part.startsWith(':')) params[part.slice(1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}

/** A malformed address is that of no page, and no error. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
