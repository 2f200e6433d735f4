import { readFileSync } from 'node:fs'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { decode } from 'fast-png'
import t from 'tap'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'

interface Side {
  page: number
  width: number
  height: number
  image?: string
}
interface Page {
  status: string
  share: number
  boxes: { x: number; y: number; width: number; height: number }[]
  from?: Side
  to?: Side
}
interface Compared {
  from: number
  to: number
  changed: string[]
  differences: { path: string; diff?: string }[]
  pages?: Page[]
  printed?: object
  error?: { code: string; message: string; details?: object }
}

interface Described {
  requestBody: { content: { 'application/json': { example: object } } }
  responses: { 200: { content: { 'application/json': { example: Compared } } } }
}

const missing = (): never => {
  throw new Error('the operation is missing')
}

const platen = await ownerOfSharedPlaten()

const save = async (name: string, ...versions: object[]) => {
  const [first, ...later] = versions
  const { id, slug } = (await platen.json<{ id: string; slug: string }>('/v1/templates', { body: { name, ...first } }))
    .body
  for (const body of later) await platen.json(`/v1/templates/${slug}`, { method: 'PATCH', body })
  return { id, slug }
}
const compare = async (slug: string, query = '', body?: object) => {
  const path = `/v1/templates/${slug}/compare?${query}`
  return platen.json<Compared>(path, body ? { body } : { method: 'GET' })
}
const pagesOf = async (slug: string, query = '', body?: object) => {
  const response = await compare(slug, body ? query : `pages=true&${query}`, body)
  if (response.status !== 200) throw new Error(JSON.stringify(response.body))
  return response.body.pages ?? []
}
const shown = (pages: Page[]) =>
  pages.map(({ status, from, to }) => `${status} ${from?.page ?? '-'} ${to?.page ?? '-'}`)

const style =
  '<style>@page{size:100mm 140mm;margin:0}body{margin:0}section{height:120mm;break-after:page}section:last-child{break-after:auto}</style>'
const chapter = (text: string) => `<section><h1>Lindqvist</h1><p>${text}</section>`
const chapters = ['The first chapter', 'A second one', 'Number three'].map(chapter)
const book = (...parts: string[]) => ({ html: style + parts.join('') })

t.test('an inserted page is one added page, and a removed one is one', async (t) => {
  const [one = '', two = '', three = ''] = chapters
  const { slug } = await save('Book', book(one, two, three), book(one, chapter('Inserted'), two, three))
  const { status, body } = await compare(slug, 'pages=true')
  t.match(
    { status, body },
    { status: 200, body: { from: 1, to: 2, changed: ['html'], differences: [{ path: 'html' }] } },
  )
  t.match(body.differences[0]?.diff, /\+.*Inserted/)
  t.same(shown(body.pages ?? []), ['same 1 1', 'added - 2', 'same 2 3', 'same 3 4'])
  t.match(body.printed, { from: { pages: 3, warnings: [] }, to: { pages: 4 }, engine: { name: 'chromium' } })
  const [same, added] = body.pages ?? []
  t.match(same, { share: 0, boxes: [], from: { width: 99.8, height: 140 } })
  t.match(added, { share: 1, boxes: [], from: undefined })
  t.same(shown(await pagesOf(slug, 'from=2&to=1')), ['same 1 1', 'removed 2 -', 'same 3 2', 'same 4 3'])
  t.equal((await compare(slug)).body.pages, undefined, 'not without pages=true')
})

t.test('what differs on a page is in boxes, in millimetres', async (t) => {
  const square = (left: number, top: number) =>
    `<i style="position:absolute;left:${left}mm;top:${top}mm;width:10mm;height:5mm;background:#07c"></i>`
  const { slug } = await save('Squares', book(square(10, 20)), book(`${square(10, 20)}${square(50, 100)}`))
  const [page] = await pagesOf(slug, 'images=true')
  t.equal(page?.status, 'changed')
  // 50 of 14,000 square millimetres.
  t.ok(Math.abs((page?.share ?? 0) - 50 / 14_000) < 0.0004, String(page?.share))
  t.equal(page?.boxes.length, 1)
  for (const [name, expected] of Object.entries({ x: 50, y: 100, width: 10, height: 5 })) {
    const found = page?.boxes[0]?.[name as 'x'] ?? 0
    t.ok(Math.abs(found - expected) <= 0.6, `${name}: ${found}`)
  }
  const drawn = (side: Side | undefined) => {
    const { width, height, channels, data } = decode(Buffer.from(side?.image ?? '', 'base64'))
    t.ok(Math.abs(width - 378) <= 2, String(width))
    const at = (Math.round((102 / 140) * height) * width + Math.round((55 / 100) * width)) * channels
    return [...data.subarray(at, at + 3)]
  }
  t.same(drawn(page?.from), [255, 255, 255])
  t.same(drawn(page?.to), [0, 119, 204])
  const ignored = [{ x: 49, y: 99, width: 12, height: 7 }]
  t.same(shown(await pagesOf(slug, '', { ignore: ignored })), ['same 1 1'])
  t.same(shown(await pagesOf(slug, '', { ignore: [{ ...ignored[0], page: 2 }] })), ['changed 1 1'])
})

