import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startPlaten } from '../support/platen.ts'
import { root } from './code-blocks.ts'
import { guideExamples, hashesPath, previewOf, sourceHash } from './guide-examples.ts'

const examples = guideExamples()
const mostBytes = 60 * 1024

t.test('the examples of the guides are printed as they are, without a warning', async (t) => {
  await using platen = await startPlaten()
  t.ok(examples.length >= 10)
  for (const example of examples) {
    const response = await platen.request('/v1/preview', { body: previewOf(example) })
    const { name, page, pictures } = example
    if (response.status !== 200) t.fail(`${page}, ${name}: ${await response.text()}`)
    t.equal(response.headers.get('x-preview-warnings') ?? '[]', '[]', `${page}, ${name}`)
    const pages = Number(response.headers.get('x-preview-pages'))
    for (const picture of pictures) t.ok(picture.page <= pages, `${page}: ${name} has page ${picture.page}`)
    await response.body?.cancel()
  }
})

t.test('each example is shown by small pictures that were made of it', async (t) => {
  const hashes = JSON.parse(readFileSync(hashesPath, 'utf8'))
  for (const example of examples) {
    const { page, name, pictures } = example
    t.ok(pictures.length > 0, `${page}: show ${name} as ../pictures/guides/${name}-1.png`)
    t.equal(hashes[name], sourceHash(example), `${page}: ${name} has changed: node scripts/write-pictures.ts`)
    for (const { path } of pictures) {
      const size = statSync(join(root, path), { throwIfNoEntry: false })?.size ?? 0
      t.ok(
        size > 0 && size <= mostBytes,
        `${path} has ${size} bytes, at most ${mostBytes}: node scripts/write-pictures.ts`,
      )
    }
  }
  t.equal(new Set(examples.map(({ name }) => name)).size, examples.length, 'names are unique')
})
