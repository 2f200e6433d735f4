import { copyFile, cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { fileOf, readPage } from './page.ts'

/**
 * Writes the pages, and what they link to, into a folder that VitePress reads: every Markdown file of docs/, and those of other
 * folders that a page links to.
 */
export async function stage(root: string, folder: string): Promise<void> {
  const isFile = (path: string) =>
    stat(join(root, path)).then(
      (found) => found.isFile(),
      () => false,
    )
  const markdown = (await readdir(join(root, 'docs'), { recursive: true })).filter((name) => name.endsWith('.md'))
  const waiting = markdown.map((name) => posix.join('docs', name))
  const done = new Set<string>()
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (done.has(path)) continue
    done.add(path)
    const target = join(folder, fileOf(path))
    await mkdir(dirname(target), { recursive: true })
    if (path.endsWith('.md')) {
      const { text, files } = await readPage({ path, source: await readFile(join(root, path), 'utf8'), isFile })
      await writeFile(target, text)
      waiting.push(...files)
    } else await copyFile(join(root, path), target)
  }
  // The AsyncAPI document refers to them.
  await cp(join(root, 'docs/schemas'), join(folder, 'public/schemas'), { recursive: true })
}
