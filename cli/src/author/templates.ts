import { defineCommand, one } from '../frame/command.ts'
import { count, dryRun, inRange, range } from '../frame/options.ts'
import { printRows } from '../frame/table.ts'
import { openLibrary, ownerOption } from './library.ts'
import { comparedFiles } from './template-folder.ts'

export const listTemplates = defineCommand({
  name: 'templates list',
  summary: 'list templates',
  options: { deleted: { about: 'those that are deleted, with the time of the deletion' }, ...ownerOption },
  async run({ env, print }, { deleted, owner, json }) {
    const rows = await (await openLibrary(env, owner)).templates({ summary: true, deleted })
    const columns = ({ id, slug, version, name, deleted_at }: (typeof rows)[number]) => [
      ...[id, slug, `version ${version}`, name],
      ...(deleted_at === undefined ? [] : [deleted_at]),
    ]
    printRows(rows, { print, json, columns })
  },
})

export const templateHistory = defineCommand({
  name: 'templates history',
  argument: one('id or slug'),
  summary: 'list the versions of a template: when, by which request, and what was changed',
  options: { ...range('saved'), ...ownerOption },
  async run({ env, print }, { argument, owner, json, ...given }) {
    const versions = await (await openLibrary(env, owner)).versions(argument)
    const rows = inRange(versions, given, ({ created_at }) => created_at)
    const columns = ({ version, created_at, change, request_id = '', changed, labels }: (typeof rows)[number]) => [
      String(version),
      created_at,
      change,
      request_id,
      changed.join(', '),
      labels.join(', '),
    ]
    printRows(rows, { print, json, columns })
  },
})

export const restoreTemplate = defineCommand({
  name: 'templates restore',
  argument: one('id or slug'),
  summary: 'make an older version of a template the newest again',
  options: { version: { ...count('the version to restore', 'VERSION'), required: true }, ...ownerOption, ...dryRun },
  notes: ['The versions in between stay in the history. A deleted template is restored by its id.'],
  async run({ env, print }, { argument, version: restored, owner, json, 'dry-run': isDryRun }) {
    const library = await openLibrary(env, owner)
    const last = (await library.versions(argument)).at(-1)
    const newest = last?.version ?? 1
    if (isDryRun) {
      const content = await library.template(argument, restored)
      const now = last?.change === 'deleted' ? undefined : await library.template(argument, newest)
      const isSame = now !== undefined && comparedFiles.every(([, textOf]) => textOf(now) === textOf(content))
      const { id } = content
      const version = isSame ? newest : newest + 1
      const would = isSame ? `is the same as version ${restored}` : `would be version ${version}, as ${restored} was`
      return print(json ? JSON.stringify({ id, version, restored, dry_run: true }) : `${id} ${would}`)
    }
    const { id, version } = await library.restoreTemplate(argument, restored, newest)
    const done =
      version === newest
        ? `is the same as version ${restored}`
        : `is version ${version} now, as version ${restored} was`
    print(json ? JSON.stringify({ id, version, restored }) : `${id} ${done}`)
  },
})
