import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build } from 'vitepress'
import { compressFiles } from './compress-files.ts'
import { listFiles } from './list-files.ts'
import { stage } from './stage.ts'

// Builds the site of the documentation: node site/src/main.ts <folder>. It does nothing if the folder has the site of these pages.

const root = join(import.meta.dirname, '../..')

/** Hash of all sources of the site. */
async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const place of [folder, import.meta.dirname, join(import.meta.dirname, '../package.json')]) {
    const entries = place.endsWith('.json') ? [] : await readdir(place, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    for (const file of place.endsWith('.json') ? [place] : files.sort()) {
      hash
        .update(`${file.slice(place.length)}\0`)
        .update(await readFile(file))
        .update('\0')
    }
  }
  return hash.digest('hex').slice(0, 16)
}

/** VitePress reads its configuration and theme from files beside the pages. */
async function configure(folder: string): Promise<void> {
  const own = JSON.stringify(import.meta.dirname)
  const files = {
    'config.ts': `import { siteConfig } from ${own.replace(/"$/, '/config.ts"')}
export default siteConfig(${JSON.stringify(root)})
`,
    // A function in the configuration would be evaluated in the page, which the policy of the site does not allow.
    'theme/index.ts': `import theme from 'vitepress/theme-without-fonts'
import { fuzzy, weightOf } from ${own.replace(/"$/, '/search-weights.ts"')}
import { queryWords } from ${own.replace(/"$/, '/search-words.ts"')}
import ${own.replace(/"$/, '/theme.css"')}
export default {
  extends: theme,
  enhanceApp({ siteData }) {
    const searchOptions = { boostDocument: weightOf, fuzzy, tokenize: queryWords }
    siteData.value.themeConfig.search.options = { miniSearch: { searchOptions } }
  },
}
`,
  }
  await mkdir(join(folder, '.vitepress/theme'), { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, '.vitepress', name), text)
  await symlink(join(root, 'site/node_modules'), join(folder, 'node_modules'))
}

/**
 * `<folder>/current` leads to the last site that was completed. It is replaced by a rename, so that a kill at any time leaves the
 * site as it was. What a killed build left is removed by the next one.
 */
async function main(folder: string): Promise<void> {
  const part = join(folder, `part-${randomBytes(6).toString('hex')}`)
  const [pages, out, link] = [join(part, 'pages'), join(part, 'out'), join(part, 'current')]
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    if (name.startsWith('part-')) await rm(join(folder, name), { recursive: true, force: true })
  }
  await mkdir(pages, { recursive: true })
  await stage(root, pages)
  const hash = await hashOf(pages)
  const current = join(folder, 'current')
  if ((await readlink(current).catch(() => '')) !== hash) {
    if (!existsSync(join(folder, hash))) {
      await configure(pages)
      await build(pages, { outDir: out })
      const listed = await listFiles(out)
      const compressed = await compressFiles(out, Object.keys(listed.files))
      await writeFile(join(out, 'site.json'), JSON.stringify({ ...listed, compressed }))
      await rename(out, join(folder, hash))
    }
    await symlink(hash, link)
    await rename(link, current)
  }
  for (const name of await readdir(folder)) {
    if (name !== 'current' && name !== hash) await rm(join(folder, name), { recursive: true, force: true })
  }
}

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: node site/src/main.ts <folder>')
  process.exit(2)
}
if (process.connected) {
  // As a child of Platen, it ends together with its parent, and is killed first if memory is short.
  process.on('disconnect', () => process.exit(1))
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})
}
await main(resolve(folder))
process.exit(0)
