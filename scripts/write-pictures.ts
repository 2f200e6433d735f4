import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startPlaten } from '@platen/test-support/platen.ts'
import { root } from '../test/docs/code-blocks.ts'
import { guideExamples, hashesPath, previewOf, sourceHash } from '../test/docs/guide-examples.ts'

// Makes the pictures of the examples in docs/guides and docs/start, with the preview of Platen. test/docs/guide-examples.test.ts
// says when an example has changed since.

const widthPx = 480
const examples = guideExamples()
const folder = dirname(hashesPath)
await mkdir(folder, { recursive: true })
for (const name of await readdir(folder)) if (name.endsWith('.png')) await rm(join(folder, name))

await using platen = await startPlaten()
for (const example of examples) {
  for (const { page, path } of example.pictures) {
    const body = { ...previewOf(example), format: 'png', page, width: widthPx }
    const response = await platen.request('/v1/preview', { body })
    if (response.status !== 200) throw new Error(`${example.page}, ${example.name}: ${await response.text()}`)
    await writeFile(join(root, path), await response.bytes())
    console.log(path, response.headers.get('x-preview-warnings') ?? '')
  }
}
const hashes = Object.fromEntries(examples.map((example) => [example.name, sourceHash(example)]))
await writeFile(hashesPath, `${JSON.stringify(hashes, null, 2)}\n`)
