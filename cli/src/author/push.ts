import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { authoredFieldNames } from '@platen/domain/template/template-content.ts'
import { defineCommand, one } from '../frame/command.ts'
import { openLibrary, ownerOption, type Template, type TemplateLibrary } from './library.ts'
import { readPartialFiles, recordVersions } from './partial-files.ts'
import { folderNotes, readTemplate, templateFolders, writeOrigin } from './template-folder.ts'

export const pushOptions = {
  force: { about: 'also if something was changed since it was pulled' },
  ...ownerOption,
} as const

export const pushTemplates = defineCommand({
  name: 'templates push',
  argument: one('folder'),
  summary: 'create or update the template of a folder, or those of the folders in it',
  options: pushOptions,
  notes: [
    ...folderNotes,
    'A template that uses a partial which was changed is saved again, so that it has the new version.',
  ],
  async run({ env, print }, { argument, owner, force, json }) {
    const folder = resolve(argument)
    const library = await openLibrary(env, owner)
    const changed = new Set<string>()
    for await (const partial of pushPartials(library, folder, force)) {
      changed.add(partial.name)
      print(lineOfPartial(partial, json))
    }
    for (const path of await templateFolders(folder)) {
      try {
        print(lineOf(path, await pushTemplate(library, path, { force, changed }), json))
      } catch (err) {
        // The refusal of Platen does not know which of the folders it is about.
        throw new Error(`${path}: ${(err as Error).message}`, { cause: err })
      }
    }
  },
})

interface PushedPartial {
  id: string
  name: string
  version: number
  change: 'created' | 'updated'
}

/** Those that others call first come first. Yields each that was changed. Throws if one was changed since it was pulled, unless `force`, and the refusal of Platen. */
export async function* pushPartials(
  library: TemplateLibrary,
  folder: string,
  force: boolean,
): AsyncIterable<PushedPartial> {
  const files = await readPartialFiles(folder)
  if (files.length === 0) return
  const stored = new Map((await library.partials()).map((partial) => [partial.name, partial]))
  for (const { name, html, version: pulled } of files) {
    const before = stored.get(name)
    if (before?.html === html) continue
    if (before && !force && pulled !== undefined && pulled !== before.version) {
      throw new Error(
        `the partial ${name} is at version ${before.version} and was pulled at ${pulled}; pull it again, or add --force`,
      )
    }
    const { id, version } = before
      ? await library.updatePartial(name, before.version, html)
      : await library.createPartial(name, html)
    await recordVersions(folder, [{ name, version }])
    yield { id, name, version, change: before ? 'updated' : 'created' }
  }
}

interface PushedTemplate {
  id: string
  version: number
  change: 'created' | 'updated' | 'unchanged'
}

/** `changed`: the names of partials that have a new version. */
export async function pushTemplate(
  library: TemplateLibrary,
  folder: string,
  { force, changed }: { force: boolean; changed: ReadonlySet<string> },
): Promise<PushedTemplate> {
  const { origin, content } = await readTemplate(folder)
  const save = async ({ id, version }: Template, change: 'created' | 'updated') => {
    await writeOrigin(folder, { ...origin, id, version })
    return { id, version, change }
  }
  if (origin.id === undefined) return save(await library.createTemplate(content), 'created')
  const current = await library.template(origin.id)
  const { id, version, partials = {} } = current
  const authored = authoredFieldNames.flatMap((field) =>
    current[field] === undefined ? [] : [[field, current[field]]],
  )
  const isPinnedAnew = Object.keys(partials).some((name) => changed.has(name))
  if (isDeepStrictEqual(Object.fromEntries(authored), content) && !isPinnedAnew)
    return { id, version, change: 'unchanged' }
  if (!force && origin.version !== undefined && origin.version !== version) {
    throw new Error(
      `the template is at version ${version} and was pulled at ${origin.version}; pull it again, or add --force`,
    )
  }
  return save(await library.updateTemplate(id, version, content), 'updated')
}

export function lineOfPartial(partial: PushedPartial, json: boolean): string {
  const { name, change, id, version } = partial
  return json ? JSON.stringify(partial) : `partial ${name}  ${change}  ${id}  version ${version}`
}

export function lineOf(folder: string, pushed: PushedTemplate, json: boolean): string {
  const { change, id, version } = pushed
  return json ? JSON.stringify({ folder, ...pushed }) : `${folder}  ${change}  ${id}  version ${version}`
}
