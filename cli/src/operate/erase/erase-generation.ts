import { generationOfPdf, objectKeys, streams } from '@platen/domain/streams/subjects.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import type { CommandContext } from '../../frame/command.ts'
import type { OwnedGeneration } from './generation-owners.ts'

/** The entry of a generation in the receipt. */
export interface Erased {
  generation_id: string
  owner_id: string
  /** Objects that existed and were deleted, with their size in bytes. */
  objects: { key: string; size: number }[]
  /** Dead letters with the input of the document that were removed. Null: the erasure failed before that was known. */
  dead_letters: number | null
  /** The SHA-256 of the PDF, from the log: proof of which file is gone. */
  sha256?: string
}

/**
 * The PDFs of all attempts to render the generations, by generation. Events name only the PDF of the recorded attempt,
 * but a renderer that was killed earlier may have left another one.
 */
export async function pdfsOf(
  generations: readonly OwnedGeneration[],
  { progress, signal }: Pick<CommandContext, 'progress' | 'signal'>,
  objects: ObjectStore,
): Promise<Map<string, string[]>> {
  const pdfs = new Map(generations.map(({ id }): [string, string[]] => [id, []]))
  using bar = progress('reading the object store')
  let count = 0
  for await (const { key } of objects.list('pdfs', new Set(pdfs.keys()))) {
    signal.throwIfAborted()
    bar.at(++count)
    pdfs.get(generationOfPdf(key) ?? '')?.push(key)
  }
  return pdfs
}

interface Erasing {
  objects: ObjectStore
  /** The PDFs of each generation. */
  attempts: ReadonlyMap<string, readonly string[]>
  bus: Bus
  isDry: boolean
}

/** The entry of a generation of which nothing was deleted yet. */
export const nothingErased = ({ id, owner }: OwnedGeneration): Erased => ({
  ...{ generation_id: id, owner_id: owner, objects: [], dead_letters: null },
})

/** The batches that the generations are items of. */
export function batchesOf(generations: readonly OwnedGeneration[]): Set<string> {
  const data = generations.flatMap(({ events }) =>
    events.map((event) => event.data as { batch?: { id?: string } } | null),
  )
  return new Set(data.flatMap((one) => one?.batch?.id ?? []))
}

/** `erased` gets what was deleted as soon as it is: the receipt of an erasure that fails has it. */
export async function eraseGeneration(
  { objects, attempts, bus, isDry }: Erasing,
  generation: OwnedGeneration,
  erased: Erased,
): Promise<{ dead_letters: number }> {
  const { id, events } = generation
  const fields = events.map(({ data }) => (data ?? {}) as { object_key?: string; input_key?: string; sha256?: string })
  const keys = new Set([
    objectKeys.input(id),
    ...fields.flatMap(({ object_key, input_key }) => [object_key, input_key]),
    ...(attempts.get(id) ?? []),
  ])
  // If the generation was an item of a batch, the remaining input of that batch is deleted, too: the batch has ended,
  // and nothing needs it.
  for await (const { key } of objects.list('inputs', batchesOf([generation]))) keys.add(key)
  for (const key of keys) {
    const info = key === undefined ? undefined : await objects.info(key)
    if (key === undefined || info === undefined) continue
    if (!isDry) await objects.delete(key)
    erased.objects.push({ key, size: info.size })
  }
  const sha256 = fields.find((one) => one.sha256 !== undefined)?.sha256
  if (sha256 !== undefined) erased.sha256 = sha256
  const dead_letters = await eraseDeadLetters(bus, id, isDry)
  erased.dead_letters = dead_letters
  return { dead_letters }
}

/** A render command that could not be handled has the input of the document. */
async function eraseDeadLetters({ jsm }: Bus, id: string, isDry: boolean): Promise<number> {
  const filter = `dead-letters.commands.render.*.*.${id}`
  const { state } = await jsm.streams.info(streams.deadLetters, { subjects_filter: filter })
  const count = Object.values(state.subjects ?? {}).reduce((sum, number) => sum + number, 0)
  if (count > 0 && !isDry) await jsm.streams.purge(streams.deadLetters, { filter })
  return count
}