t.test('both versions are printed with the same data', async (t) => {
  const { slug } = await save(
    'Data',
    { ...book('<p>{{name}}'), sample_data: { name: 'old' } },
    { sample_data: { name: 'new' }, samples: { other: { name: 'x' } } },
    { html: `${style}<p>{{name}}<p>{{#if more}}more{{/if}}` },
  )
  t.same(shown(await pagesOf(slug, 'from=1')), ['same 1 1'], 'with the sample data of the newer version')
  t.same(shown(await pagesOf(slug, '', { data: { more: true } })), ['changed 1 1'])
  t.same(shown(await pagesOf(slug, 'sample=other')), ['same 1 1'])
  t.same(shown(await pagesOf(slug, '', { sample: 'other' })), ['same 1 1'])
  const large = { data: { name: 'n', rest: 'r'.repeat(100_000), more: true } }
  t.same(shown(await pagesOf(slug, '', large)), ['changed 1 1'])
  for (const [query, body, path] of [
    ['pages=true&sample=none', undefined, 'sample'],
    ['sample=other', undefined, 'sample'],
    ['images=true', undefined, 'images'],
    ['pages=true', {}, 'pages'],
    ['', { data: {}, sample: 'other' }, 'sample'],
    ['', { ignore: [{ x: -1, y: 0, width: 1, height: 1 }] }, 'ignore.0.x'],
    ['', { data: [] }, 'data'],
  ] as const) {
    const refused = await compare(slug, query, body)
    t.match(refused, { status: 400, body: { error: { code: 'VALIDATION_ERROR', details: [{ path }] } } }, query)
  }
  t.equal((await compare(slug, '', { data: { rest: 'r'.repeat(950_000) } })).status, 413)
})

t.test('partials and assets are those that a version was saved with', async (t) => {
  await platen.json('/v1/partials', { body: { name: 'head', html: '<h1>Old head</h1>' } })
  const { slug } = await save('Pinned', book('{{> head}}'))
  await platen.json('/v1/partials/head', { method: 'PATCH', body: { html: '<h1>New head</h1>' } })
  t.equal((await compare(slug, 'pages=true&from=1&to=1')).body.pages?.[0]?.status, 'same')
  await platen.json(`/v1/templates/${slug}`, { method: 'PATCH', body: { html: `${style}{{> head}} ` } })
  const { body } = await compare(slug, 'pages=true')
  t.ok(body.changed.includes('partials'), String(body.changed))
  t.same(shown(body.pages ?? []), ['changed 1 1'])
})

t.test('a version that cannot be printed is named', async (t) => {
  const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
  const { slug } = await save(
    'Failing',
    { html: '{{n}}', data_schema: schema, sample_data: { n: 1 } },
    { html: '{{n.x}}', sample_data: { n: { x: 1 } }, data_schema: null },
    { html: '{{strict.value}}', sample_data: { n: 2 }, options: { strict: true } },
  )
  t.match(await compare(slug, 'pages=true&to=2'), {
    status: 400,
    body: {
      error: { message: /^Version 1 does not accept the data: data\.n must be an integer; compare with data that/ },
    },
  })
  t.match(await compare(slug, 'pages=true&to=3'), { status: 422, body: { error: { message: /^Version 3: / } } })
  t.match(await compare(slug, 'from=9', {}), { status: 404, body: { error: { code: 'TEMPLATE_NOT_FOUND' } } })
  t.match(await compare(slug, 'from=published', {}), { status: 404, body: { error: { code: 'LABEL_NOT_FOUND' } } })
})

t.test('a document of too many pages is refused with the limit', async (t) => {
  const { slug } = await save('Long', {
    html: `<style>section{break-after:page}</style>${'<section>x</section>'.repeat(201)}`,
  })
  t.match(await compare(slug, 'pages=true'), {
    status: 422,
    body: {
      error: {
        code: 'RENDER_LIMIT_EXCEEDED',
        message: /^Version 1: The document has 20\d pages, at most 200 are compared; use data that make fewer$/,
        details: { limit: 200 },
      },
    },
  })
})

