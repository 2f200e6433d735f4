import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build } from 'vitepress'
import { isCurrent, publishFolder, removeAllBut } from './publish-folder.ts'
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

/** What a killed build left is removed by the next one. */
async function main(folder: string): Promise<void> {
  const part = join(folder, `part-${randomBytes(6).toString('hex')}`)
  const [pages, out] = [join(part, 'pages'), join(part, 'out')]
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    if (name.startsWith('part-')) await rm(join(folder, name), { recursive: true, force: true })
  }
  await mkdir(pages, { recursive: true })
  await stage(root, pages)
  const hash = await hashOf(pages)
  if (!(await isCurrent(folder, hash))) {
    await configure(pages)
    await build(pages, { outDir: out })
    await publishFolder(folder, { built: out, hash })
  }
  await removeAllBut(folder, hash)
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
