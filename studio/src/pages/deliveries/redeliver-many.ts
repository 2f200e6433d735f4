import { api, unwrap } from '../../api/client.ts'
import type { Found } from './count-deliveries.ts'
import { paramsOf } from './delivery-columns.tsx'

export interface Range {
  since: string
  until: string
  status: 'exhausted' | 'pending' | 'succeeded'
}

/** Sends the webhooks of a time range again, of all endpoints. Returns how many. When the signal aborts, it ends after a request. */
export async function redeliverRange({ since, until, status }: Range, signal: AbortSignal): Promise<number> {
  let redelivered = 0
  let next: string | undefined = since
  while (next !== undefined && !signal.aborted) {
    const body = { since: next, until, status }
    const answer: { redelivered: number; next_since?: string } = await unwrap(
      api.POST('/v1/deliveries/redeliver', { body }),
    )
    redelivered += answer.redelivered
    next = answer.next_since
  }
  return redelivered
}

const atOnce = 4

/** Sends these webhooks again, one request each: the API has no redelivery of an endpoint, nor of all owners. */
export async function redeliverEach(
  { deliveries }: Found,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<number> {
  const queue = [...deliveries]
  let done = 0
  const work = async () => {
    for (let next = queue.shift(); next !== undefined && !signal.aborted; next = queue.shift()) {
      await unwrap(api.POST('/v1/deliveries/{id}/redeliver', { params: paramsOf(next) }))
      onProgress(++done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return done
}
