import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '@platen/shared/contracts/json.ts'
import type { TemplateContent } from './change-template.ts'
import type { ActiveTemplate } from './read-templates.ts'

// A template is a folder with `template.html`, `data.json` (its sample data) and `template.json`, which says where it is from.

/** The content of `template.json`. Without an id the template is new. */
export interface Origin {
  id?: string
  name: string
  /** The version that was pulled or pushed last. */
  version?: number
}

const htmlName = 'template.html'
const dataName = 'data.json'
const originName = 'template.json'

export async function writeTemplate(folder: string, { id, name, version, html, sample_data }: ActiveTemplate) {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, htmlName), html)
  await writeFile(join(folder, dataName), json(sample_data))
  await writeOrigin(folder, { id, name, version })
}

export const writeOrigin = (folder: string, origin: Origin) => writeFile(join(folder, originName), json(origin))

/** Throws with the name of the file that cannot be used. */
export async function readTemplate(folder: string): Promise<{ origin: Origin; content: TemplateContent }> {
  const html = await readFile(join(folder, htmlName), 'utf8')
  const sample_data = (await readJson(join(folder, dataName))) as JsonObject | undefined
  const origin = ((await readJson(join(folder, originName))) as Origin | undefined) ?? { name: nameOf(folder) }
  return { origin, content: { name: origin.name, html, sample_data: sample_data ?? {} } }
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

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`
const nameOf = (folder: string) => folder.split('/').findLast((part) => part !== '') ?? folder
