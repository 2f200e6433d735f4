import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import createClient from 'openapi-fetch'
import type { paths } from './platen.d.ts'

const { PLATEN_URL = '', API_KEY = '', SLUG: slug = '', PNG = '', FONT = '' } = process.env
const client = createClient<paths>({ baseUrl: PLATEN_URL, headers: { authorization: `Bearer ${API_KEY}` } })

/** The data of an answer, which has an error otherwise. */
function dataOf<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}
const startsWith = (bytes: ArrayBuffer, begin: string) =>
  assert.equal(Buffer.from(bytes).toString('latin1', 0, begin.length), begin)

const names = [slug, `${slug}-2`]
for (const name of names) {
  const body = { name, html: '<h1>Hello {{name}}</h1>' }
  const template = dataOf(await client.POST('/v1/templates', { body }))
  assert.equal(template.version, 1)
  assert.equal(template.slug, name)
}
console.log('ok create')

const changeTo = (name: string) =>
  client.PATCH('/v1/templates/{idOrSlug}', {
    params: { path: { idOrSlug: slug }, header: { 'if-match': '"1"' } },
    body: { name },
  })
assert.equal(dataOf(await changeTo('changed')).version, 2)
assert.equal((await changeTo('stale')).error?.error.code, 'PRECONDITION_FAILED')
console.log('ok change')

for (const [kind, path, type] of [['picture', PNG, 'image/png'] as const, ['font', FONT, 'font/ttf'] as const]) {
  const content = await readFile(path)
  const put = await client.PUT('/v1/assets/{name}', {
    params: { path: { name: `${slug}-${kind}` } },
    headers: { 'content-type': 'application/octet-stream' },
    body: '',
    bodySerializer: () => content,
  })
  const asset = dataOf(put)
  assert.equal(asset.type, type)
  assert.equal(asset.bytes, content.length)
}
console.log('ok upload')

const generation = dataOf(await client.POST('/v1/generate', { body: { html: '<p>one' } }))
const path = { id: generation.id }
const file = await client.GET('/v1/generations/{id}/file', { params: { path }, parseAs: 'arrayBuffer' })
startsWith(dataOf(file), '%PDF-')
console.log('ok generate-bytes')
assert.equal(generation.status, 'completed')
assert.equal(generation.pages, 1)
console.log('ok generate-json')

let queued = dataOf(await client.POST('/v1/generate', { body: { template: slug, async: true } }))
while (queued.status === 'queued' || queued.status === 'rendering') {
  const params = { path: { id: queued.id }, query: { wait: 10 } }
  queued = dataOf(await client.GET('/v1/generations/{id}', { params }))
}
assert.equal(queued.status, 'completed')
console.log('ok async')

const seen = new Set<string>()
let cursor: string | undefined
do {
  const query = { limit: 1, ...(cursor && { cursor }) }
  const page: paths['/v1/templates']['get']['responses'][200]['content']['application/json'] = dataOf(
    await client.GET('/v1/templates', { params: { query } }),
  )
  for (const each of page.data) seen.add(each.slug)
  cursor = page.next_cursor
} while (cursor)
assert.ok(names.every((name) => seen.has(name)))
console.log('ok list')

const find = (idOrSlug: string) => client.GET('/v1/templates/{idOrSlug}', { params: { path: { idOrSlug } } })
assert.equal((await find('no-such-template')).error?.error.code, 'TEMPLATE_NOT_FOUND')
console.log('ok error')

for (const [format, begin] of [['pdf', '%PDF-'] as const, ['png', '\x89PNG'] as const]) {
  const shown = await client.POST('/v1/preview', { body: { html: '<p>one', format }, parseAs: 'arrayBuffer' })
  startsWith(dataOf(shown), begin)
}
console.log('ok preview')

for (const idOrSlug of names) {
  const { response } = await client.DELETE('/v1/templates/{idOrSlug}', { params: { path: { idOrSlug } } })
  assert.equal(response.status, 204)
}
assert.equal((await find(slug)).error?.error.code, 'TEMPLATE_NOT_FOUND')
console.log('ok delete')
