import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isUpToDate } from '@platen/test-support/up-to-date.ts'
import t from 'tap'
import { sections, sources, withSection } from './write-docs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const shown = (path: string) => relative(root, path)

for (const section of sections) {
  t.test(`the section ${section.name} of the docs is up to date`, async (t) => {
    const content = await readFile(section.page, 'utf8')
    isUpToDate(t, shown(section.page), withSection(content, section))
    t.same(
      content.split('\n').filter((line) => line.length > 160 && section.text.includes(line)),
      [],
      'lines of at most 160 characters',
    )
  })
}

for (const { path, text } of sources) {
  t.test(`${shown(path)} is up to date`, async (t) => {
    isUpToDate(t, shown(path), text)
  })
}
