import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './commit.ts'
import type { Release } from './release.ts'

/** The section of a version in a changelog (https://keepachangelog.com/en/1.1.0/), without its heading. */
export function sectionOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## (?=\[)/m).slice(1)
  const found = sections.find((section) => section.startsWith(`[${version}]`))
  return found?.slice(found.indexOf('\n') + 1).trim()
}

/** Writes CHANGES.md: the section of the version, or what is not released yet. */
export async function buildChanges({ out, version }: Release): Promise<void> {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  const section = sectionOf(changelog, version) ?? sectionOf(changelog, 'Unreleased')
  if (!section) throw new Error('CHANGELOG.md has no section [Unreleased]')
  await writeFile(join(out, 'CHANGES.md'), `# Platen ${version}\n\n${section}\n`)
}

/** Why a tag cannot be released. */
export async function problemsOfTag(tag: string, version: string): Promise<string[]> {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  // Later versions are tested with what this one stores.
  const recorded = `test/upgrades/recorded/${version}/release.json`
  return [
    ...(tag === `v${version}` ? [] : [`the tag ${tag} is not v${version}, the version of package.json`]),
    ...(sectionOf(changelog, version) ? [] : [`CHANGELOG.md has no section ## [${version}]`]),
    ...(existsSync(join(root, recorded)) ? [] : [`there is no ${recorded}: npm run release -- --record`]),
  ]
}
