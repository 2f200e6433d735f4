import { defined } from '@platen/foundation/json/defined.ts'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call } = gateway
const created = (
  await call('POST', '/v1/keys', { body: { name: 'Author', scopes: ['templates:read', 'templates:write'] } })
).body

const create = async (body: object) => (await call('POST', '/v1/templates', { body })).body
const patch = (id: string, body: object) => call('PATCH', `/v1/templates/${id}`, { body })
const restore = (id: string, version: unknown, headers = {}) =>
  call('POST', `/v1/templates/${id}/restore`, { body: { version }, headers })
const label = (id: string, name: string, version: unknown) =>
  call('PUT', `/v1/templates/${id}/labels/${name}`, { body: { version } })
const versionsOf = async (id: string, query = '') => (await call('GET', `/v1/templates/${id}/versions${query}`)).body

t.test('the versions of a template are listed, read and compared', async (t) => {
  const first = await create({ name: 'Story', html: '<p>one</p>\n<p>same</p>\n', sample_data: { items: [{ n: 1 }] } })
  const { id } = first
  await patch(id, { html: '<p>two</p>\n<p>same</p>\n', options: { margin: { top: 30 } } })
  await patch(id, { name: 'Tale', sample_data: { items: [{ n: 2 }, { n: 3 }] }, header_html: 'h' })
  const { data, next_cursor } = await versionsOf('story')
  t.equal(next_cursor, undefined)
  t.match(data, [
    { version: 3, change: 'updated', changed: ['name', 'sample_data', 'header_html'], labels: [] },
    { version: 2, change: 'updated', changed: ['html', 'options'] },
    { version: 1, change: 'created', changed: ['name', 'html', 'sample_data'], created_at: first.created_at },
  ])
  t.match(data[0], { request_id: /^req_/, api_key_id: /^key_/, api_key_name: 'API_KEY' })
  const page = await versionsOf(id, '?limit=2')
  t.strictSame(page.data, data.slice(0, 2))
  t.strictSame((await versionsOf(id, `?limit=2&cursor=${page.next_cursor}`)).data, data.slice(2))
  for (const query of ['?cursor=x', '?limit=0', '?version=1']) {
    t.match(await call('GET', `/v1/templates/${id}/versions${query}`), { status: 400 }, query)
  }

  const second = await call('GET', `/v1/templates/story/versions/2`)
  t.match(second, { status: 200, body: { id, name: 'Story', version: 2, options: { margin: { top: 30 } } } })
  t.equal(second.headers.get('etag'), '"2"')
  t.strictSame((await call('GET', `/v1/templates/${id}/versions/1`)).body, first)
  t.match(await call('GET', `/v1/templates/${id}/versions/4`), {
    status: 404,
    body: { error: { code: 'TEMPLATE_NOT_FOUND', message: /has versions 1 to 3/ } },
  })
  t.match(await call('GET', `/v1/templates/${id}/versions/x`), { status: 400 })
  t.match(await call('GET', '/v1/templates/nowhere/versions'), { status: 404 })

  const compare = async (query: string) => (await call('GET', `/v1/templates/${id}/compare${query}`)).body
  const all = await compare('?from=1&to=3')
  t.match(all, { from: 1, to: 3, changed: ['name', 'html', 'sample_data', 'options', 'header_html'] })
  const by = Object.fromEntries(all.differences.map((one: { path: string }) => [one.path, one]))
  t.match(by.html.diff, '-<p>one</p>\n+<p>two</p>\n <p>same</p>')
  t.match(by, {
    name: { from: 'Story', to: 'Tale' },
    'sample_data.items[0].n': { from: 1, to: 2 },
    'sample_data.items[1]': { to: { n: 3 } },
    options: { to: { margin: { top: 30 } } },
    header_html: { diff: '+h' },
  })
  t.match(await compare(''), { from: 2, to: 3, changed: ['name', 'sample_data', 'header_html'] })
  t.match(await compare('?from=3&to=3'), { changed: [], differences: [] })
  t.match(await compare('?to=9'), { error: { code: 'TEMPLATE_NOT_FOUND' } })
})

