import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defined } from '@platen/foundation/json/defined.ts'
import { type Content, parseContent, type Template } from './library.ts'

// A template is a folder with the files of `files`, of which only `template.html` must exist, and `template.json`, which
// says where it is from.

/** The content of `template.json`. */
export interface Origin {
  /** Default: made of the name of the folder. */
  slug?: string
  name: string
  /** The id and version of the template when it was last pulled or pushed. */
  id?: string
  version?: number
  follow_partials?: boolean
  retain_input?: number
}

export const folderNotes = [
  'A template is a folder with template.html, data.json (its sample data), and if it has them header.html, footer.html,',
  'options.json, schema.json, samples.json, translations.json and helpers.js (its own helpers). template.json has its slug (by default the name of the folder), name, id and version.',
  'The folder _partials beside them has the partials that they use, such as letterhead.html; partials.json has their versions.',
]

/** The fields of a template that are files of its folder. */
const files = [
  ['html', 'template.html'],
  ['header_html', 'header.html'],
  ['footer_html', 'footer.html'],
  ['sample_data', 'data.json'],
  ['options', 'options.json'],
  ['data_schema', 'schema.json'],
  ['samples', 'samples.json'],
  ['translations', 'translations.json'],
  ['helpers', 'helpers.js'],
] as const satisfies readonly [field: keyof Content, file: string][]

/** The locked versions of a version, as files of a diff. */
const pins = [
  ['partials', 'partials.json'],
  ['assets', 'assets.json'],
] as const satisfies readonly [field: keyof Template, file: string][]

/** The fields that a diff compares, by file: everything that belongs to a version. */
export const comparedFiles: readonly (readonly [file: string, textOf: (template: Template) => string])[] = [
  ['name', ({ name }) => `${name}\n`],
  ...[...files, ...pins].map(([field, file]) => [file, (template: Template) => fileText(template[field])] as const),
  ['follow_partials', ({ follow_partials }) => (follow_partials === undefined ? '' : `${follow_partials}\n`)],
  ['retain_input', ({ retain_input }) => (retain_input === undefined ? '' : `${retain_input}\n`)],
]

/** Empty for an absent field. */
export function fileText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`
}

const htmlName = 'template.html'
const originName = 'template.json'

/** Files of fields that the template does not have are removed. */
export async function writeTemplate(folder: string, template: Template) {
  await mkdir(folder, { recursive: true })
  for (const [field, file] of files) {
    const path = join(folder, file)
    if (template[field] === undefined) await rm(path, { force: true })
    else await writeFile(path, fileText(template[field]))
  }
  const { id, name, slug, version } = template
  await writeOrigin(folder, { slug, name, id, version, ...smallFields(template) })
}

/** The fields of a template that `template.json` has. */
function smallFields({ follow_partials, retain_input }: Pick<Origin, 'follow_partials' | 'retain_input'>) {
  return {
    ...defined({ follow_partials, retain_input }),
  }
}

export const writeOrigin = (folder: string, origin: Origin) => writeFile(join(folder, originName), fileText(origin))

/** Throws with the name of the file that cannot be used. */
export async function readTemplate(folder: string): Promise<{ origin: Origin; content: Content }> {
  const origin = ((await readJson(join(folder, originName))) as Origin | undefined) ?? { name: nameOf(folder) }
  const { name } = origin
  const fields = await Promise.all(
    files.map(async ([field, file]) => {
      const path = join(folder, file)
      const isText = !file.endsWith('.json')
      if (!existsSync(path)) return []
      return [[field, isText ? await readFile(path, 'utf8') : await readJson(path)]] as const
    }),
  )
  const { html, sample_data = {}, ...rest } = Object.fromEntries(fields.flat()) as Partial<Content>
  return { origin, content: { name, html: html ?? '', sample_data, ...rest, ...smallFields(origin) } }
}

export const hasTemplate = (folder: string): boolean =>
  [htmlName, originName].some((name) => existsSync(join(folder, name)))

/** The folder itself, or the folders in it, that have a `template.html`. */
export async function templateFolders(folder: string): Promise<string[]> {
  if (existsSync(join(folder, htmlName))) return [folder]
  const names = await readdir(folder).catch(() => {
    throw new Error(`there is no folder ${folder}`)
  })
  const found = names.map((name) => join(folder, name)).filter((path) => existsSync(join(path, htmlName)))
  if (found.length === 0) throw new Error(`neither ${folder} nor a folder in it has a ${htmlName}`)
  return found.sort()
}

async function readJson(path: string): Promise<unknown> {
  if (!existsSync(path)) return undefined
  try {
    return parseContent(await readFile(path, 'utf8'))
  } catch (err) {
    throw new Error(`${path} is not JSON: ${(err as Error).message}`, { cause: err })
  }
}

const nameOf = (folder: string) => folder.split('/').findLast((part) => part !== '') ?? folder
