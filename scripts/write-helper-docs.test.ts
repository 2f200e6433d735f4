import { readFile } from 'node:fs/promises'
import t from 'tap'
import { page, withHelpers } from './write-helper-docs.ts'

t.test('docs/templates.md lists the helpers as they are', async (t) => {
  const text = await readFile(page, 'utf8')
  t.equal(text, withHelpers(text), 'else run: node scripts/write-helper-docs.ts')
})
