import { basename, resolve } from 'node:path'
import { slugify } from '@platen/domain/template/slugify.ts'
import { defineCommand, one } from '../frame/command.ts'
import { dryRun } from '../frame/options.ts'
import { ifFound, openLibrary, ownerOption, sameContent, type TemplateLibrary } from './library.ts'
import { type PartialVersions, type PushedPartial, type Pushing, pushPartials } from './push-partials.ts'
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
    'A template that has another version of a partial than the one that is pushed is saved again, so that it has the new version,',
    'and so is one that has an asset that was replaced.',
  ],
  async run({ env, print }, { argument, owner, force, json, 'dry-run': isDryRun }) {
    const folder = resolve(argument)
    const library = await openLibrary(env, owner)
    await using trial = isDryRun ? new PushTrial() : undefined
    const partials: PartialVersions = new Map()
    for await (const partial of pushPartials(library, folder, { force, trial, partials }))
      print(lineOfPartial(partial, { json, isDryRun }))
    for (const path of await templateFolders(folder)) {
      try {
        print(lineOf(path, await pushTemplate(library, path, { force, trial, partials }), { json, isDryRun }))
      } catch (err) {
        // The error of the API does not name the folder.
        throw new Error(`${path}: ${(err as Error).message}`, { cause: err })
      }
    }
  },
})

interface PushedTemplate {
  /** Absent if it would be created. */
  id?: string
  version: number
  change: 'created' | 'updated' | 'unchanged'
}

/** A template with another version of a partial, or content of an asset, is saved again. An earlier push may have ended before it was. */
export async function pushTemplate(
  library: TemplateLibrary,
  folder: string,
  { force, trial, partials: pushed }: Pushing,
): Promise<PushedTemplate> {
  const { origin, content } = await readTemplate(folder)
  const slug = origin.slug ?? slugify(basename(folder))
  const put = async (ifVersion: number | undefined, change: 'created' | 'updated') => {
    const { id, version } = await library.putTemplate(slug, ifVersion, content)
    await writeOrigin(folder, { ...origin, slug, id, version })
    return { id, version, change }
  }
  const current = await ifFound(library.template(slug))
  if (!current) {
    if (!trial) return put(undefined, 'created')
    await trial.template(content)
    return { version: 1, change: 'created' }
  }
  const { id, version, partials = {}, assets = {} } = current
  const isPinnedAnew =
    Object.entries(partials).some(([name, pin]) => (pushed.get(name) ?? pin.version) !== pin.version) ||
    (await areReplaced(library, assets))
  if (sameContent(current, content) && !isPinnedAnew) return { id, version, change: 'unchanged' }
  // The version of a template in another deployment cannot be compared with the version in this one.
  if (!force && origin.id === id && origin.version !== version) {
    throw new Error(
      `the template is at version ${version} and was pulled at ${origin.version}; pull it again, or add --force`,
    )
  }
  if (!trial) return put(version, 'updated')
  await trial.template(content)
  return { id, version: version + 1, change: 'updated' }
}

/**
 * Whether an asset has other content than when the version was saved. A template whose asset was deleted cannot be
 * saved again.
 */
async function areReplaced(library: TemplateLibrary, pins: Readonly<Record<string, string>>): Promise<boolean> {
  if (Object.keys(pins).length === 0) return false
  return (await library.assets()).some(({ name, sha256 }) => Object.hasOwn(pins, name) && pins[name] !== sha256)
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
