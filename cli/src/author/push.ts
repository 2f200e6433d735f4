import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { authoredFieldNames } from '@platen/domain/template/template-content.ts'
import { defineCommand, one } from '../frame/command.ts'
import { dryRun } from '../frame/options.ts'
import { openLibrary, ownerOption, type Template, type TemplateLibrary } from './library.ts'
import { readPartialFiles, recordVersions } from './partial-files.ts'
import { PushTrial } from './push-trial.ts'
import { folderNotes, readTemplate, templateFolders, writeOrigin } from './template-folder.ts'

export const pushOptions = {
  force: { about: 'also if something was changed since it was pulled' },
  ...ownerOption,
  ...dryRun,
} as const

export const pushNotes = [
  ...folderNotes,
  'A dry run checks fields, sources, partials and sample data. Limits in bytes and assets are checked when it is pushed.',
]

export const pushTemplates = defineCommand({
  name: 'templates push',
  argument: one('folder'),
  summary: 'create or update the template of a folder, or those of the folders in it',
  options: pushOptions,
  notes: [
    ...pushNotes,
    'A template that uses a partial which was changed is saved again, so that it has the new version.',
  ],
  async run({ env, print }, { argument, owner, force, json, 'dry-run': isDryRun }) {
    const folder = resolve(argument)
    const library = await openLibrary(env, owner)
    await using trial = isDryRun ? new PushTrial() : undefined
    const changed = new Set<string>()
    for await (const partial of pushPartials(library, folder, { force, trial })) {
      changed.add(partial.name)
      print(lineOfPartial(partial, { json, isDryRun }))
    }
    for (const path of await templateFolders(folder)) {
      try {
        print(lineOf(path, await pushTemplate(library, path, { force, trial, changed }), { json, isDryRun }))
      } catch (err) {
        // The refusal of Platen does not know which of the folders it is about.
        throw new Error(`${path}: ${(err as Error).message}`, { cause: err })
      }
    }
  },
})

interface PushedPartial {
  /** Absent if it would be created. */
  id?: string
  name: string
  version: number
  change: 'created' | 'updated'
}

export interface Pushing {
  force: boolean
  /** Of a dry run: what would be pushed is checked by it, and is not sent. */
  trial: PushTrial | undefined
}

/**
 * Those that others call first come first. Yields each that was changed. Throws if one was changed since it was pulled, unless
 * `force`, and the refusal of Platen or of the trial.
 */
export async function* pushPartials(
  library: TemplateLibrary,
  folder: string,
  { force, trial }: Pushing,
): AsyncIterable<PushedPartial> {
  const files = await readPartialFiles(folder)
  if (files.length === 0 && !trial) return
  const stored = new Map((await library.partials()).map((partial) => [partial.name, partial]))
  const sources = [...stored.values(), ...files].map(({ name, html }) => [name, html] as const)
  trial?.expect(new Map(sources))
  for (const { name, html, version: pulled } of files) {
    const before = stored.get(name)
    if (before?.html === html) continue
    if (before && !force && pulled !== undefined && pulled !== before.version) {
      throw new Error(
        `the partial ${name} is at version ${before.version} and was pulled at ${pulled}; pull it again, or add --force`,
      )
    }
    const change = before ? 'updated' : 'created'
    if (trial) {
      await trial.partial(name, html)
      yield { ...(before && { id: before.id }), name, version: (before?.version ?? 0) + 1, change }
      continue
    }
    const { id, version } = before
      ? await library.updatePartial(name, before.version, html)
      : await library.createPartial(name, html)
    await recordVersions(folder, [{ name, version }])
    yield { id, name, version, change }
  }
}

interface PushedTemplate {
  /** Absent if it would be created. */
  id?: string
  version: number
  change: 'created' | 'updated' | 'unchanged'
}

/** `changed`: the names of partials that have a new version. */
export async function pushTemplate(
  library: TemplateLibrary,
  folder: string,
  { force, trial, changed }: Pushing & { changed: ReadonlySet<string> },
): Promise<PushedTemplate> {
  const { origin, content } = await readTemplate(folder)
  const save = async ({ id, version }: Template, change: 'created' | 'updated') => {
    await writeOrigin(folder, { ...origin, id, version })
    return { id, version, change }
  }
  if (origin.id === undefined) {
    if (!trial) return save(await library.createTemplate(content), 'created')
    await trial.template(content)
    return { version: 1, change: 'created' }
  }
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
  if (!trial) return save(await library.updateTemplate(id, version, content), 'updated')
  await trial.template(content)
  return { id, version: version + 1, change: 'updated' }
}

interface Line {
  json: boolean
  isDryRun: boolean
}

export function lineOfPartial(partial: PushedPartial, { json, isDryRun }: Line): string {
  if (json) return JSON.stringify({ ...partial, ...(isDryRun && { dry_run: true }) })
  return `partial ${partial.name}  ${done(partial, isDryRun)}`
}

export function lineOf(folder: string, pushed: PushedTemplate, { json, isDryRun }: Line): string {
  if (json) return JSON.stringify({ folder, ...pushed, ...(isDryRun && { dry_run: true }) })
  return `${folder}  ${done(pushed, isDryRun)}`
}

function done({ change, id, version }: PushedTemplate, isDryRun: boolean): string {
  const told = isDryRun && change !== 'unchanged' ? `would be ${change}` : change
  return [told, ...(id === undefined ? [] : [id]), `version ${version}`].join('  ')
}
