import { createTwoFilesPatch } from 'diff'
import { defineCommand, exitFound, one } from '../frame/command.ts'
import { UsageError } from '../frame/options.ts'
import { diffPages } from './diff-pages.ts'
import { ifFound, openLibrary, ownerOption, type TemplateLibrary } from './library.ts'
import { comparedFiles } from './template-folder.ts'

/** Longer than any gateway lets a synchronous request take. */
const pagesTimeoutMs = 600_000

export const diffTemplate = defineCommand({
  name: 'templates diff',
  argument: one('id or slug'),
  summary:
    'print the differences between two versions of a template, by default the last two: of its files as a patch, or of its printed pages',
  options: {
    from: { value: 'VERSION', about: 'the older version, or its label (default: the one before --to)' },
    to: { value: 'VERSION', about: 'the newer version, or its label (default: the newest)' },
    pages: { about: 'prints both versions with the same data, and lists their pages: same, changed, added or removed' },
    data: { value: 'FILE', about: 'of pages: the data, as JSON (default: the sample data of the newer version)' },
    threshold: {
      value: 'SHARE',
      about: 'of pages: the share of the pixels of a page that may differ, from 0 to 1 (default 0)',
      read: readShare,
    },
    out: {
      value: 'FOLDER',
      about: 'of pages: writes a picture of each that is not the same, with boxes, to the folder',
    },
    ...ownerOption,
  },
  notes: [
    'Exits with 1 if there are differences, and with 2 if it has failed. With --pages, it exits with 1 if a page differs by more than',
    '--threshold: the share of a page that was added or removed is 1. It needs a key with the scopes templates:read and generate.',
  ],
  exitFailed: 2,
  async run(context, { argument, pages, ...given }) {
    const { data, threshold, out, json, owner, ...versions } = given
    for (const [name, value] of Object.entries({ data, threshold, out })) {
      if (!pages && value !== undefined) throw new UsageError(`--${name} needs --pages`)
    }
    const library = await openLibrary(context.env, owner, pages ? { timeoutMs: pagesTimeoutMs } : {})
    const differs = pages
      ? await diffPages(library, context, {
          template: argument,
          ...versions,
          data,
          threshold: threshold ?? 0,
          out,
          json,
        })
      : await diffFiles(library, context, { template: argument, ...versions, json })
    return differs ? exitFound : 0
  },
})

function readShare(text: string, option: string): number {
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (share >= 0 && share <= 1) return share
  throw new UsageError(`${option} must be a number from 0 to 1, such as 0.001 for a thousandth of the page`)
}

interface Files {
  template: string
  from: string | undefined
  to: string | undefined
  json: boolean
}

/** Prints a patch of each file that differs, and returns whether there is one. */
async function diffFiles(
  library: TemplateLibrary,
  { print }: { print: (line: string) => void },
  { template, json, ...given }: Files,
): Promise<boolean> {
  const after = await library.template(template, await versionOf(library, template, given.to))
  const asked = await versionOf(library, template, given.from)
  const before = asked === undefined ? await versionBefore(library, after) : await library.template(template, asked)
  const [from, to] = [before.version, after.version]
  const changed = comparedFiles.filter(([, textOf]) => textOf(before) !== textOf(after))
  for (const [file, textOf] of changed) {
    const [old, now] = [`${file} (version ${from})`, `${file} (version ${to})`]
    const patch = createTwoFilesPatch(old, now, textOf(before), textOf(after))
    print(json ? JSON.stringify({ file, from, to, patch }) : patch.trimEnd())
  }
  return changed.length > 0
}

type Template = Awaited<ReturnType<TemplateLibrary['template']>>

/** Before a version that restored a deleted template there is the deletion, which has no content. Before the first, there is none. */
async function versionBefore(library: TemplateLibrary, { id, version }: Template): Promise<Template> {
  const before = version > 2 ? await ifFound(library.template(id, version - 1)) : undefined
  return before ?? library.template(id, version > 2 ? version - 2 : 1)
}

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
