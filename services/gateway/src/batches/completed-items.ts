import type { GenerationRequest, GenerationResult } from '@platen/domain/generation/generation.ts'
import type { BatchRecord } from '../views/batch-view.ts'
import type { FindItem } from './find-item.ts'
import { inSlices } from './in-slices.ts'

export interface CompletedItem {
  index: number
  request: GenerationRequest
  result: GenerationResult
}

/** The items of a batch that have a PDF, in order. Other requests are answered meanwhile. */
export async function* completedItems(
  findItem: FindItem,
  batch: Pick<BatchRecord, 'id' | 'state'>,
): AsyncGenerator<CompletedItem> {
  for await (const index of inSlices(placesOf(batch))) {
    const { record } = await findItem(batch, index)
    if (record?.state.status !== 'completed') continue
    yield { index, request: record.request, result: record.state.result }
  }
}

function* placesOf({ state }: Pick<BatchRecord, 'state'>): Generator<number> {
  for (let index = 1; index <= state.batch.total; index++) yield index
}
