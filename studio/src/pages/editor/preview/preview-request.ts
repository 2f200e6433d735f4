import { errorOf } from '../../../api/api-error.ts'
import { apiUrl, type Schemas, send } from '../../../api/client.ts'

export type PreviewBody = Schemas['PreviewRequest']
export type Warning = Schemas['Warning']

/** What the API answers to a client that asks for `application/vnd.platen.preview+json`. */
interface PreviewAnswer {
  pages: number
  size: number
  warnings: Warning[]
  duration_ms: number
  /** Base64. */
  content: string
}

export interface PreviewResult extends Omit<PreviewAnswer, 'content'> {
  pdf: Uint8Array<ArrayBuffer>
}

/** Rejects with an ApiError, or when the signal aborts. */
export async function requestPreview(body: PreviewBody, signal: AbortSignal): Promise<PreviewResult> {
  const headers = { 'content-type': 'application/json', accept: 'application/vnd.platen.preview+json' }
  const url = new URL(apiUrl('/v1/preview'), location.origin)
  const response = await send(new Request(url, { method: 'POST', headers, body: JSON.stringify(body), signal }))
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw errorOf(answer, response)
  const { content, ...result } = answer as PreviewAnswer
  return { ...result, pdf: bytesOf(content) }
}

/** Not in every browser, nor in the types. */
const decoder = Uint8Array as unknown as { fromBase64?(text: string): Uint8Array<ArrayBuffer> }

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return decoder.fromBase64?.(base64) ?? Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
}
