import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isPartialName } from '@platen/domain/partial/partial.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { partialNames } from '@platen/templating/handlebars/scan.ts'
import type { Partial } from './library.ts'
import { fileText } from './template-folder.ts'

// The partials of an owner are files of one folder beside the folders of its templates. No slug begins with an underscore.

export const partialsFolder = '_partials'
/** The versions that were pulled or pushed last, by name. */
const versionsName = 'partials.json'
const extension = '.html'

export interface PartialFile {
  name: string
  html: string
  /** The version that it is based on. Absent for a new partial. */
  version?: number
}

export const partialPath = (folder: string, name: string): string => join(folder, partialsFolder, name + extension)

/** A file that exists. */
export async function readPartialFile(folder: string, name: string): Promise<PartialFile> {
  const { [name]: version } = await readVersions(folder)
  const html = await readFile(partialPath(folder, name), 'utf8')
  return { name, html, ...defined({ version }) }
}

export async function writePartials(folder: string, partials: readonly Partial[]): Promise<void> {
  await mkdir(join(folder, partialsFolder), { recursive: true })
  for (const { name, html } of partials) await writeFile(partialPath(folder, name), html)
  await recordVersions(folder, partials)
}

/** Remembers what the files are based on. */
export async function recordVersions(
  folder: string,
  partials: readonly { name: string; version: number }[],
): Promise<void> {
  const versions = {
    ...(await readVersions(folder)),
    ...Object.fromEntries(partials.map((one) => [one.name, one.version])),
  }
  await writeFile(join(folder, partialsFolder, versionsName), fileText(versions))
}

/**
 * The partials of the folder, each after the partials that it calls, unless they call each other in a circle. Throws
 * for a file that is no partial.
 */
export async function readPartialFiles(folder: string): Promise<PartialFile[]> {
  const path = join(folder, partialsFolder)
  if (!existsSync(path)) return []
  const versions = await readVersions(folder)
  const files = new Map<string, PartialFile>()
  for (const file of (await readdir(path)).filter((one) => one.endsWith(extension)).sort()) {
    const name = file.slice(0, -extension.length)
    if (!isPartialName(name)) throw new Error(`${join(path, file)}: ${name} cannot be the name of a partial`)
    const version = versions[name]
    const html = await readFile(partialPath(folder, name), 'utf8')
    files.set(name, { name, html, ...defined({ version }) })
  }
  const ordered = new Set<PartialFile>()
  const visit = (file: PartialFile | undefined, callers: readonly string[]) => {
    if (!file || ordered.has(file) || callers.includes(file.name)) return
    for (const called of partialNames(file.html)) visit(files.get(called), [...callers, file.name])
    ordered.add(file)
  }
  for (const file of files.values()) visit(file, [])
  return [...ordered]
}

async function readVersions(folder: string): Promise<Record<string, number>> {
  const path = join(folder, partialsFolder, versionsName)
  return existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : {}
}
