import { expectAnswer, type RunningPlaten } from './running-platen.ts'
import { anyDocument, type Strategy } from './strategy.ts'

const about = { isolated: true, inProcess: false, accepts: anyDocument }

/** (f) A request that is answered after the PDF is stored. */
export function platenSync({ pid, client }: RunningPlaten): Strategy {
  return {
    id: 'f',
    name: 'Platen, HTTP sync',
    ...about,
    concurrency: [1, 2, 4, 8],
    roots: () => [pid],
    async render({ html }) {
      const { size = 0 } = expectAnswer(await client.post('/v1/generate', { html }), 200)
      return { bytes: size }
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** (g) A request that is answered at once. The latency is from the answer until a poll reports the completed generation. */
export function platenAsync({ pid, client }: RunningPlaten): Strategy {
  return {
    id: 'g',
    name: 'Platen, async, accepted to completed',
    ...about,
    concurrency: [8],
    roots: () => [pid],
    async render({ html }) {
      const { id } = expectAnswer(await client.post('/v1/generate', { html, async: true }), 202)
      const acceptedAt = performance.now()
      const { status, size = 0 } = expectAnswer(await client.get(`/v1/generations/${id}?wait=30`), 200)
      if (status !== 'completed') throw new Error(`generation ${id} is ${status}`)
      return { bytes: size, latencyMs: performance.now() - acceptedAt }
    },
    async [Symbol.asyncDispose]() {},
  }
}
