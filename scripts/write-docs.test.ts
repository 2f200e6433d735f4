import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import t from 'tap'
import { sections, sources, withSection } from './write-docs.ts'

const shown = (path: string) => relative(process.cwd(), path)

for (const section of sections) {
  t.test(`the section ${section.name} of the docs is up to date`, async (t) => {
    const content = await readFile(section.page, 'utf8')
    const isUpToDate = content === withSection(content, section)
    if (!isUpToDate)
      t.fail(`${shown(section.page)}: the section ${section.name} is not up to date; run npm run generate`)
    t.same(
      content.split('\n').filter((line) => line.length > 160 && section.text.includes(line)),
      [],
      'lines of at most 160 characters',
    )
  })
}

for (const { path, text } of sources) {
  t.test(`${shown(path)} is up to date`, async (t) => {
    if ((await readFile(path, 'utf8')) !== text) t.fail(`${shown(path)} is not up to date; run npm run generate`)
  })
}
