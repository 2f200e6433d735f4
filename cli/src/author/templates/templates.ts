import { watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { summarizeVersion } from '@platen/domain/template/summarize-version.ts'
import { largeFields } from '@platen/domain/template/template.ts'
import { contentOf } from '@platen/domain/template/template-content.ts'
import { createTwoFilesPatch } from 'diff'
import {
  type Command,
  type CommandContext,
  countOption,
  exitFound,
  jsonOption,
  noArguments,
  onlyArgument,
  parseOptions,
  UsageError,
} from '../../frame/command.ts'
import { alignColumns } from '../../frame/table.ts'
import { findOwner } from '../../operate/owners/owners.ts'
import { timeOfEvent } from '../../operate/trace/timeline.ts'
import { readPartials } from '../partials/read-partials.ts'
import { createTemplate, restoreVersion, updateTemplate } from './change-template.ts'
import { writePartials } from './partial-files.ts'
import { type PushedPartial, pushPartials } from './push-partials.ts'
import { type ActiveTemplate, readTemplates, readVersions, versionOf } from './read-templates.ts'
import { comparedFiles } from './template-files.ts'
import { readTemplate, templateFolders, writeOrigin, writeTemplate } from './template-folder.ts'

const common = {
  owner: { type: 'string', default: defaultOwnerId },
  ...jsonOption,
} as const
const ownerDetail = '--owner  the id or name of the owner (default: the default owner)'
const folderDetail =
  'A template is a folder with template.html, data.json (its sample data), and if it has them header.html, footer.html, options.json, schema.json and samples.json. template.json has its id, name and version.'
const partialsDetail =
  'The folder _partials beside them has the partials that they use, such as letterhead.html; partials.json has their versions.'

export const listTemplates: Command = {
  synopsis: '[--owner OWNER] [--json]',
  summary: 'list templates that are not deleted',
  async run({ openStore, args, print }) {
    const { values, positionals } = parseOptions(args, { owner: { type: 'string' }, ...jsonOption })
    noArguments(positionals)
    const store = await openStore()
    const ownerId = values.owner === undefined ? undefined : await findOwner(store, values.owner)
    const all = await readTemplates(store, ownerId)
    if (values.json) for (const template of all) print(JSON.stringify(withoutLarge(template)))
    else
      for (const line of alignColumns(
        all.map((one) => [one.id, one.slug, `version ${one.version}`, one.ownerId, one.name]),
      ))
        print(line)
  },
}

export const templateHistory: Command = {
  synopsis: '<id or slug> [--owner OWNER] [--json]',
  summary: 'list the versions of a template: when, by which request, and what was changed',
  details: [ownerDetail],
  async run({ openStore, args, print }) {
    const { values, positionals } = parseOptions(args, common)
    const store = await openStore()
    const name = onlyArgument(positionals, 'template id or slug')
    const versions = await readVersions(store, name, await findOwner(store, values.owner))
    const rows = versions.map(({ version, event }) => ({
      version,
      at: timeOfEvent(event),
      type: event.type,
      changed: summarizeVersion(event).changed,
      request_id: event.metadata.correlation_id ?? null,
      api_key_id: event.metadata.api_key_id ?? null,
    }))
    if (values.json) for (const row of rows) print(JSON.stringify(row))
    else
      for (const line of alignColumns(
        rows.map(({ version, at, type, changed, request_id }) => [
          String(version),
          at,
          type,
          String(request_id),
          changed.join(', '),
        ]),
      ))
        print(line)
  },
}

export const diffTemplate: Command = {
  synopsis: '<id or slug> [--from VERSION] [--to VERSION] [--owner OWNER] [--json]',
  summary: 'print the differences between two versions of a template, as a patch; by default the last two',
  details: [ownerDetail, 'Exits with 1 if there are differences.'],
  async run({ openStore, args, print }) {
    const { values, positionals } = parseOptions(args, { ...common, from: { type: 'string' }, to: { type: 'string' } })
    const store = await openStore()
    const name = onlyArgument(positionals, 'template id or slug')
    const versions = await readVersions(store, name, await findOwner(store, values.owner))
    const newest = versions.at(-1)?.version ?? 1
    const to = countOption('--to', values.to) ?? newest
    const from = countOption('--from', values.from) ?? Math.max(1, to - 1)
    const [before, after] = [versionOf(versions, from), versionOf(versions, to)]
    const changed = comparedFiles.filter(([, textOf]) => textOf(before) !== textOf(after))
    for (const [file, textOf] of changed) {
      const [old, now] = [`${file} (version ${from})`, `${file} (version ${to})`]
      const patch = createTwoFilesPatch(old, now, textOf(before), textOf(after))
      print(values.json ? JSON.stringify({ file, from, to, patch }) : patch.trimEnd())
    }
    return changed.length > 0 ? exitFound : 0
  },
}

export const restoreTemplate: Command = {
  synopsis: '<id or slug> --version VERSION [--owner OWNER] [--json]',
  summary: 'make an older version of a template the newest again',
  details: [ownerDetail, 'The versions in between stay in the history. A deleted template is restored by its id.'],
  async run({ openStore, openBus, args, print }) {
    const { values, positionals } = parseOptions(args, { ...common, version: { type: 'string' } })
    const name = onlyArgument(positionals, 'template id or slug')
    const number = countOption('--version', values.version)
    if (number === undefined) throw new UsageError('--version is required')
    const store = await openStore()
    const versions = await readVersions(store, name, await findOwner(store, values.owner))
    const { id, ownerId } = versionOf(versions, number)
    const ifVersion = versions.at(-1)?.version ?? 1
    const result = await restoreVersion(await openBus(), { id, ownerId, version: number, ifVersion })
    const done =
      result.version === ifVersion
        ? `is the same as version ${number}`
        : `is version ${result.version} now, as version ${number} was`
    print(values.json ? JSON.stringify({ ...result, restored: number }) : `${id} ${done}`)
  },
}

export const pullTemplates: Command = {
  synopsis: '<folder> [<id or slug>…] [--version VERSION] [--owner OWNER] [--json]',
  summary: 'write templates to folders, named by slug, to edit them: the given ones, or all of the owner',
  details: [ownerDetail, folderDetail, partialsDetail],
  async run({ openStore, args, print }) {
    const { values, positionals } = parseOptions(args, { ...common, version: { type: 'string' } })
    const [folder, ...names] = positionals
    if (folder === undefined) throw new UsageError('expected a folder')
    const number = countOption('--version', values.version)
    if (number !== undefined && names.length !== 1) throw new UsageError('--version needs exactly one template')
    const store = await openStore()
    const ownerId = await findOwner(store, values.owner)
    const chosen: ActiveTemplate[] = names.length === 0 ? await readTemplates(store, ownerId) : []
    for (const name of names) {
      const versions = await readVersions(store, name, ownerId)
      chosen.push(versionOf(versions, number ?? versions.at(-1)?.version ?? 1))
    }
    for (const template of chosen) {
      const path = join(folder, template.slug)
      await writeTemplate(path, template)
      const { id, version } = template
      print(values.json ? JSON.stringify({ folder: path, id, version }) : `${path}  version ${version}`)
    }
    const used = new Set(chosen.flatMap(({ partials = {} }) => Object.keys(partials)))
    const all = await readPartials(store, ownerId)
    const partials = names.length === 0 ? all : all.filter(({ name }) => used.has(name))
    if (partials.length > 0) await writePartials(folder, partials)
    for (const { name, version } of partials) {
      const file = join(folder, '_partials', `${name}.html`)
      print(values.json ? JSON.stringify({ file, name, version }) : `${file}  version ${version}`)
    }
    if (!values.json && chosen.length === 0 && partials.length === 0) print('no templates')
  },
}

const pushOptions = { ...common, force: { type: 'boolean', default: false } } as const

export const pushTemplates: Command = {
  synopsis: '<folder> [--owner OWNER] [--force] [--json]',
  summary: 'create or update the template of a folder, or those of the folders in it',
  details: [
    ownerDetail,
    '--force  also if the template was changed since it was pulled',
    folderDetail,
    partialsDetail,
    'A template that uses a partial which was changed is saved again, so that it has the new version.',
  ],
  async run(context) {
    const { values, positionals } = parseOptions(context.args, pushOptions)
    const folder = resolve(onlyArgument(positionals, 'folder'))
    const { owner, force } = values
    const partials = await pushPartials(context, folder, { ownerId: await ownerOf(context, owner), force })
    for (const partial of partials) context.print(lineOfPartial(partial, values.json))
    const changed = namesOf(partials)
    for (const path of await templateFolders(folder)) {
      const result = await push(context, path, { owner, force, changed })
      context.print(lineOf(path, result, values.json))
    }
  },
}

export const watchTemplates: Command = {
  synopsis: '<folder> [--owner OWNER] [--force] [--json]',
  summary: 'push templates as soon as their files are saved, until Ctrl-C',
  details: [
    ownerDetail,
    folderDetail,
    'A template that is refused is reported, and pushed again when it is saved next.',
  ],
  async run(context) {
    const { print, note, signal, args } = context
    const { values, positionals } = parseOptions(args, pushOptions)
    const folder = resolve(onlyArgument(positionals, 'folder'))
    const ownerId = await ownerOf(context, values.owner)
    /** Until every template was tried with them. */
    const changed = new Set<string>()
    const pushAll = async () => {
      try {
        const partials = await pushPartials(context, folder, { ownerId, force: values.force })
        for (const partial of partials) print(lineOfPartial(partial, values.json))
        for (const name of namesOf(partials)) changed.add(name)
      } catch (err) {
        note(`${join(folder, '_partials')}: ${(err as Error).message}`)
      }
      for (const path of await templateFolders(folder)) {
        try {
          const result = await push(context, path, { ...values, changed })
          if (result.change !== 'unchanged') print(lineOf(path, result, values.json))
        } catch (err) {
          note(`${path}: ${(err as Error).message}`)
        }
      }
      changed.clear()
    }
    await pushAll()
    note(`watching ${folder}`)
    let pushing = Promise.resolve()
    let timer: NodeJS.Timeout | undefined
    using watcher = disposable(
      watch(folder, { recursive: true }, () => {
        // Editors save in several steps.
        clearTimeout(timer)
        timer = setTimeout(() => {
          pushing = pushing.then(pushAll)
        }, 100)
      }),
    )
    await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }))
    watcher.close()
    clearTimeout(timer)
    await pushing
  },
}