t.test('a version has the name of the key that made it, unless the key is of another owner', async (t) => {
  const { id: owner } = (await call('POST', '/v1/owners', { body: { name: 'Acme' } })).body
  const { key, ...author } = (
    await call('POST', `/v1/keys?owner=${owner}`, { body: { name: 'Eva', scopes: ['admin'] } })
  ).body
  const byAdmin = (await call('POST', `/v1/templates?owner=${owner}`, { body: { name: 'Flyer', html: 'one' } })).body
  await fetch(`${gateway.url}/v1/templates/${byAdmin.id}?owner=${owner}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ html: 'two' }),
  })
  const [second, first] = (await versionsOf(byAdmin.id, `?owner=${owner}`)).data
  t.match(second, { version: 2, api_key_id: author.id, api_key_name: 'Eva' })
  t.match(first, { version: 1, api_key_id: /^key_/ })
  t.notOk('api_key_name' in first)
})

t.test('a version is restored as a new one', async (t) => {
  const { id } = await create({ name: 'Restored', html: 'one', options: { scale: 0.5 }, samples: { a: { b: 1 } } })
  await patch(id, { html: 'two', options: null, footer_html: 'f' })
  t.match(await restore(id, 1, { 'if-match': '"1"' }), { status: 412 })
  const restored = await restore('restored', 1, { 'if-match': '"2"' })
  t.match(restored, { status: 200, body: { id, html: 'one', options: { scale: 0.5 }, version: 3 } })
  t.notOk('footer_html' in restored.body)
  t.equal(restored.headers.get('etag'), '"3"')
  t.match(await restore(id, 1), { status: 200, body: { version: 3 } }, 'nothing differs')
  t.match(await versionsOf(id, '?limit=1'), {
    data: [{ version: 3, restored_from: 1, changed: ['html', 'options', 'footer_html'] }],
  })
  for (const version of [4, 9]) t.match(await restore(id, version), { status: 404 })
  for (const version of [0, '1', null, 1.5]) t.match(await restore(id, version), { status: 400 })
})

t.test('a deleted template is read and restored by its id, unless its slug is used', async (t) => {
  const { id } = await create({ name: 'Gone', html: 'one', header_html: 'h' })
  await patch(id, { html: 'two' })
  await call('DELETE', `/v1/templates/${id}`)
  t.match(await call('GET', `/v1/templates/${id}`), { status: 404 })
  t.match(await call('GET', '/v1/templates/gone/versions'), { status: 404 }, 'its slug is free')
  t.match((await versionsOf(id)).data, [{ version: 3, change: 'deleted', changed: [] }, { version: 2 }, { version: 1 }])
  t.match(await call('GET', `/v1/templates/${id}/versions/2`), { status: 200, body: { html: 'two', slug: 'gone' } })
  t.match(await call('GET', `/v1/templates/${id}/versions/3`), {
    status: 404,
    body: { error: { message: /is its deletion/ } },
  })
  t.match(await call('GET', `/v1/templates/${id}/compare`), { status: 200, body: { from: 1, to: 2 } })
  t.match(await restore(id, 3), { status: 404 })

  const other = await create({ name: 'Gone', html: 'another' })
  t.equal(other.slug, 'gone')
  t.match(await restore(id, 1), { status: 409, body: { error: { code: 'CONFLICT', message: new RegExp(other.id) } } })
  await call('DELETE', `/v1/templates/${other.id}`)
  const restored = await restore(id, 1)
  t.match(restored, { status: 200, body: { id, html: 'one', header_html: 'h', slug: 'gone', version: 4 } })
  t.strictSame((await call('GET', '/v1/templates/gone')).body, restored.body)
  t.match((await versionsOf(id, '?limit=1')).data, [{ version: 4, change: 'restored', restored_from: 1 }])
  t.match(await call('POST', '/v1/generate', { body: { template: 'gone', template_version: 3 } }), { status: 404 })
  t.match(await create({ name: 'Gone', html: 'x' }), { slug: 'gone-2' }, 'its slug is reserved again')
  t.match(await patch(id, { html: 'three' }), { status: 200, body: { version: 5 } })
  t.match(await restore(other.id, 1), { status: 409 })
})

t.test('labels name versions, which requests print', async (t) => {
  const { id } = await create({ name: 'Labelled', html: 'one', options: { format: 'A5' } })
  await patch(id, { html: 'two', options: null })
  const generate = (body: object) => call('POST', '/v1/generate', { body: { template: 'labelled', ...body } })
  t.match(await generate({ template_label: 'published' }), {
    status: 404,
    body: { error: { code: 'LABEL_NOT_FOUND', message: 'Template labelled has no label published' } },
  })
  const unknown = { status: 404, body: { error: { code: 'LABEL_NOT_FOUND' } } }
  t.match(await generate({ template_label: 'constructor' }), unknown, 'what every object has is no label')
  t.match(await call('DELETE', '/v1/templates/labelled/labels/constructor'), unknown)
  t.match(await label('labelled', 'published', 1), { status: 200, body: { labels: { published: 1 } } })
  t.match(await label(id, 'draft', 2), { status: 200, body: { labels: { published: 1, draft: 2 } } })
  t.match(await generate({ template_label: 'published' }), { status: 200, body: { template: { id, version: 1 } } })
  t.match(gateway.renderer.taken.at(-1)?.input, { template: { id, version: 1 }, options: { format: 'A5' } })
  t.match(await generate({ template_label: 'final' }), {
    status: 404,
    body: { error: { message: 'Template labelled has no label final; it has published, draft' } },
  })
  const wrong: [object, string][] = [
    [{ template_label: 'Published!' }, 'template_label'],
    [{ template_label: 'draft', template_version: 1 }, 'template_label'],
  ]
  for (const [body, path] of wrong) {
    t.match(await generate(body), { status: 400, body: { error: { details: [{ path }] } } })
  }
  t.match(await call('POST', '/v1/generate', { body: { html: 'x', template_label: 'draft' } }), { status: 400 })

  const shown = await call('GET', `/v1/templates/${id}`)
  t.match(shown.body, { labels: { published: 1, draft: 2 } })
  const tag = shown.headers.get('etag') ?? ''
  t.equal((await call('GET', `/v1/templates/${id}`, { headers: { 'if-none-match': tag } })).status, 304)
  t.match((await call('GET', '/v1/templates?summary=true&limit=1')).body.data, [{ labels: { published: 1, draft: 2 } }])
  t.match((await versionsOf(id)).data, [{ labels: ['draft'] }, { labels: ['published'] }])

  t.match(await label(id, 'published', 2), { status: 200, body: { labels: { published: 2, draft: 2 } } })
  t.equal(
    (await call('GET', `/v1/templates/${id}`, { headers: { 'if-none-match': tag } })).status,
    200,
    'it has changed',
  )
  const patchIf = (ifMatch: string) =>
    call('PATCH', `/v1/templates/${id}`, { body: { html: 'x' }, headers: { 'if-match': ifMatch } })
  t.equal((await patchIf('"2.9"')).status, 412, 'a revision that its labels have not had')
  t.equal((await patchIf(tag)).status, 200, 'only the version counts')
  t.match(await generate({ template_label: 'published' }), { body: { template: { version: 2 } } })
  const remove = (name: string) => call('DELETE', `/v1/templates/${id}/labels/${name}`)
  t.equal((await remove('draft')).status, 204)
  t.match(await remove('draft'), {
    status: 404,
    body: { error: { code: 'LABEL_NOT_FOUND', message: /it has published/ } },
  })
  for (const version of [9, 0, 'x']) t.match(await label(id, 'draft', version), { status: version === 9 ? 404 : 400 })
  t.match(await label(id, 'UPPER', 1), { status: 400, body: { error: { details: [{ path: 'label' }] } } })
  t.match(await label('nowhere', 'draft', 1), { status: 404 })
})

t.test("another owner's versions and labels do not exist, and writing needs the scope", async (t) => {
  const { id } = await create({ name: 'Private', html: 'x' })
  const owner = (await call('POST', '/v1/owners', { body: { name: 'Other' } })).body.id
  const key = await gateway.issueKeyOf(owner, 'templates:read', 'templates:write')
  const requests: [string, string, object?][] = [
    ['GET', 'versions'],
    ['GET', 'versions/1'],
    ['GET', 'compare'],
    ['POST', 'restore', { version: 1 }],
    ['PUT', 'labels/draft', { version: 1 }],
    ['DELETE', 'labels/draft'],
  ]
  const reader = await gateway.issueKey('templates:read')
  for (const deleted of [false, true]) {
    if (deleted) await call('DELETE', `/v1/templates/${id}`)
    for (const [method, path, body] of requests) {
      const answer = await call(method, `/v1/templates/${id}/${path}`, { key, ...defined({ body }) })
      t.match(answer, { status: 404, body: { error: { code: 'TEMPLATE_NOT_FOUND' } } }, `${method} ${path}`)
      if (method === 'GET') continue
      const refused = await call(method, `/v1/templates/${id}/${path}`, { key: reader, ...defined({ body }) })
      t.match(refused, { status: 403 }, `${method} ${path} with a key for reading`)
    }
  }
})

t.test('views that are made anew show the same versions and labels', async (t) => {
  const { id } = await create({ name: 'Rebuilt', html: 'one', footer_html: 'f' })
  await patch(id, { footer_html: null, samples: { a: { b: 1 } } })
  await label(id, 'published', 1)
  await using other = await gateway.startAnother()
  const at = async (path: string) =>
    (await fetch(`${other.url}${path}`, { headers: { authorization: `Bearer ${created.key}` } })).json()
  for (const path of [`/v1/templates/${id}`, `/v1/templates/${id}/versions`, '/v1/templates?limit=3']) {
    t.strictSame(await at(path), (await call('GET', path)).body, path)
  }
})
