import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call } = gateway

const create = (name: string, html: string, headers = {}) =>
  call('POST', '/v1/partials', { body: { name, html }, headers })
const notFound = { status: 404, body: { error: { code: 'PARTIAL_NOT_FOUND' } } }

t.test('a partial is created, read by id and name, changed and deleted', async (t) => {
  const created = await create('letterhead', '<b>{{a}}</b>')
  t.equal(created.status, 201)
  t.match(created.body, { id: /^prt_[0-9a-z]{26}$/, name: 'letterhead', html: '<b>{{a}}</b>', version: 1 })
  t.equal(created.headers.get('etag'), '"1"')
  const { id } = created.body
  t.equal(created.headers.get('location'), `${gateway.url}/v1/partials/${id}`)
  for (const idOrName of [id, 'letterhead']) t.same((await call('GET', `/v1/partials/${idOrName}`)).body, created.body)
  const notModified = await call('GET', '/v1/partials/letterhead', { headers: { 'if-none-match': '"1"' } })
  t.equal(notModified.status, 304)

  const stale = await call('PATCH', '/v1/partials/letterhead', { body: { html: 'x' }, headers: { 'if-match': '"2"' } })
  t.match(stale, { status: 412, body: { error: { code: 'PRECONDITION_FAILED' } } })
  const labelled = { 'if-match': '"1.0"' }
  t.match(await call('PATCH', '/v1/partials/letterhead', { body: { html: 'x' }, headers: labelled }), { status: 412 })
  const changed = await call('PATCH', '/v1/partials/letterhead', { body: { html: '<i>{{a}}</i>' } })
  t.match(changed, { status: 200, body: { id, version: 2, html: '<i>{{a}}</i>' } })
  t.match(await create('letterhead', 'other'), { status: 409, body: { error: { code: 'CONFLICT' } } })

  t.same((await call('DELETE', `/v1/partials/${id}`)).body, { id, name: 'letterhead', templates: 0, partials: 0 })
  t.match(await call('GET', '/v1/partials/letterhead'), notFound)
  t.match(await call('DELETE', '/v1/partials/letterhead'), notFound)
  t.match(await call('PATCH', `/v1/partials/${id}`, { body: { html: 'x' } }), notFound)
  t.match(await call('GET', '/v1/partials/letterhead/versions/2'), { body: { html: '<i>{{a}}</i>', version: 2 } })
  t.match(await call('GET', `/v1/partials/${id}/versions/3`), notFound, 'its deletion')
  t.match(await create('letterhead', 'again'), { status: 201, body: { id, version: 4 } })
  t.match(await call('GET', '/v1/partials/letterhead/versions'), {
    body: {
      data: [
        { version: 4, status: 'active', html_sha256: /^[0-9a-f]{64}$/ },
        { version: 3, status: 'deleted' },
        { version: 2, status: 'active' },
        { version: 1, status: 'active' },
      ],
    },
  })
  const page = await call('GET', '/v1/partials/letterhead/versions?limit=3')
  t.match(await call('GET', `/v1/partials/letterhead/versions?cursor=${page.body.next_cursor}`), {
    body: { data: [{ version: 1 }] },
  })
})

t.test('invalid requests are refused by field', async (t) => {
  const wrong: [object, string][] = [
    [{ html: 'x' }, 'name'],
    [{ name: 'a' }, 'html'],
    [{ name: 'a b', html: 'x' }, 'name'],
    [{ name: '1a', html: 'x' }, 'name'],
    [{ name: 'prt_00000000000000000000000000', html: 'x' }, 'name'],
    [{ name: 'a', html: 'x'.repeat(512 * 1024 + 1) }, 'html'],
    [{ name: 'a', html: 'x', sample_data: {} }, 'sample_data'],
  ]
  for (const [body, path] of wrong) {
    const { status, body: answer } = await call('POST', '/v1/partials', { body })
    t.match({ status, path: answer.error.details[0].path }, { status: 400, path })
  }
  t.match(await create('a', '{{#if x}}'), { status: 422, body: { error: { code: 'TEMPLATE_SYNTAX_ERROR' } } })
  t.match(await create('a', '{{> b}}'), {
    status: 422,
    body: {
      error: { code: 'TEMPLATE_RENDER_ERROR', message: /^partial "a", line 1, column 1: there is no partial "b"/ },
    },
  })
  t.match(await call('GET', '/v1/partials/no.name'), notFound)
  t.match(await call('GET', '/v1/partials?cursor=eA'), { status: 200 })
  t.match(await call('GET', '/v1/partials?cursor=!'), { status: 400 })
})

t.test('a repeated POST with an Idempotency-Key has the first answer', async (t) => {
  const headers = { 'idempotency-key': 'partial-1' }
  const first = await create('once', 'x', headers)
  const second = await create('once', 'x', headers)
  t.same(second.body, first.body)
  t.equal(second.headers.get('idempotency-replayed'), 'true')
  t.match(await create('once', 'y', headers), { status: 422, body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } } })
})

