import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const pages = ['README.md', 'docs/operations.md']

/** The names in the first cells of the tables of settings. */
export function documentedSettings(): Set<string> {
  const texts = pages.map((page) => readFileSync(fileURLToPath(new URL(`../../${page}`, import.meta.url)), 'utf8'))
  // Tables of settings only have names in capitals in their first cells, and codes of errors have another column.
  const cells = texts.join('\n').matchAll(/^\| (`[A-Z][A-Z_]+`(?:, `[A-Z…][A-Z_]+`)*) \|.*\|.*\|$/gm)
  const names = [...cells].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name),
  )
  return new Set(names)
}
