import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { invoiceData, invoiceSource } from '../documents/invoice.ts'
import { openHttpClient } from '../strategies/http-client.ts'
import { expectAnswer } from '../strategies/running-platen.ts'
import type { Deployment } from './deployment.ts'
import type { Workload } from './result.ts'

export interface Load {
  /** The duration of each document that is ready. */
  latenciesMs: readonly number[]
  /** Rejects when a document has failed. */
  failed: Promise<never>
  /** Resolves when the documents under way are ready. */
  stop(): Promise<void>
}

export interface LoadPlan {
  workload: Workload
  /** Documents under way. The next one is asked for when one is ready. */
  inFlight: number
}

/** An invoice of 40 rows from a stored template. */
export async function openLoad(
  { urls, apiKey }: Deployment,
  { workload, inFlight }: LoadPlan,
): Promise<AsyncDisposable & { begin(): Load }> {
  await using resources = new AsyncDisposableStack()
  const headers = { authorization: `Bearer ${apiKey}` }
  const clients = urls.map((url) => resources.use(openHttpClient(url, headers, inFlight)))
  const [first] = clients
  if (!first) throw new Error('there is no gateway')
  const created = await first.post('/v1/templates', { name: 'Invoice', html: invoiceSource })
  const { id: template } = expectAnswer(created, 201)
  const webhooks = resources.use(await openWebhooks())
  const body = { template, data: invoiceData() }
  const document = async (nth: number) => {
    const client = clients[nth % clients.length] ?? first
    if (workload === 'sync') return expectAnswer(await client.post('/v1/generate', body), 200)
    const { url, called } = webhooks.next()
    expectAnswer(await client.post('/v1/generate', { ...body, async: true, webhook_url: url }), 202)
    await called
  }
  const disposable = resources.move()
  return {
    begin() {
      const latenciesMs: number[] = []
      let stopped = false
      let begun = 0
      const work = async () => {
        while (!stopped) {
          const startedAt = performance.now()
          await document(begun++)
          latenciesMs.push(performance.now() - startedAt)
        }
      }
      const working = Promise.all(Array.from({ length: inFlight }, work))
      const failed = new Promise<never>((_, reject) => void working.catch(reject))
      // Until it is awaited, a failure would be an unhandled rejection.
      failed.catch(() => {})
      return {
        latenciesMs,
        failed,
        async stop() {
          stopped = true
          await working
        },
      }
    },
    [Symbol.asyncDispose]: () => disposable.disposeAsync(),
  }
}

/** A receiver of webhooks, with a path for each. */
async function openWebhooks() {
  const awaited = new Map<string, () => void>()
  let last = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end()
      awaited.get(request.url ?? '')?.()
      awaited.delete(request.url ?? '')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    next() {
      const path = `/${++last}`
      const { promise: called, resolve } = Promise.withResolvers<void>()
      awaited.set(path, resolve)
      return { url: `http://127.0.0.1:${port}${path}`, called }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
