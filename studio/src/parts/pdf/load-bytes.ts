import { errorOf } from '../../api/api-error.ts'
import { send } from '../../api/client.ts'

/** The bytes of a file of the API. Rejects with an ApiError. */
export async function loadBytes(url: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const response = await send(new Request(new URL(url, location.origin), { signal }))
  if (response.ok) return new Uint8Array(await response.arrayBuffer())
  throw errorOf(await response.json().catch(() => undefined), response)
}
