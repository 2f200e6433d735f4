import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** The files that the gateway serves. It reads these and their compressed forms only. */
export interface SiteFiles {
  /** The hash of each file, by its path. */
  files: Record<string, string>
  /** The hashes of the scripts inside of pages, for the policy of the site. */
  scripts: string[]
}

export async function listFiles(folder: string): Promise<SiteFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files: Record<string, string> = {}
  const scripts = new Set<string>()
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const path = join(parentPath, name)
    const content = await readFile(path)
    files[relative(folder, path)] = sha256(content, 'base64url').slice(0, 22)
    if (!name.endsWith('.html')) continue
    for (const [, script = ''] of content.toString().matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs)) {
      scripts.add(`'sha256-${sha256(script, 'base64')}'`)
    }
  }
  return { files, scripts: [...scripts].sort() }
}

const sha256 = (content: string | Buffer, encoding: 'base64' | 'base64url') =>
  createHash('sha256').update(content).digest(encoding)
