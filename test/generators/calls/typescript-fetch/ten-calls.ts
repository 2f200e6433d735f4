import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { AssetsApi, Configuration, FilesApi, GenerationsApi, ResponseError, TemplatesApi } from './client/index.js'

const { PLATEN_URL = '', API_KEY = '', SLUG: slug = '', PNG = '', FONT = '' } = process.env
const configuration = new Configuration({ basePath: PLATEN_URL, accessToken: API_KEY })
const templates = new TemplatesApi(configuration)
const generations = new GenerationsApi(configuration)
const assets = new AssetsApi(configuration)
const files = new FilesApi(configuration)

async function codeOf(call: Promise<unknown>): Promise<unknown> {
  const err = await call.then(
    () => undefined,
    (err: unknown) => err,
  )
  assert.ok(err instanceof ResponseError, String(err))
  return (await err.response.json()).error.code
}
const startsWith = async (blob: Blob, begin: string) =>
  assert.equal(Buffer.from(await blob.arrayBuffer()).toString('latin1', 0, begin.length), begin)

const names = [slug, `${slug}-2`]
for (const name of names) {
  const createTemplateRequest = { name, html: '<h1>Hello {{name}}</h1>' }
  const template = await templates.createTemplate({ createTemplateRequest })
  assert.equal(template.version, 1)
  assert.equal(template.slug, name)
}
console.log('ok create')

const changeTo = (name: string) =>
  templates.updateTemplate({ idOrSlug: slug, updateTemplateRequest: { name }, ifMatch: '"1"' })
assert.equal((await changeTo('changed')).version, 2)
assert.equal(await codeOf(changeTo('stale')), 'PRECONDITION_FAILED')
console.log('ok change')

for (const [kind, path, type] of [['picture', PNG, 'image/png'] as const, ['font', FONT, 'font/ttf'] as const]) {
  const content = await readFile(path)
  const asset = await assets.putAsset({ name: `${slug}-${kind}`, body: new Blob([content]) })
  assert.equal(asset.type, type)
  assert.equal(asset.bytes, content.length)
}
console.log('ok upload')

const generation = await generations.generate({ generateRequest: { html: '<p>one' } })
await startsWith(await files.getGenerationFile({ id: generation.id }), '%PDF-')
console.log('ok generate-bytes')
assert.equal(generation.status, 'completed')
assert.equal(generation.pages, 1)
console.log('ok generate-json')

let queued = await generations.generate({ generateRequest: { template: slug, async: true } })
while (queued.status === 'queued' || queued.status === 'rendering') {
  queued = await generations.getGeneration({ id: queued.id, wait: 10 })
}
assert.equal(queued.status, 'completed')
console.log('ok async')

const seen = new Set<string>()
let cursor: string | undefined
do {
  const page = await templates.listTemplates({ limit: 1, ...(cursor && { cursor }) })
  for (const each of page.data) seen.add(each.slug)
  cursor = page.next_cursor
} while (cursor)
assert.ok(names.every((name) => seen.has(name)))
console.log('ok list')

assert.equal(await codeOf(templates.getTemplate({ idOrSlug: 'no-such-template' })), 'TEMPLATE_NOT_FOUND')
console.log('ok error')

for (const [format, begin] of [['pdf', '%PDF-'] as const, ['png', '\x89PNG'] as const]) {
  await startsWith(await generations.preview({ previewRequest: { html: '<p>one', format } }), begin)
}
console.log('ok preview')

for (const idOrSlug of names) await templates.deleteTemplate({ idOrSlug })
assert.equal(await codeOf(templates.getTemplate({ idOrSlug: slug })), 'TEMPLATE_NOT_FOUND')
console.log('ok delete')