t.test('the example of the operation is answered as its description says', async (t) => {
  await save('Monthly invoice', book('<p>{{number}}'), book('<h1>{{number}}'))
  const { body: document } = await platen.json<{ paths: Record<string, { post: Described }> }>('/openapi.json')
  const { requestBody, responses } = document.paths['/v1/templates/{idOrSlug}/compare']?.post ?? missing()
  const { body } = await compare('monthly-invoice', 'from=1', requestBody.content['application/json'].example)
  const shape = (of: Compared) => [Object.keys(of), Object.keys(of.printed ?? {}), Object.keys(of.pages?.at(-1) ?? {})]
  t.same(shape(body), shape(responses['200'].content['application/json'].example))
})

t.test('pages need the scope to generate, and the owner of the template', async (t) => {
  const { id, slug } = await save('Scoped', book('<p>one'), book('<p>two'))
  const keyOf = async (scopes: string[], query = '') =>
    (await platen.json<{ key: string }>(`/v1/keys${query}`, { body: { name: 'k', scopes } })).body.key
  const reader = { authorization: `Bearer ${await keyOf(['templates:read'])}` }
  const printer = { authorization: `Bearer ${await keyOf(['generate'])}` }
  const path = `/v1/templates/${slug}/compare`
  t.equal((await platen.json(path, { headers: reader })).status, 200)
  for (const [init, scope] of [
    [{ headers: reader, body: {} }, 'generate'],
    [{ headers: printer, body: {} }, 'templates:read'],
  ] as const) {
    t.match(await platen.json(path, init), { status: 403, body: { error: { message: scope } } })
  }
  t.match(await platen.json(`${path}?pages=true`, { headers: reader }), { status: 403 })
  const { id: owner } = (await platen.json<{ id: string }>('/v1/owners', { body: { name: 'Other' } })).body
  const stranger = { authorization: `Bearer ${await keyOf(['templates:read', 'generate'], `?owner=${owner}`)}` }
  const hidden = { status: 404, body: { error: { code: 'TEMPLATE_NOT_FOUND' } } }
  t.match(await platen.json(`/v1/templates/${id}/compare`, { headers: stranger, body: {} }), hidden)
})

t.test('versions of a deleted template are compared under its id', async (t) => {
  const { id, slug } = await save('Deleted', book('<p>one'), book('<p>two'))
  await platen.json(`/v1/templates/${slug}`, { method: 'DELETE' })
  t.same(shown(await pagesOf(id)), ['changed 1 1'])
})

t.test('a version compared with itself shows what is not of the template', async (t) => {
  const script = '<p id=a></p><script>document.getElementById("a").textContent = Math.random()</script>'
  const { slug } = await save('Random', book(`<h1>Fixed</h1>${script}`), book('<h1>Fixed</h1><p>{{data}}'))
  const [page] = await pagesOf(slug, 'from=1&to=1')
  t.equal(page?.status, 'changed')
  t.same(shown(await pagesOf(slug, 'from=2&to=2')), ['same 1 1'])
})

t.test('before a version that restored a deleted template is that before the deletion', async (t) => {
  const { id, slug } = await save('Restored', book('<p>one'), book('<p>two'))
  await platen.json(`/v1/templates/${slug}`, { method: 'DELETE' })
  await platen.json(`/v1/templates/${id}/restore`, { body: { version: 1 } })
  t.match(await compare(slug), { status: 200, body: { from: 2, to: 4, changed: ['html'] } })
  t.match(await compare(slug, 'from=3'), { status: 404, body: { error: { message: /is its deletion/ } } })
})

t.test('versions with other options have pages of other sizes', async (t) => {
  const html = '<h1>Lindqvist</h1><p>A page of words'
  const { slug } = await save(
    'Options',
    { html, options: { format: 'A5' } },
    { options: { format: 'A5', landscape: true } },
    { options: { format: 'A5', scale: 0.5 } },
    { options: { format: 'A5', margin: { top: 40 } } },
  )
  const [narrow, wide] = ['148 x 210', '210 x 148']
  // Chromium rounds the size of a page to whole points.
  const sizeOf = (side: Side | undefined) => `${Math.round(side?.width ?? 0)} x ${Math.round(side?.height ?? 0)}`
  for (const [query, to] of [
    ['from=1&to=2', wide],
    ['from=1&to=3', narrow],
    ['from=1&to=4', narrow],
  ] as const) {
    const [page, ...more] = await pagesOf(slug, `${query}&images=true`)
    t.same([page?.status, sizeOf(page?.from), sizeOf(page?.to)], ['changed', narrow, to], query)
    t.ok((page?.share ?? 0) > 0 && (page?.boxes.length ?? 0) > 0, query)
    t.same(more, [])
  }
})

