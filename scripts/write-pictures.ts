import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { components } from '@platen/client'
import { startPlaten } from '@platen/test-support/platen.ts'
import { pictureOf } from '../cli/src/author/page-pictures.ts'
import { root } from '../test/docs/code-blocks.ts'
import { type GuideExample, guideExamples, hashesPath, previewOf, sourceHash } from '../test/docs/guide-examples.ts'

// Makes the pictures of the examples in docs/guides and docs/start, with the preview of Platen. test/docs/guide-examples.test.ts
// says when an example has changed since.

const widthPx = 480
const examples = guideExamples()
const folder = dirname(hashesPath)
await mkdir(folder, { recursive: true })
for (const name of await readdir(folder)) if (name.endsWith('.png')) await rm(join(folder, name))

await using platen = await startPlaten()
for (const example of examples) {
  const { from } = example
  for (const { page, path } of example.pictures) {
    if (from !== undefined) {
      await writeFile(join(root, path), await differenceOf({ ...example, from }, page))
      console.log(path)
      continue
    }
    const body = { ...previewOf(example), format: 'png', page, width: widthPx }
    const response = await platen.request('/v1/preview', { body })
    if (response.status !== 200) throw new Error(`${example.page}, ${example.name}: ${await response.text()}`)
    await writeFile(join(root, path), await response.bytes())
    console.log(path, response.headers.get('x-preview-warnings') ?? '')
  }
}
const hashes = Object.fromEntries(examples.map((example) => [example.name, sourceHash(example)]))
await writeFile(hashesPath, `${JSON.stringify(hashes, null, 2)}\n`)

/** A page of the example beside that of its earlier source, with frames around what differs. */
async function differenceOf({ name, html, data, options, from }: GuideExample & { from: string }, page: number) {
  const compared = `/v1/templates/${name}/compare?pages=true&images=true`
  const earlier = { name, slug: name, html: from, sample_data: data, options }
  await platen.json('/v1/templates', { body: earlier })
  await platen.json(`/v1/templates/${name}`, { method: 'PATCH', body: { html } })
  const { status, body } = await platen.json<components['schemas']['TemplateComparison']>(compared)
  const difference = body.pages?.[page - 1]
  const picture = difference && pictureOf(difference)
  if (!picture) throw new Error(`${name}: ${status}, page ${page} has no difference`)
  return picture
}
