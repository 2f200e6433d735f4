import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuthoredContent } from './change-template.ts'
import type { ActiveTemplate } from './read-templates.ts'
import { fileText, templateFiles } from './template-files.ts'

// A template is a folder with the files of `templateFiles`, of which only `template.html` must exist, and `template.json`, which
// says where it is from.

/** The content of `template.json`. Without an id the template is new. */
export interface Origin {
  id?: string
  name: string
  /** The version that was pulled or pushed last. */
  version?: number
  follow_partials?: boolean
}

const htmlName = 'template.html'
const originName = 'template.json'

/** Files of fields that the template does not have are removed. */
export async function writeTemplate(folder: string, template: ActiveTemplate) {
  await mkdir(folder, { recursive: true })
  for (const [field, file] of templateFiles) {
    const path = join(folder, file)
    if (template[field] === undefined) await rm(path, { force: true })
    else await writeFile(path, fileText(template[field]))
  }
  const { id, name, version, follow_partials } = template
  await writeOrigin(folder, { id, name, version, ...(follow_partials !== undefined && { follow_partials }) })
}

export const writeOrigin = (folder: string, origin: Origin) => writeFile(join(folder, originName), fileText(origin))

/** Throws with the name of the file that cannot be used. */
export async function readTemplate(folder: string): Promise<{ origin: Origin; content: AuthoredContent }> {
  const origin = ((await readJson(join(folder, originName))) as Origin | undefined) ?? { name: nameOf(folder) }
  const { name, follow_partials } = origin
  const fields = await Promise.all(
    templateFiles.map(async ([field, file]) => {
      const path = join(folder, file)
      const isText = field.endsWith('html')
      if (!existsSync(path)) return []
      return [[field, isText ? await readFile(path, 'utf8') : await readJson(path)]] as const
    }),
  )
  const { html, sample_data = {}, ...rest } = Object.fromEntries(fields.flat()) as Partial<AuthoredContent>
  const follows = follow_partials === undefined ? {} : { follow_partials }
  return { origin, content: { name, html: html ?? '', sample_data, ...rest, ...follows } }
}

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
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (err) {
    throw new Error(`${path} is not JSON: ${(err as Error).message}`, { cause: err })
  }
}

const nameOf = (folder: string) => folder.split('/').findLast((part) => part !== '') ?? folder
