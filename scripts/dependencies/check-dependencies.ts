import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Installed, licenceProblems, readInstalled } from './licences.ts'
import { type Dependency, readDependencies } from './manifests.ts'

export const listPage = 'docs/reference/dependencies.md'
export const policyPage = 'docs/understand/dependencies.md'

/** A package in a table of the list. */
export interface Row {
  name: string
  licence: string
  /** Downloads and maintainer: `2 M, nats-io`, or where it comes from: `PyPI, encode`. */
  health: string
  isWatched: boolean
}

/** The packages of `| \`a\`, \`b\` | licence | health | why |`. */
export function rowsOf(page: string): Row[] {
  return [...page.matchAll(/^\| (`.+?) \| (.+?) \| (.+?) \| .+ \|$/gm)].flatMap(
    ([, names = '', licence = '', health = '']) =>
      namesOf(names).map((name) => ({ name, licence, health, isWatched: health.endsWith('(watched)') })),
  )
}

/** The packages of the table of those that are watched. */
export function watchedOf(policy: string): string[] {
  const [, table = ''] = policy.split('\n## Watched\n')
  return [...table.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, names = '']) => namesOf(names))
}

const namesOf = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** One line for each dependency, row and licence that do not agree. */
export function listProblems(
  dependencies: readonly Dependency[],
  { rows, watched, installed }: { rows: readonly Row[]; watched: readonly string[]; installed: readonly Installed[] },
): string[] {
  const listed = new Set(rows.map(({ name }) => name))
  const used = new Set(dependencies.map(({ name }) => name))
  const missing = dependencies.filter(({ name }) => !listed.has(name))
  // Of a package with several versions, one has the licence.
  const wrong = rows.filter(({ name, licence }) => {
    const found = installed.filter((one) => one.name === name)
    return found.length > 0 && !found.some((one) => one.licence === licence)
  })
  return [
    ...missing.map(
      ({ name, file }) => `${file}: add a row for ${name} to ${listPage}: its licence, and why it is here`,
    ),
    ...rows
      .filter(({ health }) => !/^(?:[\d.]+ [kM]|npm|PyPI|Go), \S/.test(health))
      .map(({ name, health }) => `${listPage}: ${name} needs its downloads and its maintainer, not "${health}"`),
    ...rows.filter(({ name }) => !used.has(name)).map(({ name }) => `${listPage}: remove ${name}, which no file names`),
    ...wrong.map(({ name, licence }) => `${listPage}: ${name} has another licence than ${licence}`),
    ...rows
      .filter(({ name, isWatched }) => isWatched !== watched.includes(name))
      .map(({ name }) => `${listPage} and ${policyPage}: ${name} is watched in one of them only`),
    ...watched.filter((name) => !listed.has(name)).map((name) => `${policyPage}: remove ${name}, which is not listed`),
  ]
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const installed = readInstalled(root)
  const lists = { rows: rowsOf(read(listPage)), watched: watchedOf(read(policyPage)), installed }
  const problems = [...listProblems(readDependencies(root), lists), ...licenceProblems(installed)]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
