import { endsAsPdf, startsAsPdf } from './pdf-content.ts'

/** The types of files that are no PDF. */
export const otherFileTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'application/zip']
const fileTypes = ['application/pdf', ...otherFileTypes]

/**
 * Operations whose successful response is not always JSON. A type that ends in `/` stands for all types that begin with
 * it.
 */
const otherTypes: readonly { path: RegExp; types: readonly string[] }[] = [
  { path: /\/metrics$/, types: ['text/plain'] },
  { path: /\/v1\/(files\/[^/]+|generations\/[^/]+\/file)$/, types: fileTypes },
  { path: /\/v1\/batches\/[^/]+\/files\.zip$/, types: ['application/zip'] },
  { path: /\/v1\/batches\/[^/]+\/merged\.pdf$/, types: ['application/pdf'] },
  { path: /\/v1\/batches\/[^/]+\/events$/, types: ['text/event-stream'] },
  {
    path: /\/v1\/assets\/[^/]+\/content$/,
    types: ['image/', 'font/', 'text/css', 'text/javascript', 'application/pdf'],
  },
  { path: /\/v1\/preview$/, types: ['application/pdf', 'image/png', 'application/vnd.platen.preview+json'] },
]

/** The content types that Platen answers a request with, if it succeeds. */
export function expectedTypes({ url, headers }: Request): readonly string[] {
  const { pathname } = new URL(url)
  const other = otherTypes.find(({ path }) => path.test(pathname))
  if (other) return other.types
  const accepted = (headers.get('accept') ?? '').split(',').map((type) => type.trim())
  if (accepted.length === 1 && accepted[0] === 'application/pdf') return accepted
  // A result of another type than those is described in JSON.
  return [...accepted.filter((type) => fileTypes.includes(type)), 'application/json']
}

/** Whether the body is handed on while it arrives: a file, which may be large. */
export function isStreamed(request: Request): boolean {
  return request.method === 'GET' && !expectedTypes(request).includes('application/json')
}

export function mayBeEmpty({ method }: Request, { status }: Response): boolean {
  return method === 'HEAD' || status === 304 || (method === 'DELETE' && [202, 204].includes(status))
}

export function hasType(headers: Headers, type: string): boolean {
  const [sent = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';')
  return type.endsWith('/') ? sent.startsWith(type) : sent.trim() === type
}

/** Why a successful response cannot be of Platen, or is not whole. */
export function bodyProblem(request: Request, headers: Headers, body: Uint8Array): string | undefined {
  const { pathname } = new URL(request.url)
  const type = expectedTypes(request).find((expected) => hasType(headers, expected))
  if (type === undefined) return 'it has another content type'
  if (type.endsWith('json')) return jsonProblem(pathname, body)
  if (type !== 'application/pdf') return undefined
  if (!startsAsPdf(body)) return 'its body is not a PDF'
  if (!endsAsPdf(body)) return 'its body is only a part of a PDF'
  const isGeneration = /\/v1\/(generate|pdf\/[^/]+)$/.test(pathname)
  return isGeneration && !headers.get('x-generation-id') ? 'it has no id of a generation' : undefined
}

function jsonProblem(pathname: string, body: Uint8Array): string | undefined {
  const value = parseJson(body)
  if (value === undefined) return 'its body is not JSON'
  if (typeof value !== 'object' || value === null) return 'its body is not a JSON object'
  const { id, status, data } = value as Record<string, unknown>
  if (/\/v1\/(generate|pdf\/[^/]+|generations\/[^/]+)$/.test(pathname)) {
    return isText(id) && isText(status) ? undefined : 'its body is not a generation'
  }
  if (/\/v1\/(templates|partials|assets|batches|generations)$/.test(pathname) && id === undefined) {
    return Array.isArray(data) ? undefined : 'its body is not a page of a list'
  }
  return undefined
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''

/** Undefined for what is not JSON in UTF-8. */
function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
