import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { any, defineCommand } from '../frame/command.ts'
import { count, dryRun, UsageError } from '../frame/options.ts'
import {
  ifFound,
  openLibrary,
  ownerOption,
  type Partial,
  sameContent,
  type Template,
  type TemplateLibrary,
} from './library.ts'
import { partialPath, readPartialFile, writePartials } from './partial-files.ts'
import { folderNotes, hasTemplate, readTemplate, writeTemplate } from './template-folder.ts'

export const pullTemplates = defineCommand({
  name: 'templates pull',
  argument: { usage: '<folder> [<id or slug>…]', read: any('').read },
  summary: 'write templates to folders, named by slug, to edit them: the given ones, or all of the owner',
  options: {
    version: count('of one template (default: the newest)', 'VERSION'),
    force: { about: 'also over files that were edited since they were pulled or pushed' },
    ...ownerOption,
    ...dryRun,
  },
  notes: folderNotes,
  async run({ env, print }, { argument, version, force, owner, json, 'dry-run': isDryRun }) {
    const [folder, ...names] = argument
    if (folder === undefined) throw new UsageError('expected a folder')
    if (version !== undefined && names.length !== 1) throw new UsageError('--version needs exactly one template')
    const line = (record: object, text: string) => {
      if (json) return JSON.stringify(isDryRun ? { ...record, dry_run: true } : record)
      return isDryRun ? `${text}  would be written` : text
    }
    const library = await openLibrary(env, owner)
    const chosen: Template[] = names.length === 0 ? await library.templates({ summary: false }) : []
    for (const name of names) chosen.push(await library.template(name, version))
    const used = new Set(chosen.flatMap(({ partials = {} }) => Object.keys(partials)))
    const partials = (await library.partials()).filter(({ name }) => names.length === 0 || used.has(name))
    const edited = force ? [] : await localEdits(library, folder, { templates: chosen, partials })
    if (edited.length > 0) {
      const what = edited.length === 1 ? 'it' : 'them'
      throw new Error(
        `edited since the last pull or push: ${edited.join(', ')}; push ${what}, or add --force to overwrite. Nothing was written`,
      )
    }
    for (const template of chosen) {
      const path = join(folder, template.slug)
      if (!isDryRun) await writeTemplate(path, template)
      const { id, version } = template
      print(line({ folder: path, id, version }, `${path}  version ${version}`))
    }
    if (partials.length > 0 && !isDryRun) await writePartials(folder, partials)
    for (const { name, version } of partials) {
      const file = partialPath(folder, name)
      print(line({ file, name, version }, `${file}  version ${version}`))
    }
    if (!json && chosen.length === 0 && partials.length === 0) print('no templates')
  },
})

interface Pulled {
  templates: readonly Template[]
  partials: readonly Partial[]
}

/** The paths that a pull into the folder would overwrite, and that differ from the version that was pulled or pushed last. */
async function localEdits(
  library: TemplateLibrary,
  folder: string,
  { templates, partials }: Pulled,
): Promise<string[]> {
  const edited: string[] = []
  for (const template of templates) {
    const path = join(folder, template.slug)
    if (hasTemplate(path) && (await isEdited(library, path, template))) edited.push(path)
  }
  for (const { name, html } of partials) {
    if (!existsSync(partialPath(folder, name))) continue
    const file = await readPartialFile(folder, name)
    if (file.html === html) continue
    const { version } = file
    const before = version === undefined ? undefined : await ifFound(library.partialVersion(name, version))
    if (before?.html !== file.html) edited.push(partialPath(folder, name))
  }
  return edited
}

async function isEdited(library: TemplateLibrary, path: string, template: Template): Promise<boolean> {
  // A file that cannot be read was not written by a pull.
  const local = await readTemplate(path).catch(() => undefined)
  if (local === undefined) return true
  const { content, origin } = local
  if (sameContent(template, content)) return false
  const { id, version } = origin
  if (id === undefined || version === undefined) return true
  const before = await ifFound(library.template(id, version))
  return before === undefined || !sameContent(before, content)
}
