import { readFile } from 'node:fs/promises'
import t from 'tap'
import { sections, withSection } from './write-docs.ts'

for (const section of sections) {
  t.test(`the section ${section.name} of the docs is up to date`, async (t) => {
    const content = await readFile(section.page, 'utf8')
    t.equal(content, withSection(content, section), 'to update it, run npm run generate')
  })
}
