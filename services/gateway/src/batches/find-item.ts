import { itemGenerationId } from '@platen/domain/batch/batch.ts'
import type { GenerationFinder } from '../generations/find-generation.ts'
import type { BatchRecord } from '../views/batch-view.ts'
import type { GenerationView } from '../views/generation-view.ts'
import type { Item } from './batch-body.ts'

export type FindItem = (batch: Pick<BatchRecord, 'id' | 'state'>, index: number) => Promise<Item>

/** The views forget old generations; the event store does not. */
export function itemFinder(view: GenerationView, finder: Pick<GenerationFinder, 'findStarted'>): FindItem {
  return async ({ id, state }, index) => {
    const generationId = itemGenerationId(id, index)
    const record = view.find(generationId) ?? ('ended' in state ? await finder.findStarted(generationId) : undefined)
    return { index, generationId, record }
  }
}
