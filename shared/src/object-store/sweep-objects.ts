import type { GenerationEvent } from '../contracts/generation.ts'
import { absentGeneration, evolveGeneration, type GenerationState } from '../contracts/generation-state.ts'
import { generationOfPdf } from '../contracts/subjects.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { load } from '../event-store/handle-command.ts'
import { isExpired, type ObjectRetention } from './object-retention.ts'
import type { ListedObject, ObjectStore } from './object-store.ts'

export interface SweepOptions {
  objects: Pick<ObjectStore, 'list' | 'delete'>
  store: EventStore
  retention: ObjectRetention
  now: Date
  /** The `now` of an earlier sweep that ended: PDFs that it found to be recorded are not looked up again. */
  since?: Date
  signal?: AbortSignal
}

/** The numbers of deleted objects. */
export interface Swept {
  /** PDFs that no event names, for example of a renderer that crashed. */
  orphans: number
  expiredPdfs: number
  expiredInputs: number
}

const hourMs = 3_600_000

/**
 * A renderer records a PDF within minutes of writing it, or writes it again. An older PDF that no event names never gets an
 * event.
 */
export const orphanAgeMs = hourMs

/**
 * Deletes objects whose retention has ended, and PDFs older than an hour that no event names. Several processes may sweep at
 * once. Objects that are not Platen's are kept. Throws ObjectStoreUnavailable, for example if the keys may not list or delete
 * objects, and the errors of the event store.
 */
export async function sweepObjects({ objects, store, retention, now, since, signal }: SweepOptions): Promise<Swept> {
  const swept: Swept = { orphans: 0, expiredPdfs: 0, expiredInputs: 0 }
  const age = ({ modifiedAt }: ListedObject) => now.getTime() - modifiedAt.getTime()
  const remove = async (key: string, count: keyof Swept) => {
    await objects.delete(key)
    swept[count] += 1
  }
  for await (const object of objects.list('inputs')) {
    signal?.throwIfAborted()
    const isInput = /^inputs\/pdf_[0-9a-z]{26}\.json$/.test(object.key)
    if (isInput && isExpired(age(object), retention.inputDays)) await remove(object.key, 'expiredInputs')
  }
  const checkedAge = since === undefined ? Number.POSITIVE_INFINITY : now.getTime() - since.getTime() + orphanAgeMs
  for await (const object of objects.list('pdfs')) {
    signal?.throwIfAborted()
    const { key } = object
    const generation = generationOfPdf(key)
    if (generation === undefined) continue
    if (isExpired(age(object), retention.pdfDays)) await remove(key, 'expiredPdfs')
    else if (age(object) <= orphanAgeMs || age(object) > checkedAge) continue
    else if ((await recordedPdf(store, generation)) !== key) await remove(key, 'orphans')
  }
  return swept
}

async function recordedPdf(store: SweepOptions['store'], generation: string): Promise<string | undefined> {
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  const { state } = await load<GenerationState, GenerationEvent>(store, fold, `generation-${generation}`)
  return state.status === 'completed' ? state.result.object_key : undefined
}
