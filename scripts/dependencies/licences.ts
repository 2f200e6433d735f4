import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An npm package in node_modules. */
export interface Installed {
  name: string
  version: string
  /** An SPDX expression (https://spdx.github.io/spdx-spec/v2.3/SPDX-license-expressions/); empty if its package.json has none. */
  licence: string
}

/** Licences that ask for a notice at most; OFL-1.1 is one of fonts. */
const allowed = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Zlib'],
  ...['CC0-1.0', 'Unlicense', 'Python-2.0', 'PSF-2.0', 'OFL-1.1'],
])

/** Packages with another licence, or without one in their package.json. None of them is in what is released. */
const named: Readonly<Record<string, string>> = {
  // Runs in the browser of tests.
  'axe-core': 'MPL-2.0',
  // Brought by mermaid, whose charts tests print.
  elkjs: 'EPL-2.0 OR GPL-3.0-or-later',
  khroma: '',
  // Brought by tap.
  'jsonc-simple-parser': '',
  'spdx-exceptions': 'CC-BY-3.0',
}

/** One line for each package whose licence is not allowed. */
export function licenceProblems(installed: readonly Installed[]): string[] {
  return installed
    .filter(({ name, licence }) => !isAllowed(licence) && named[name] !== licence)
    .map(({ name, version, licence }) => {
      const shown = licence === '' ? 'no licence in its package.json' : `the licence ${licence}`
      return `${name}@${version} has ${shown}, which scripts/dependencies/licences.ts does not allow`
    })
}

/** `A OR B` needs one that is allowed, `A AND B` needs both. An expression with both operators is not allowed. */
export function isAllowed(licence: string): boolean {
  const terms = licence.replaceAll(/[()]/g, '')
  const choices = terms.split(' OR ')
  if (choices.length > 1) return !terms.includes(' AND ') && choices.some((one) => allowed.has(one))
  return terms.split(' AND ').every((one) => allowed.has(one))
}

/** Every package that pnpm has installed, direct or not. */
export function readInstalled(root: string): Installed[] {
  const store = join(root, 'node_modules/.pnpm')
  return readdirSync(store).flatMap((folder) => {
    const modules = join(store, folder, 'node_modules')
    if (!existsSync(modules)) return []
    const names = readdirSync(modules).flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((rest) => `${name}/${rest}`) : [name],
    )
    // A link leads to the folder of another package.
    const own = names.map((name) => join(modules, name)).filter((path) => !lstatSync(path).isSymbolicLink())
    return own.filter((path) => existsSync(join(path, 'package.json'))).map(readPackage)
  })
}

function readPackage(folder: string): Installed {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  // Before SPDX expressions, `license` was an object, and `licenses` a list of them.
  const licence = license?.type ?? license ?? licenses?.[0]?.type ?? ''
  return { name, version, licence }
}