t.test('a list is sorted by name', async (t) => {
  for (const name of ['list-b', 'list-a', 'list-c']) await create(name, 'x')
  const all = await call('GET', '/v1/partials?limit=100&summary=true')
  const names = all.body.data.map(({ name }: { name: string }) => name)
  t.same(names, [...names].sort())
  t.ok(names.includes('list-a'))
  t.notOk('html' in all.body.data[0])
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/v1/partials?limit=2${cursor}`)
    seen.push(...body.data.map(({ name }: { name: string }) => name))
    if (body.next_cursor === undefined) break
    cursor = `&cursor=${body.next_cursor}`
  }
  t.same(seen, names)
})

t.test('the usage of a partial lists templates, pinned and following, and partials', async (t) => {
  const template = async (name: string, html: string, fields = {}) =>
    (await call('POST', '/v1/templates', { body: { name, html, ...fields } })).body
  await create('mark', 'one')
  await create('frame', '{{> mark}}')
  const pinned = await template('Uses pinned', '{{> frame}}')
  t.match(pinned.partials, { mark: { version: 1 }, frame: { version: 1 } })
  const following = await template('Uses following', '{{> frame}}', { follow_partials: true })
  await template('Uses none', 'x')
  await call('PATCH', '/v1/partials/mark', { body: { html: 'two' } })
  t.same((await call('GET', '/v1/partials/mark/usage')).body, {
    templates: [
      { id: following.id, slug: 'uses-following', version: 1, newest: true, labels: [], follows: true },
      { id: pinned.id, slug: 'uses-pinned', version: 1, newest: true, labels: [], follows: false, partial_version: 1 },
    ],
    partials: [{ id: (await call('GET', '/v1/partials/frame')).body.id, name: 'frame', version: 1 }],
    counts: { templates: 2, partials: 1 },
  })
  const again = await call('PATCH', '/v1/templates/uses-pinned', { body: { html: '{{> frame}}' } })
  t.match(again.body, { version: 2, partials: { mark: { version: 2 } } })
  t.match(await call('GET', '/v1/partials/mark/usage'), {
    body: { templates: [{}, { version: 2, partial_version: 2 }] },
  })
  await call('PUT', '/v1/templates/uses-pinned/labels/published', { body: { version: 1 } })
  t.match(await call('GET', '/v1/partials/mark/usage'), {
    body: {
      templates: [
        {},
        { version: 2, newest: true, labels: [], partial_version: 2 },
        { version: 1, newest: false, labels: ['published'], partial_version: 1 },
      ],
      counts: { templates: 2 },
    },
  })

  // A template that follows uses what its partials call now.
  await create('sign', 's')
  await call('PATCH', '/v1/partials/frame', { body: { html: '{{> sign}}' } })
  t.match(await call('GET', '/v1/partials/sign/usage'), {
    body: { templates: [{ id: following.id, follows: true }], counts: { templates: 1, partials: 1 } },
  })
  await call('DELETE', '/v1/templates/uses-following')
  t.match((await call('DELETE', '/v1/partials/sign')).body, { templates: 0, partials: 1 })
})

t.test(
  'commands carry the versions of partials for inline html, for templates that follow, and for headers',
  async (t) => {
    const { taken } = gateway.renderer
    const pinsOf = async (body: object) => {
      t.equal((await call('POST', '/v1/generate', { body })).status, 200)
      const { partials } = taken.at(-1)?.input ?? {}
      return partials && Object.fromEntries(Object.entries(partials).map(([name, { version }]) => [name, version]))
    }
    await create('inner', 'a')
    await create('outer', '{{> inner}}')
    await create('head', 'h')
    await call('POST', '/v1/templates', { body: { name: 'Follows', html: '{{> outer}}', follow_partials: true } })
    await call('POST', '/v1/templates', { body: { name: 'Keeps', html: '{{> outer}}' } })
    await call('PATCH', '/v1/partials/inner', { body: { html: 'b' } })
    t.same(await pinsOf({ html: '{{> outer}}{{> none}}', data: {} }), { outer: 1, inner: 2 })
    t.equal(await pinsOf({ html: '{{> outer}}' }), undefined, 'html without data is not a template')
    t.equal(await pinsOf({ html: 'x', data: {} }), undefined)
    t.same(await pinsOf({ template: 'follows' }), { outer: 1, inner: 2 })
    t.equal(await pinsOf({ template: 'keeps' }), undefined, 'the version of the template has its pins')
    const header = { options: { header_html: '{{> head}}{{> inner}}' } }
    t.same(await pinsOf({ template: 'keeps', ...header }), { outer: 1, inner: 1, head: 1 }, 'one version of each')
    t.same(await pinsOf({ template: 'follows', ...header }), { outer: 1, inner: 2, head: 1 })
    const output = { e_invoice: { standard: 'factur-x', profile: 'basic', xml: '<a>{{> head}}</a>' } }
    t.same(await pinsOf({ template: 'keeps', options: { output } }), { outer: 1, inner: 1, head: 1 })
    t.same(await pinsOf({ html: 'x', data: {}, options: { output } }), { head: 1 })
    await call('PATCH', '/v1/templates/follows', { body: { name: 'Follows still' } })
    await call('PATCH', '/v1/partials/inner', { body: { html: 'c' } })
    t.same(await pinsOf({ template: 'follows', template_version: 1 }), { outer: 1, inner: 3 })
  },
)
