import { setTimeout as delay } from 'node:timers/promises'
import type { Batch } from '@platen/domain/batch/batch.ts'
import { type Client, type Kind, pause, type RequestOf } from '../client.ts'
import type { Receivers } from '../deliveries/receivers.ts'
import type { Seeded } from '../seeded.ts'
import type { Door } from '../system.ts'
import type { TemplateClients } from '../templates/clients.ts'
import type { BatchPost, Counts } from './batch-post.ts'

const clients = 2
const patienceMs = 60_000
const submitWithinMs = 180_000
const cancelWithinMs = 30_000
/** The number of the first batch that is posted after recovery. */
const firstProbe = 1_000_000

const busy = (ms: number) => `<script>const until = Date.now() + ${ms}; while (Date.now() < until);</script>`

export interface BatchClients extends Kind {
  batches: BatchPost[]
}

/** Programs that send many documents at once, follow them, cancel some, and download the files. */
export function batchClients(
  client: Client,
  { receiver }: Pick<Receivers, 'receiver'>,
  { known, acknowledged }: Pick<TemplateClients, 'known' | 'acknowledged'>,
): BatchClients {
  const { gateways, seed } = client
  const batches: BatchPost[] = []

  const submit = async (batch: BatchPost, gateway: Door, request: BatchRequest) => {
    batch.tries += 1
    const headers = { ...request.headers, ...(batch.keyed && { 'idempotency-key': `${seed} batch ${batch.n}` }) }
    const { status, body } = await client.send<Batch>(gateway, {
      operation: 'createBatch',
      method: 'POST',
      expected: [202],
      ...request,
      headers,
    })
    if (status === 202 && body) batch.ids.push(body.id)
  }

  const run = async (n: number) => {
    const random = client.random(`batch ${n}`)
    // In a short run, one batch is slow and cancelled at once.
    const cancelled = n % 3 === 1
    const form = random.pick(['lines', 'list', ...(known.length > 0 ? ['template'] : [])] as const)
    const template = form === 'template' ? random.pick(known) : undefined
    const webhookUrl = random.fraction() < 0.7 ? receiver.url(`/batch/${n}`) : undefined
    const items = cancelled ? 20 : random.between(2, 12)
    const batch: BatchPost = {
      n,
      keyed: random.fraction() < 0.8,
      tries: 0,
      ids: [],
      cancelled: false,
      texts: Array.from({ length: items }, (_, at) =>
        template === undefined ? `Batch ${n} item ${at + 1}.` : 'Edit ',
      ),
      ...(webhookUrl !== undefined && { webhookUrl }),
      ...(template !== undefined && { template: { id: template, atLeast: acknowledged.get(template) ?? 0 } }),
    }
    batches.push(batch)
    const slow = cancelled ? busy(300) : random.fraction() < 0.3 ? busy(random.between(50, 400)) : ''
    const request = form === 'lines' ? linesOf(batch, slow, random) : listOf(batch, slow)
    const twice = batch.keyed && random.fraction() < 0.3
    for (const until = Date.now() + submitWithinMs; Date.now() < until; await delay(random.between(50, 500))) {
      // A client that was too quick to repeat it.
      const times = twice && batch.tries === 0 ? 2 : 1
      await Promise.all(Array.from({ length: times }, () => submit(batch, random.pick(gateways), request)))
      if (batch.ids.length > 0) break
      if (!batch.keyed) return
    }
    const [id] = batch.ids
    if (id === undefined) return
    if (cancelled) {
      batch.cancelled = true
      await delay(random.between(0, 1_500))
      await cancel(id, random)
    }
    await untilEnded(batch, id, random)
    if (!batch.told || batch.told.counts.completed === 0 || random.fraction() < 0.3) return
    const [operation, file] = random.pick([
      ['getBatchZip', 'files.zip'],
      ['getBatchPdf', 'merged.pdf'],
    ] as const)
    await client.send(random.pick(gateways), { operation, path: `/v1/batches/${id}/${file}`, expected: [200] })
  }

  const cancel = async (id: string, random: Seeded) => {
    for (const until = Date.now() + cancelWithinMs; Date.now() < until; await delay(500)) {
      const { status } = await client.write(random.pick(gateways), {
        operation: 'cancelBatch',
        path: `/v1/batches/${id}/cancel`,
        method: 'POST',
        subject: id,
        expected: [202, 409],
      })
      if (status === 202 || status === 409) return
    }
  }

  const untilEnded = async (batch: BatchPost, id: string, random: Seeded) => {
    for (const until = Date.now() + patienceMs; Date.now() < until; await delay(300)) {
      const path = `/v1/batches/${id}`
      const { status, body } = await client.send<Batch>(random.pick(gateways), {
        operation: 'getBatch',
        path,
        expected: [200],
      })
      if (status !== 200 || body?.ended_at === undefined) continue
      batch.told = { status: body.status, counts: countsOf(body) }
      return
    }
  }

  return {
    operations: ['createBatch', 'cancelBatch'],
    batches,
    async run(signal) {
      let n = 0
      const post = async () => {
        while (!signal.aborted) {
          await run(n++)
          await pause(client.random(`pause ${n}`), signal, 500, 2_000)
        }
      }
      await Promise.all(Array.from({ length: clients }, post))
    },
    async probe(gateway) {
      await client.send(gateway, { operation: 'listBatches', path: '/v1/batches', expected: [200] })
      const from = firstProbe + 100 * gateways.indexOf(gateway)
      for (let at = 0; at < 3; at++) await run(from + at)
    },
  }
}

type BatchRequest = Pick<RequestOf, 'path' | 'body' | 'headers'>

const lineType = 'application/x-ndjson'

/** Metadata by which the items of a batch without an answer are found. */
const metadataOf = ({ n }: BatchPost) => ({ run: `${n}` })

/** Each line has a document of its own. Some need more than one object of the store. */
function linesOf(batch: BatchPost, slow: string, random: Seeded): BatchRequest {
  const large = random.fraction() < 0.15 ? `<!--${'x'.repeat(700_000)}-->` : ''
  const lines = batch.texts.map((text, at) => {
    return JSON.stringify({ html: `<p>${text}${slow}${at < 3 ? large : ''}`, metadata: metadataOf(batch) })
  })
  const { webhookUrl } = batch
  const query = webhookUrl === undefined ? '' : `?webhook_url=${encodeURIComponent(webhookUrl)}`
  return {
    path: `/v1/batches${query}`,
    body: Buffer.from(`${lines.join('\n')}\n`),
    headers: { 'content-type': lineType },
  }
}

/** A document, or a template, with a list of data. */
function listOf(batch: BatchPost, slow: string): BatchRequest {
  const { n, texts, template, webhookUrl } = batch
  return {
    path: '/v1/batches',
    body: {
      ...(template ? { template: template.id } : { html: `<p>Batch {{n}} item {{index}}.${slow}` }),
      ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
      metadata: metadataOf(batch),
      file_name: 'Item {{index}}',
      items: texts.map(() => ({ data: { n } })),
    },
  }
}

export const countsOf = ({ counts: { completed, failed, cancelled } }: Batch): Counts => ({
  completed,
  failed,
  cancelled,
})