t.test('pages that are too large to be drawn with all pixels differ in size, too', async (t) => {
  const sized = (mm: number) => ({ options: { width: `${mm}mm`, height: `${mm}mm`, margin: { top: 0, left: 0 } } })
  const { slug } = await save('Large', { html: '<p>', ...sized(2_000) }, sized(1_000))
  const [page] = await pagesOf(slug, 'images=true')
  t.equal(page?.status, 'changed')
  t.ok(Math.abs((page?.share ?? 0) - 0.75) < 0.01, String(page?.share))
  t.same(shown(await pagesOf(slug, 'from=1&to=1')), ['same 1 1'])
})

t.test('an asset that was replaced differs only in the version that has the new one', async (t) => {
  const picture = (colour: string) =>
    platen.request('/v1/assets/mark.svg', {
      method: 'PUT',
      headers: { 'content-type': 'image/svg+xml' },
      body: `<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50" fill="${colour}"/></svg>`,
    })
  t.equal((await picture('red')).status, 201)
  const { slug } = await save('Marked', book('<img src="asset:mark.svg">'))
  t.equal((await picture('blue')).status, 200)
  t.same(shown(await pagesOf(slug, 'from=1&to=1')), ['same 1 1'])
  await platen.json(`/v1/templates/${slug}`, { method: 'PATCH', body: book('<img  src="asset:mark.svg">') })
  const [page] = await pagesOf(slug, 'images=true')
  t.equal(page?.status, 'changed')
})

t.test('what a script draws is compared when it has drawn it', async (t) => {
  const chart = (height: number) =>
    `<canvas width=200 height=200></canvas><script>setTimeout(()=>{const c=document.querySelector("canvas").getContext("2d");c.fillStyle="#07c";c.fillRect(20,20,40,${height})},500)</script>`
  const { slug } = await save('Chart', book(chart(100)), book(chart(150)))
  for (const version of [1, 2]) t.same(shown(await pagesOf(slug, `from=${version}&to=${version}`)), ['same 1 1'])
  const [page] = await pagesOf(slug)
  // 50 pixels of CSS.
  t.ok(Math.abs((page?.boxes[0]?.height ?? 0) - 13.2) < 1, JSON.stringify(page?.boxes))
})

t.test('the same edge of a line at another place of the document is the same', async (t) => {
  // Its coordinates in the PDF are rounded, which PDFium draws with another level of grey here and there.
  const label = readFileSync(new URL('../../examples/shipping-label/template.html', import.meta.url), 'utf8')
  const sample_data = JSON.parse(
    readFileSync(new URL('../../examples/shipping-label/data.json', import.meta.url), 'utf8'),
  )
  const inserted = label.replace(/<body[^>]*>/, (body) => `${body}<div style="break-after:page">Inserted</div>`)
  const { slug } = await save('Label', { html: label, sample_data }, { html: inserted })
  t.same(shown(await pagesOf(slug)), ['added - 1', 'same 1 2'])
})

t.test('the pages of a document and of its retry with a newer version of the template are compared', async (t) => {
  const style =
    '<style>@page{size:80mm 60mm;margin:0}b{position:absolute;background:#07c;width:10mm;height:5mm}</style>'
  const square = '<b style="left:40mm;top:30mm"></b>'
  const created = await platen.json('/v1/templates', { body: { name: 'Kept once', html: `${style}<p>{{text}}` } })
  t.equal(created.status, 201)
  const request = { template: 'kept-once', data: { text: 'Hello' }, retain_input: 1 }
  const { body: first } = await platen.json<Generation>('/v1/generate', { body: request })
  await platen.json('/v1/templates/kept-once', { method: 'PATCH', body: { html: `${style}<p>{{text}}${square}` } })
  const retry = (body: object) => platen.json<Generation>(`/v1/generations/${first.id}/retry`, { body })
  const compared = async ({ body: { id } }: { body: Generation }) => {
    await platen.json(`/v1/generations/${id}?wait=60`)
    return (await platen.json(`/v1/generations/${first.id}/compare?to=${id}`)).body
  }
  t.match(await compared(await retry({})), { pages: [{ status: 'same', share: 0 }] })
  const changed = await compared(await retry({ template_version: 2 }))
  t.match(changed, { from: first.id, pages: [{ status: 'changed', boxes: [{ width: Number, height: Number }] }] })
})
