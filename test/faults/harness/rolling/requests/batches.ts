import type { Batch } from '@platen/domain/batch/batch.ts'
import type { BatchPost } from '../../batches/batch-post.ts'
import { countsOf } from '../../batches/clients.ts'
import type { Client } from '../../client.ts'
import type { Seeded } from '../../seeded.ts'
import type { RequestKind } from '../mix.ts'
import { reading } from './reading.ts'

const items = 3

/** Small batches, their progress, their files and cancellations. */
export function batchRequests(client: Client): { kinds: RequestKind[]; batches: BatchPost[] } {
  const { gateways, seed } = client
  const batches: BatchPost[] = []

  const post = async (random: Seeded): Promise<BatchPost> => {
    const n = batches.length
    const texts = Array.from({ length: items }, (_, at) => `Batch ${n} item ${at + 1}.`)
    const batch: BatchPost = { n, keyed: true, tries: 1, ids: [], cancelled: false, texts }
    batches.push(batch)
    const { body } = await client.send<Batch>(random.pick(gateways), {
      operation: 'createBatch',
      path: '/v1/batches',
      expected: [202],
      headers: { 'idempotency-key': `${seed} batch ${n}` },
      body: {
        html: '<p>Batch {{n}} item {{index}}.',
        metadata: { run: `${n}` },
        items: texts.map(() => ({ data: { n } })),
      },
    })
    if (body?.id !== undefined) batch.ids.push(body.id)
    return batch
  }
  const accepted = () => batches.filter(({ ids }) => ids.length > 0)
  /** Some items; the first request needs one, too. */
  const some = async (random: Seeded) => {
    const known = accepted()
    return known.length > 0 ? random.pick(known) : post(random)
  }

  const look = async (random: Seeded) => {
    const batch = await some(random)
    const [id] = batch.ids
    if (id === undefined) return
    const { status, body } = await client.send<Batch>(random.pick(gateways), {
      operation: 'getBatch',
      path: `/v1/batches/${id}`,
      expected: [200],
    })
    if (status === 200 && body?.ended_at !== undefined) batch.told = { status: body.status, counts: countsOf(body) }
  }
  const cancel = async (random: Seeded) => {
    const batch = await post(random)
    const [id] = batch.ids
    if (id === undefined) return
    batch.cancelled = true
    await client.write(random.pick(gateways), {
      operation: 'cancelBatch',
      path: `/v1/batches/${id}/cancel`,
      method: 'POST',
      subject: id,
      expected: [202, 409],
    })
  }
  const get = (operation: string, share: number, path: string, expected: number[]): RequestKind => ({
    operation,
    share,
    async send(random) {
      const [id] = (await some(random)).ids
      if (id === undefined) return
      await client.send(random.pick(gateways), { operation, path: `/v1/batches/${id}/${path}`, expected })
    },
  })
  const list = reading(client, { pick: () => undefined, expected: [200] })

  return {
    batches,
    kinds: [
      { operation: 'createBatch', share: 0.2, send: post },
      { operation: 'cancelBatch', share: 0.05, send: cancel },
      { operation: 'getBatch', share: 0.5, send: look },
      list('listBatches', 0.2, () => '/v1/batches?limit=10'),
      get('listBatchItems', 0.3, 'items', [200]),
      get('followBatch', 0.05, 'events', [200]),
      get('listBatchDeliveries', 0.1, 'deliveries', [200]),
      // A batch has no ZIP before it has ended, and none of its items may have a PDF if it was cancelled.
      get('getBatchZip', 0.1, 'files.zip', [200, 409]),
      get('getBatchPdf', 0.1, 'merged.pdf', [200, 409, 410]),
    ],
  }
}
