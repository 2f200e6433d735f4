import type { Batch, BatchItemResult } from '@platen/domain/batch/batch.ts'
import { unzipSync } from 'fflate'
import { pagesOf } from '../collect.ts'
import type { Door } from '../system.ts'
import type { BatchPost, BatchRead } from './batch-post.ts'
import { countsOf } from './clients.ts'

interface Page {
  data: BatchItemResult[]
  next_cursor?: string
}

/** What each gateway says of each batch, and its files at one of them. */
export async function readBatches(gateways: readonly Door[], batches: readonly BatchPost[]): Promise<BatchRead[]> {
  const reads: BatchRead[] = []
  for (const [at, gateway] of gateways.entries()) {
    for (const { n, ids } of batches) {
      const [id] = ids
      if (id === undefined) continue
      const read = await readBatch(gateway, id)
      if (n % gateways.length === at) Object.assign(read, await readFiles(gateway, id))
      reads.push(read)
    }
  }
  return reads
}

async function readBatch({ name: gateway, json }: Door, id: string): Promise<BatchRead> {
  const { status: httpStatus, body } = await json<Batch>(`/v1/batches/${id}`)
  const read: BatchRead = { id, gateway, httpStatus, items: [] }
  if (httpStatus !== 200) return read
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const path: string = `/v1/batches/${id}/items?limit=7${cursor && `&cursor=${cursor}`}`
    const page: Page = (await json<Page>(path)).body
    for (const { index, generation_id, status } of page.data) read.items.push({ index, generation_id, status })
    cursor = page.next_cursor
  }
  return { ...read, status: body.status, counts: countsOf(body) }
}

async function readFiles({ request }: Door, id: string): Promise<Pick<BatchRead, 'zip' | 'merged'>> {
  const bytesOf = async (file: string) => {
    const response = await request(`/v1/batches/${id}/${file}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { httpStatus: response.status, bytes: response.status === 200 ? bytes : undefined }
  }
  const zip = await bytesOf('files.zip')
  const texts: string[] = []
  for (const file of Object.values(zip.bytes ? unzipSync(zip.bytes) : {})) texts.push(...(await pagesOf(file)))
  const merged = await bytesOf('merged.pdf')
  return {
    zip: { httpStatus: zip.httpStatus, texts },
    merged: { httpStatus: merged.httpStatus, texts: merged.bytes ? await pagesOf(merged.bytes) : [] },
  }
}
