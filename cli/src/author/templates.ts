import { createTwoFilesPatch } from 'diff'
import { defineCommand, exitFound, one } from '../frame/command.ts'
import { count, dryRun, inRange, range } from '../frame/options.ts'
import { printRows } from '../frame/table.ts'
import { openLibrary, ownerOption, type TemplateLibrary } from './library.ts'
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

export const diffTemplate = defineCommand({
  name: 'templates diff',
  argument: one('id or slug'),
  summary: 'print the differences between two versions of a template, as a patch; by default the last two',
  options: {
    from: { value: 'VERSION', about: 'the older version, or its label (default: the one before --to)' },
    to: { value: 'VERSION', about: 'the newer version, or its label (default: the newest)' },
    ...ownerOption,
  },
  notes: ['Exits with 1 if there are differences.'],
  async run({ env, print }, { argument, owner, json, ...given }) {
    const library = await openLibrary(env, owner)
    const after = await library.template(argument, await versionOf(library, argument, given.to))
    const to = after.version
    const from = (await versionOf(library, argument, given.from)) ?? Math.max(1, to - 1)
    const before = await library.template(argument, from)
    const changed = comparedFiles.filter(([, textOf]) => textOf(before) !== textOf(after))
    for (const [file, textOf] of changed) {
      const [old, now] = [`${file} (version ${from})`, `${file} (version ${to})`]
      const patch = createTwoFilesPatch(old, now, textOf(before), textOf(after))
      print(json ? JSON.stringify({ file, from, to, patch }) : patch.trimEnd())
    }
    return changed.length > 0 ? exitFound : 0
  },
})

/** The number of a version that is given by its number or label. */
async function versionOf(
  library: TemplateLibrary,
  idOrSlug: string,
  given: string | undefined,
): Promise<number | undefined> {
  if (given === undefined) return undefined
  if (/^[1-9]\d*$/.test(given)) return Number(given)
  const { labels = {} } = await library.template(idOrSlug)
  return labels[given] ?? fail(`${idOrSlug} has no label ${given}; it has ${Object.keys(labels).join(', ') || 'none'}`)
}

function fail(message: string): never {
  throw new Error(message)
}

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
