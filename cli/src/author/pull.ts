import { join } from 'node:path'
import { any, defineCommand } from '../frame/command.ts'
import { count, dryRun, UsageError } from '../frame/options.ts'
import { openLibrary, ownerOption, type Template } from './library.ts'
import { partialsFolder, writePartials } from './partial-files.ts'
import { folderNotes, writeTemplate } from './template-folder.ts'

export const pullTemplates = defineCommand({
  name: 'templates pull',
  argument: { usage: '<folder> [<id or slug>…]', read: any('').read },
  summary: 'write templates to folders, named by slug, to edit them: the given ones, or all of the owner',
  options: { version: count('of one template (default: the newest)', 'VERSION'), ...ownerOption, ...dryRun },
  notes: folderNotes,
  async run({ env, print }, { argument, version, owner, json, 'dry-run': isDryRun }) {
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
    for (const template of chosen) {
      const path = join(folder, template.slug)
      if (!isDryRun) await writeTemplate(path, template)
      const { id, version } = template
      print(line({ folder: path, id, version }, `${path}  version ${version}`))
    }
    const used = new Set(chosen.flatMap(({ partials = {} }) => Object.keys(partials)))
    const partials = (await library.partials()).filter(({ name }) => names.length === 0 || used.has(name))
    if (partials.length > 0 && !isDryRun) await writePartials(folder, partials)
    for (const { name, version } of partials) {
      const file = join(folder, partialsFolder, `${name}.html`)
      print(line({ file, name, version }, `${file}  version ${version}`))
    }
    if (!json && chosen.length === 0 && partials.length === 0) print('no templates')
  },
})
