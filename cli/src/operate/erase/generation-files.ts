import { commandSubjects, generationOfPdf, streams } from '@platen/domain/streams/subjects.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { requireLeading } from '@platen/messaging/streams/find-message.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import type { OwnedGeneration } from '@platen/service-kit/commands/erase-generation.ts'
import type { CommandContext } from '../../frame/command.ts'

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

/** Counts the dead letters of a generation, and removes them. A render command that could not be handled has the input. */
export async function eraseDeadLetters({ jsm }: Bus, id: string, isDry: boolean): Promise<number> {
  const filter = `dead-letters.${commandSubjects.renderOne('*', id)}`
  const info = await jsm.streams.info(streams.deadLetters, { subjects_filter: filter })
  // A server that is cut off from the others may not know of a letter.
  requireLeading(info)
  const count = Object.values(info.state.subjects ?? {}).reduce((sum, number) => sum + number, 0)
  if (count > 0 && !isDry) await jsm.streams.purge(streams.deadLetters, { filter })
  return count
}
