import { setTimeout as delay } from 'node:timers/promises'
import type { BatchPost } from '../batches/batch-post.ts'
import type { Client } from '../client.ts'
import type { Seeded } from '../seeded.ts'
import type { Door } from '../system.ts'

const mb = 2 ** 20
/** Neither can be read to its end: nothing is recorded of a client that leaves, also if all of it has arrived. */
const endless = [
  { path: '/v1/generate', body: Buffer.from(`{"html":"${'x'.repeat(8 * mb)}`) },
  { path: '/v1/batches', body: Buffer.from(`{"html":"<p>left"}\n{"html":"${'x'.repeat(8 * mb)}`) },
]
/** More than an owner has places for, as few leave before the batch is found. */
const downloads = 60
/** In the middle of their bodies. */
const uploads = 4
const longestMs = 12
const holdMs = 3_000

interface Leaving {
  client: Client
  batches: readonly BatchPost[]
  random: Seeded
}

/**
 * Clients that leave: in the middle of a body, of a ZIP or before its first byte, and while they take nothing of it. Then a client asks
 * each gateway for a ZIP, which it must get. Resolves to false if there is no batch to download.
 */
export async function leave({ client, batches, random }: Leaving): Promise<boolean> {
  const [id] = batches.filter(({ told }) => told && told.counts.completed > 0).flatMap(({ ids }) => ids)
  if (id === undefined) return false
  const path = `/v1/batches/${id}/files.zip`
  for (const gateway of client.gateways) {
    const leaveAfter = (ms: number, of: string, body?: Uint8Array<ArrayBuffer>) =>
      left(gateway, { path: of, ms, ...(body && { body }) })
    for (let n = 0; n < downloads; n++) await leaveAfter(random.between(0, longestMs), path)
    for (const { path, body } of endless)
      for (let n = 0; n < uploads; n++) await leaveAfter(random.between(0, longestMs), path, body)
    await leaveAfter(holdMs, path)
    await client.send(gateway, { operation: 'getBatchZip', path, expected: [200] })
  }
  return true
}

interface Left {
  path: string
  body?: Uint8Array<ArrayBuffer>
  ms: number
}

/** Sends a request, reads nothing of the answer, and ends the connection after this time. */
async function left(gateway: Door, { path, body, ms }: Left): Promise<void> {
  const leaving = new AbortController()
  const answer = gateway
    .request(path, { signal: leaving.signal, ...(body && { body, method: 'POST' }) })
    .catch(() => {})
  await delay(ms)
  leaving.abort()
  await answer
}
