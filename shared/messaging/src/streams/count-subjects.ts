import type { Bus } from '../connection/bus.ts'

/** More subjects than a stream has. The server answers how many there are from there on, and names none. */
const afterAll = 1_000_000_000

/**
 * How many subjects with messages match the filter. The server counts them, which takes it about a millisecond for a thousand. Rejects if
 * it does not answer in time.
 */
export async function countSubjects({ nats }: Bus, stream: string, filter: string): Promise<number> {
  const request = JSON.stringify({ subjects_filter: filter, offset: afterAll })
  // The client would read page after page of the subjects.
  const answer = await nats.request(`$JS.API.STREAM.INFO.${stream}`, request, { timeout: 1_500 })
  const { total = 0, error } = answer.json<{ total?: number; error?: { description: string } }>()
  if (error) throw new Error(error.description)
  return total
}
