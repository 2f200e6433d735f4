import type { TemplateLibrary } from './library.ts'
import { readPartialFiles, recordVersions } from './partial-files.ts'
import type { PushTrial } from './push-trial.ts'

export interface PushedPartial {
  /** Absent if it would be created. */
  id?: string
  name: string
  version: number
  change: 'created' | 'updated'
}

/** The versions of the partials of a folder, by name. */
export type PartialVersions = Map<string, number>

export interface Pushing {
  force: boolean
  /** Set in a dry run: checks what would be pushed, and sends nothing. */
  trial: PushTrial | undefined
  /** The versions that the partials of the folder have when they are pushed. Filled by `pushPartials`. */
  partials: PartialVersions
}

/**
 * Pushes changed partials, and yields each. Partials that others call are pushed first. Throws if a partial was changed
 * on the server since it was pulled, unless `force`, and if Platen or the trial refuses one.
 */
export async function* pushPartials(
  library: TemplateLibrary,
  folder: string,
  { force, trial, partials }: Pushing,
): AsyncIterable<PushedPartial> {
  const files = await readPartialFiles(folder)
  if (files.length === 0 && !trial) return
  const stored = new Map((await library.partials()).map((partial) => [partial.name, partial]))
  const sources = [...stored.values(), ...files].map(({ name, html }) => [name, html] as const)
  trial?.expect(new Map(sources))
  for (const { name, html, version: pulled } of files) {
    const before = stored.get(name)
    if (before?.html === html) {
      partials.set(name, before.version)
      // An earlier push may have ended before it was.
      if (pulled !== before.version && !trial) await recordVersions(folder, [before])
      continue
    }
    if (before && !force && pulled !== undefined && pulled !== before.version) {
      throw new Error(
        `the partial ${name} is at version ${before.version} and was pulled at ${pulled}; pull it again, or add --force`,
      )
    }
    const change = before ? 'updated' : 'created'
    if (trial) {
      await trial.partial(name, html)
      const version = (before?.version ?? 0) + 1
      partials.set(name, version)
      yield { ...(before && { id: before.id }), name, version, change }
      continue
    }
    const { id, version } = before
      ? await library.updatePartial(name, before.version, html)
      : await library.createPartial(name, html)
    partials.set(name, version)
    await recordVersions(folder, [{ name, version }])
    yield { id, name, version, change }
  }
}
