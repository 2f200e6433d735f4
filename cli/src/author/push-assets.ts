import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { isAssetName } from '@platen/domain/asset/asset-name.ts'
import { defineCommand, one } from '../frame/command.ts'
import { dryRun } from '../frame/options.ts'
import { openLibrary, ownerOption } from './library.ts'

/** The extensions of assets. Other files of a package are left out. */
const pushed = /\.(?:png|jpe?g|gif|webp|avif|svg|woff2?|ttf|otf|ttc|otc|css|m?js)$/i

export const pushAssets = defineCommand({
  name: 'assets push',
  argument: one('folder'),
  summary: 'upload the pictures, fonts, style sheets and scripts of a folder and of the folders in it',
  options: {
    into: { value: 'FOLDER', about: 'the folder of the names, such as katex for katex/fonts/a.woff2 (default: none)' },
    ...ownerOption,
    ...dryRun,
  },
  notes: [
    'An asset is named by its path in the folder, so that a package of npm works as it is: style sheets and modules find by',
    'relative URLs what lies beside them. Other files, hidden files and node_modules are left out. An asset that has the same',
    'bytes already is not sent. Nothing is deleted.',
  ],
  async run({ env, print, note }, { argument, into, owner, json, 'dry-run': isDryRun }) {
    const folder = resolve(argument)
    const library = await openLibrary(env, owner)
    const prefix = into === undefined ? '' : `${into.replace(/\/+$/, '')}/`
    const { files, others } = await filesOf(folder)
    if (files.length === 0) throw new Error(`${folder} has no file that can be an asset`)
    const named = files.map((path) => ({ path, name: prefix + relative(folder, path) }))
    const wrong = named.find(({ name }) => !isAssetName(name))
    if (wrong) throw new Error(`${wrong.path}: ${wrong.name} cannot be the name of an asset. Nothing was sent`)
    const stored = new Map((await library.assets()).map(({ name, sha256 }) => [name, sha256]))
    const done = { created: 0, updated: 0, unchanged: 0 }
    for (const { path, name } of named) {
      const bytes = await readFile(path)
      const before = stored.get(name)
      const isSame = before === createHash('sha256').update(bytes).digest('hex')
      const change = isSame ? 'unchanged' : before === undefined ? 'created' : 'updated'
      done[change]++
      if (isSame) continue
      if (!isDryRun) {
        await library.putAsset(name, bytes).catch((err: Error) => {
          throw new Error(`${path}: ${err.message}`, { cause: err })
        })
      }
      print(
        json
          ? JSON.stringify({ name, bytes: bytes.length, change, ...(isDryRun && { dry_run: true }) })
          : `${name}  ${isDryRun ? 'would be ' : ''}${change}  ${bytes.length} bytes`,
      )
    }
    const { created, updated, unchanged } = done
    note(`${created} created, ${updated} updated, ${unchanged} unchanged, ${others} files left out`)
  },
})

/** Sorted by path. `others`: how many files are left out. */
async function filesOf(folder: string): Promise<{ files: string[]; others: number }> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => {
    throw new Error(`there is no folder ${folder}`)
  })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const isHidden = (path: string) => /(?:^|\/)(?:\.|node_modules\/)/.test(relative(folder, path))
  const files = paths.filter((path) => pushed.test(path) && !isHidden(path))
  return { files: files.sort(), others: paths.length - files.length }
}