function withoutLarge(template: ActiveTemplate) {
  return Object.fromEntries(
    Object.entries(template).filter(([field]) => !(largeFields as readonly string[]).includes(field)),
  )
}

function disposable<Watcher extends { close(): void }>(watcher: Watcher): Watcher & Disposable {
  return Object.assign(watcher, { [Symbol.dispose]: () => watcher.close() })
}

interface Pushed {
  id: string
  version: number
  change: 'created' | 'updated' | 'unchanged'
}

const ownerOf = async ({ openStore }: CommandContext, owner: string) => findOwner(await openStore(), owner)
const namesOf = (partials: readonly PushedPartial[]) => new Set(partials.map(({ name }) => name))

function lineOfPartial(partial: PushedPartial, json: boolean): string {
  const { name, change, id, version } = partial
  return json ? JSON.stringify(partial) : `partial ${name}  ${change}  ${id}  version ${version}`
}

function lineOf(folder: string, pushed: Pushed, json: boolean): string {
  const { change, id, version } = pushed
  return json ? JSON.stringify({ folder, ...pushed }) : `${folder}  ${change}  ${id}  version ${version}`
}

async function push(
  { openStore, openBus }: CommandContext,
  folder: string,
  { owner, force, changed }: { owner: string; force: boolean; changed: ReadonlySet<string> },
): Promise<Pushed> {
  const store = await openStore()
  const ownerId = await findOwner(store, owner)
  const { origin, content } = await readTemplate(folder)
  if (origin.id === undefined) {
    const created = await createTemplate(await openBus(), ownerId, content)
    await writeOrigin(folder, { ...origin, ...created })
    return { ...created, change: 'created' }
  }
  const versions = await readVersions(store, origin.id, ownerId)
  const newest = versions.at(-1)?.version ?? 1
  const current = versionOf(versions, newest)
  const { id, version } = current
  const { partials = {}, assets: _, ...authored } = contentOf(current)
  const isPinnedAnew = Object.keys(partials).some((name) => changed.has(name))
  if (isDeepStrictEqual(authored, content) && !isPinnedAnew) return { id, version, change: 'unchanged' }
  if (!force && origin.version !== undefined && origin.version !== version) {
    throw new Error(
      `the template is at version ${version} and was pulled at ${origin.version}; pull it again, or add --force`,
    )
  }
  const updated = await updateTemplate(await openBus(), { id, ownerId, ifVersion: version }, content)
  await writeOrigin(folder, { ...origin, ...updated })
  return { ...updated, change: 'updated' }
}
