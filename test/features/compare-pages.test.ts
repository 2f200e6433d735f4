import { decode } from 'fast-png'
import t from 'tap'
import { startPlaten } from '../support/platen.ts'

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

const platen = await startPlaten()
t.teardown(() => platen[Symbol.asyncDispose]())

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
