import { createHash } from 'node:crypto'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { png, svg, ttf } from '@platen/test-support/asset-files.ts'
import { type Call, startTestGateway, testConfig } from '@platen/test-support/gateway/test-gateway.ts'
import { zipSync } from 'fflate'
import t from 'tap'

const limits = { bytes: 1_000_000, count: 20, totalBytes: 3_000_000, references: 30 }
const gateway = await startTestGateway({ assets: limits })
t.teardown(() => gateway[Symbol.asyncDispose]())
const { services } = gateway
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const storedAssets = async () => {
  const found: { key: string; size: number }[] = []
  for await (const { key, size } of services.objects.list('assets')) found.push({ key, size })
  return found
}
const red = png(2, 2, [255, 0, 0])

const put = (name: string, rawBody: string | Buffer, { headers, ...call }: Call = {}) =>
  gateway.call('PUT', `/v1/assets/${name}`, {
    rawBody,
    headers: { 'content-type': 'application/octet-stream', ...headers },
    ...call,
  })
const get = (path: string, call?: Call) => gateway.call('GET', `/v1/assets${path}`, call)

t.test('an asset is created, replaced, listed and deleted, and its earlier contents stay', async (t) => {
  const created = await put('logo.svg', svg)
  t.match(created, {
    status: 201,
    body: {
      name: 'logo.svg',
      version: 1,
      type: 'image/svg+xml',
      bytes: svg.length,
      sha256: sha256(svg),
      references: [],
      created_at: String,
    },
  })
  t.equal(created.headers.get('location'), `${gateway.url}/v1/assets/logo.svg`)
  t.equal(created.headers.get('etag'), `"${sha256(svg)}"`)
  t.match(await put('logo.svg', svg), { status: 200, body: { version: 1, updated_at: created.body.updated_at } })
  const other = svg.replace('0000ff', '00ff00')
  t.match(await put('logo.svg', other), { status: 200, body: { version: 2, created_at: created.body.created_at } })
  t.match(await put('logo.svg', svg), { status: 200, body: { version: 3, sha256: sha256(svg) } })
  t.match(await get('/logo.svg'), { status: 200, body: { version: 3, type: 'image/svg+xml' } })

  const versions = await get('/logo.svg/versions?limit=2')
  t.match(versions.body.data, [{ version: 3 }, { version: 2, sha256: sha256(other) }])
  t.match((await get(`/logo.svg/versions?cursor=${versions.body.next_cursor}`)).body, {
    data: [{ version: 1, sha256: sha256(svg) }],
    next_cursor: undefined,
  })
  await put('a.png', red)
  t.match(await get('?limit=1'), { body: { data: [{ name: 'a.png' }], next_cursor: String } })
  const { body: first } = await get('?limit=1')
  t.match(await get(`?limit=1&cursor=${first.next_cursor}`), { body: { data: [{ name: 'logo.svg' }] } })
  t.match(await get('?cursor=LVg'), { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } })

  t.equal((await gateway.call('DELETE', '/v1/assets/logo.svg')).status, 204)
  const gone = { status: 404, body: { error: { code: 'ASSET_NOT_FOUND' } } }
  t.match(await get('/logo.svg'), gone)
  t.match(await get('/logo.svg/content'), gone)
  t.match(await gateway.call('DELETE', '/v1/assets/logo.svg'), gone)
  // Clients send a content type without a body.
  const headers = { 'content-type': 'application/json' }
  t.match(await gateway.call('DELETE', '/v1/assets/logo.svg', { headers }), gone)
  t.equal(String((await get('/logo.svg/content?version=2')).bytes), other)
  t.match(await get('/logo.svg/content?version=4'), { ...gone, body: { error: { message: /versions 1 to 3/ } } })
  t.match(await put('logo.svg', other), { status: 201, body: { version: 4 } })
})

t.test('the bytes are served with headers that keep a browser from running them', async (t) => {
  await put('a.png', red)
  await put('x.svg', svg)
  await put('f.ttf', ttf)
  const picture = await get('/a.png/content')
  t.same(picture.bytes, red)
  t.match(Object.fromEntries(picture.headers), {
    'content-type': 'image/png',
    'content-length': String(red.length),
    'content-disposition': 'inline; filename="a.png"',
    'content-security-policy': /default-src 'none'.*sandbox/,
    'x-content-type-options': 'nosniff',
    etag: `"${sha256(red)}"`,
  })
  t.match(Object.fromEntries((await get('/x.svg/content')).headers), {
    'content-type': 'image/svg+xml',
    'content-disposition': 'attachment; filename="x.svg"',
  })
  t.equal((await get('/f.ttf/content')).headers.get('content-type'), 'font/ttf')
  await put('run.js', 'alert(1)')
  t.match(Object.fromEntries((await get('/run.js/content')).headers), {
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'content-disposition': 'attachment; filename="run.js"',
  })
  const known = { headers: { 'if-none-match': `"${sha256(red)}"` } }
  t.equal((await get('/a.png/content', known)).status, 304)
  t.equal((await get('/a.png', known)).status, 304)
  const head = await gateway.call('HEAD', '/v1/assets/a.png/content')
  t.match([head.status, head.headers.get('content-length'), head.bytes.length], [200, String(red.length), 0])
})

t.test('the type comes from the bytes, and a content-type that says otherwise is refused', async (t) => {
  const css = 'body { color: red }'
  const cases: [name: string, bytes: string | Buffer, contentType: string, type: string | undefined][] = [
    ['t-a', red, 'image/png', 'image/png'],
    ['t-b.jpg', red, '', 'image/png'],
    ['t-c', Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb', 'hex'), 'image/jpg', 'image/jpeg'],
    ['t-d', Buffer.from('474946383961010001008000', 'hex'), 'image/gif', 'image/gif'],
    [
      't-e',
      Buffer.from('524946461a000000574542505650384c0d0000002f00000010071011118888fe0700', 'hex'),
      '',
      'image/webp',
    ],
    [
      't-f',
      Buffer.concat([Buffer.from('000000206674797061766966000000006176696600000000', 'hex'), red]),
      '',
      'image/avif',
    ],
    ['t-g', ttf, 'font/sfnt', 'font/ttf'],
    [
      't-h',
      `\ufeff<?xml version="1.0"?>\n<!-- a > b --><!DOCTYPE svg [<!ENTITY a "b">]>\n${svg}`,
      'image/svg+xml',
      'image/svg+xml',
    ],
    ['t-i.css', css, 'application/x-www-form-urlencoded', 'text/css'],
    ['t-j', css, 'text/css; charset=utf-8', 'text/css'],
    ['t-k', css, '', undefined],
    ['t-l.css', Buffer.from([0x61, 0xff]), '', undefined],
    ['t-m', red, 'image/jpeg', undefined],
    ['t-n', svg, 'image/png', undefined],
    ['t-o', '<html><svg></svg></html>', '', undefined],
    ['t-p', '<?xml version="1.0"?><rss/>', 'image/svg+xml', undefined],
    ['t-q.pdf', '%PDF-1.7\n', 'application/pdf', 'application/pdf'],
    ['t-v', 'PDF', 'application/pdf', undefined],
    ['t-r', Buffer.from('504b0304140000000800', 'hex'), '', undefined],
    ['t-s', '<script>1</script>', 'text/html', undefined],
    ['t-t', '{"a":1}', 'application/json', undefined],
    ['t-u', '<!--', '', undefined],
    // The files of GHSA-5v7r-6r5c-r473, GHSA-mhxj-85r3-2x55 and GHSA-j47w-4g3g-c36v.
    ['t-w', Buffer.from('3026b2758e66cf11a6d9'.padEnd(110, '0'), 'hex'), '', undefined],
    ['t-x', Buffer.from('1a45dfa3a0'.padEnd(80, '0'), 'hex'), '', undefined],
    ['t-y', Buffer.from(zipSync({ '[Content_Types].xml': Buffer.alloc(2 ** 24, ' ') })), '', undefined],
  ]
  for (const [name, bytes, contentType, type] of cases) {
    const answer = await put(name, bytes, { headers: contentType === '' ? {} : { 'content-type': contentType } })
    const expected = type
      ? { status: 201, body: { type } }
      : { status: 415, body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } } }
    t.match(answer, expected, `${name} ${contentType}`)
    if (type) await gateway.call('DELETE', `/v1/assets/${name}`)
  }
})

t.test('a style sheet lists the assets that it names', async (t) => {
  const css = [
    '@import "asset:base.css"; @import url(./more.css);',
    '@font-face { font-family: B; src: url(brand.woff2) format("woff2"), url(brand.ttf?#iefix) }',
    'a { background: url("asset:bg.png#x"), url(data:image/png;base64,AAAA), url(https://x.example/y.png), url(../up.png) }',
    '.self { background: url(brand.css) } /* url(not.png) */',
  ].join('\n')
  t.match(await put('brand.css', css), {
    status: 201,
    body: { references: ['base.css', 'bg.png', 'brand.ttf', 'brand.woff2', 'more.css'] },
  })
  const many = Array.from({ length: 26 }, (_, n) => `url(m${n}.png)`).join(', ')
  t.match(await put('many.css', `a { background: ${many} }`), {
    status: 409,
    body: { error: { code: 'ASSET_LIMIT_EXCEEDED', message: /at most 30 assets together/ } },
  })
  const large = `a{}${' '.repeat(2 * 2 ** 20)}`
  t.match(await put('large.css', large), { status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } })
})

t.test('the usage of an asset lists templates, with the version that they print, and style sheets', async (t) => {
  await put('used.svg', svg)
  await put('uses.css', 'a { background: url(used.svg) }')
  const create = async (name: string, html: string) => {
    const { body } = await gateway.call('POST', '/v1/templates', { body: { name, html } })
    return body.id
  }
  const first = await create('Uses it', '<img src="asset:used.svg">')
  await put('used.svg', svg.replace('40', '44'))
  const second = await create('Uses its style sheet', '<link href="asset:uses.css">')
  t.strictSame((await get('/used.svg/usage')).body, {
    templates: [
      { id: second, slug: 'uses-its-style-sheet', version: 1, newest: true, labels: [], asset_version: 2 },
      { id: first, slug: 'uses-it', version: 1, newest: true, labels: [], asset_version: 1 },
    ],
    style_sheets: ['uses.css'],
    counts: { templates: 2, style_sheets: 1 },
  })
  await gateway.call('PATCH', `/v1/templates/${first}`, { body: { html: '<img src="asset:used.svg"> ' } })
  t.strictSame(
    (await get('/used.svg/usage')).body.templates.map(({ id, version }: { id: string; version: number }) => [
      id,
      version,
    ]),
    [
      [second, 1],
      [first, 2],
    ],
    'a replaced version is not listed',
  )
  await gateway.call('DELETE', `/v1/templates/${second}`)
  const refused = await gateway.call('DELETE', '/v1/assets/used.svg')
  t.match(refused, {
    status: 409,
    body: {
      error: {
        code: 'CONFLICT',
        message: /used by 1 template \(uses-it\) and 1 style sheet \(uses\.css\); .*force=true/,
      },
    },
  })
  t.equal((await get('/used.svg')).status, 200)
  t.equal((await gateway.call('DELETE', '/v1/assets/used.svg?force=true')).status, 204)
  t.match((await get('/used.svg/usage')).body, { templates: [{ id: first, version: 2, asset_version: 2 }] })

  // A version that is used by its label only.
  await put('old.svg', svg)
  const labelled = await create('Used it', '<img src="asset:old.svg">')
  await gateway.call('PUT', `/v1/templates/${labelled}/labels/published`, { body: { version: 1 } })
  await gateway.call('PATCH', `/v1/templates/${labelled}`, { body: { html: 'none' } })
  await gateway.call('PATCH', `/v1/templates/${labelled}`, { body: { html: 'nothing' } })
  const byLabel = [{ id: labelled, version: 1, newest: false, labels: ['published'], asset_version: 1 }]
  t.match((await get('/old.svg/usage')).body, { templates: byLabel, counts: { templates: 1 } })
  t.equal((await gateway.call('DELETE', '/v1/assets/old.svg')).status, 409)
  await gateway.call('DELETE', `/v1/templates/${labelled}/labels/published`)
  t.match((await get('/old.svg/usage')).body, { templates: [], counts: { templates: 0 } })
  t.equal((await gateway.call('DELETE', '/v1/assets/old.svg')).status, 204)
  t.equal((await get('/never.svg/usage')).status, 404)
})

t.test('names have folders, which URLs write as they are or encoded', async (t) => {
  const name = '@scope/Kit-1.0/fonts/A_b+c.svg'
  const created = await put(name, svg)
  t.match(created, { status: 201, body: { name, version: 1 } })
  t.equal(created.headers.get('location'), `${gateway.url}/v1/assets/${encodeURIComponent(name)}`)
  for (const path of [name, encodeURIComponent(name), `${name}/`]) {
    t.match(await get(`/${path}`), { status: 200, body: { name } }, path)
  }
  for (const path of [name, encodeURIComponent(name)]) {
    const content = await get(`/${path}/content?version=1`)
    t.match([content.status, content.headers.get('content-disposition')], [200, 'attachment; filename="A_b+c.svg"'])
    t.match(await get(`/${path}/versions`), { status: 200, body: { data: [{ version: 1 }] } })
    t.match(await get(`/${path}/usage`), { status: 200, body: { templates: [] } })
  }
  t.match(await get('/@scope/Kit-1.0/none.svg'), { status: 404, body: { error: { code: 'ASSET_NOT_FOUND' } } })
  t.match(await gateway.call('POST', `/v1/assets/${name}`), { status: 405 })

  const css =
    'a{background:url(./A_b+c.svg),url(../../logo.svg),url(../../../above.svg),url(/root.svg),url(asset:b/c.svg)}'
  t.match((await put('@scope/Kit-1.0/fonts/a.css', css)).body, {
    references: ['@scope/Kit-1.0/fonts/A_b+c.svg', '@scope/logo.svg', 'above.svg', 'b/c.svg'],
  })
  const top = await put('a.css', css)
  t.same(top.body.references, ['A_b+c.svg', 'b/c.svg'], 'the same bytes in another folder')

  const html = `<link rel=stylesheet href="asset:@scope/Kit-1.0/fonts/a.css">`
  const { body } = await gateway.call('POST', '/v1/templates', { body: { name: 'In folders', html } })
  t.same(Object.keys(body.assets), ['@scope/Kit-1.0/fonts/A_b+c.svg', '@scope/Kit-1.0/fonts/a.css'])
  t.equal((await gateway.call('DELETE', `/v1/assets/${name}`)).status, 409)
  t.equal((await gateway.call('DELETE', `/v1/assets/${name}?force=true`)).status, 204)
})

t.test('a script names the modules that it imports', async (t) => {
  const module = "import { a } from './lib/a.js'; export * from '../b.mjs'; import 'bare'; const c = import('./c.js')"
  const stored = await put('app/main.js', module)
  t.match(stored, { status: 201, body: { type: 'text/javascript', references: ['app/c.js', 'app/lib/a.js', 'b.mjs'] } })
  t.match((await put('broken.js', 'import {')).body, { type: 'text/javascript', references: [] })
  const as = (type: string) => put('any', 'let a', { headers: { 'content-type': type } })
  for (const type of ['text/javascript; charset=utf-8', 'application/javascript', 'application/x-javascript']) {
    t.match(await as(type), { body: { type: 'text/javascript' } }, type)
  }
  t.match(await as('text/html'), { status: 415 })
  t.match(await put('binary.js', red), { status: 201, body: { type: 'image/png' } }, 'the bytes decide')
})

t.test('what a file of more than 64 KiB refers to is the same', async (t) => {
  const long = 'x'.repeat(100_000)
  const script = await put('large/a.js', `/* ${long} */ import './b.js'`)
  t.match(script, { status: 201, body: { type: 'text/javascript', references: ['large/b.js'] } })
  const sheet = await put('large/a.css', `/* ${long} */ p { background: url(c.png) }`)
  t.match(sheet, { status: 201, body: { type: 'text/css', references: ['large/c.png'] } })
  const picture = await put('large/a.svg', `<svg><desc>${long}</desc><image href="d.png"/></svg>`)
  t.match(picture.body, { type: 'image/svg+xml', warnings: [{ code: 'RESOURCE_FAILED', message: /refers to d\.png/ }] })
  for (const name of ['a.js', 'a.css', 'a.svg'])
    t.equal((await gateway.call('DELETE', `/v1/assets/large/${name}`)).status, 204)
})

t.test('names, empty bodies and large ones are refused', async (t) => {
  for (const name of [
    ...[
      '.svg',
      '-a',
      'a%20b',
      '..%2fevents.db',
      'a%2f',
      'a%2f%2fb',
      'a/.b',
      'a%2f..%2fb',
      'a%00',
      'x'.repeat(201),
      'ä.svg',
    ],
    ...['a%2fcontent', 'a%2fb%2fusage', 'a%252fb', 'a%5cb', 'a%3fb'],
  ]) {
    t.match(await put(name, svg), { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } }, name)
    t.equal((await get(`/${name}`)).status, 404, name)
  }
  t.equal((await put('x'.repeat(200), svg)).status, 201)
  t.match(await put('empty.svg', ''), { status: 400, body: { error: { message: /no body/ } } })
  t.match(await gateway.call('PUT', '/v1/assets/none.svg'), { status: 400 })
  const large = Buffer.concat([red, Buffer.alloc(limits.bytes)])
  t.match(await put('large.png', large), { status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } })
  const streamed = await fetch(`${gateway.url}/v1/assets/large.png`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${testConfig.apiKey}` },
    body: ReadableStream.from([red, Buffer.alloc(limits.bytes)]),
    duplex: 'half',
  } as RequestInit)
  t.match([streamed.status, await streamed.json()], [413, { error: { code: 'PAYLOAD_TOO_LARGE' } }])
  t.match(await put('packed.svg', svg, { headers: { 'content-encoding': 'gzip' } }), { status: 415 })
})

t.test('conditions compare the SHA-256', async (t) => {
  const failed = { status: 412, body: { error: { code: 'PRECONDITION_FAILED' } } }
  const when = (headers: Record<string, string>) => put('cond.svg', svg, { headers })
  t.match(await when({ 'if-match': '*' }), failed, 'it does not exist')
  t.equal((await when({ 'if-none-match': '*' })).status, 201)
  t.match(await when({ 'if-none-match': '*' }), failed)
  t.match(await when({ 'if-match': `"${sha256('other')}"` }), failed)
  t.equal((await when({ 'if-match': `"${sha256(svg)}"` })).status, 200)
  const remove = (tag: string) => gateway.call('DELETE', '/v1/assets/cond.svg', { headers: { 'if-match': tag } })
  t.match(await remove('"x"'), failed)
  t.equal((await remove(`"${sha256(svg)}"`)).status, 204)
})

t.test('of concurrent uploads to one name each is a version, and the number of assets is limited', async (t) => {
  const owner = await createOwner(services.store, 'Many')
  const key = await gateway.issueKeyOf(owner, 'templates:write', 'templates:read')
  const coloured = Array.from({ length: 8 }, (_, n) => png(1, 1, [n, 0, 0]))
  const answers = await Promise.all(coloured.map((bytes) => put('same.png', bytes, { key })))
  t.strictSame(answers.map(({ body }) => body.version).sort(), [1, 2, 3, 4, 5, 6, 7, 8])
  t.equal(answers.filter(({ status }) => status >= 300).length, 0)
  const names = Array.from({ length: 30 }, (_, n) => `n${n}.png`)
  const many = await Promise.all(names.map((name) => put(name, red, { key })))
  t.equal(many.filter(({ status }) => status === 201).length, limits.count - 1)
  t.match(
    many.find(({ status }) => status !== 201),
    { status: 409, body: { error: { code: 'ASSET_LIMIT_EXCEEDED' } } },
  )
  t.equal((await put('same.png', red, { key })).status, 200, 'an asset may get another content')
  t.match((await get('?limit=100', { key })).body.data.length, limits.count)
  for (const name of names) await gateway.call('DELETE', `/v1/assets/${name}`, { key })
  const filled = Buffer.concat([red, Buffer.alloc(900_000)])
  for (const name of ['a', 'b', 'c']) t.equal((await put(name, filled, { key })).status, 201, name)
  t.match(await put('d', filled, { key }), { status: 409, body: { error: { message: /together/ } } })
})

t.test('assets of another owner do not exist, and scopes decide what a key may do', async (t) => {
  await put('mine.svg', svg)
  const owner = await createOwner(services.store, 'Other')
  const other = await gateway.issueKeyOf(owner, 'templates:write', 'templates:read')
  for (const path of ['/mine.svg', '/mine.svg/content', '/mine.svg/versions', '/mine.svg/content?version=1']) {
    t.match(await get(path, { key: other }), { status: 404, body: { error: { code: 'ASSET_NOT_FOUND' } } }, path)
  }
  t.equal((await gateway.call('DELETE', '/v1/assets/mine.svg', { key: other })).status, 404)
  t.match(await get('', { key: other }), { body: { data: [] } })
  t.match(await get(`/mine.svg?owner=${owner}`), { status: 404 })
  await put('mine.svg', svg.replace('20', '30'), { key: other })
  t.match((await get('/mine.svg')).body, { version: 1, sha256: sha256(svg) })
  const reader = await gateway.issueKey('templates:read')
  t.equal((await put('mine.svg', svg, { key: reader })).status, 403)
  t.equal((await get('/mine.svg', { key: await gateway.issueKey('generate') })).status, 403)
})

t.test('bytes are stored once, before the event, and are written again if they are lost', async (t) => {
  const unique = svg.replace('0000ff', '123456')
  const storedAs = async () =>
    (await storedAssets()).filter(({ key }) => key.startsWith(`assets/own_default.${sha256(unique)}.`))
  t.strictSame(await storedAs(), [])
  await put('once.svg', unique)
  await put('twice.svg', unique)
  const stored = await storedAs()
  t.match(stored, [{ size: unique.length }])
  await services.objects.delete(stored[0]?.key ?? '')
  t.match(await get('/once.svg/content'), { status: 404, body: { error: { message: /lost the bytes/ } } })
  t.equal((await put('once.svg', unique)).status, 200)
  t.equal((await get('/once.svg/content')).status, 200)
  const before = (await storedAssets()).length
  t.equal((await put('refused.svg', svg.replace('40', '41'), { headers: { 'if-match': '*' } })).status, 412)
  t.equal((await storedAssets()).length, before, 'what is refused is not stored')
})

t.test('another gateway sees an upload at once, and the event has no content', async (t) => {
  await using other = await gateway.startAnother()
  const subscription = services.bus.nats.subscribe('events.asset.stored.own_default')
  await put('seen.svg', svg.replace('40', '42'))
  const response = await fetch(`${other.url}/v1/assets/seen.svg`, {
    headers: { authorization: `Bearer ${testConfig.apiKey}` },
  })
  t.equal(response.status, 200)
  for await (const message of subscription) {
    const { type, data } = message.json<{ type: string; data: { name: string } }>()
    if (data.name !== 'seen.svg') continue
    t.match(
      { type, data },
      { type: 'com.platen.AssetStored', data: { owner_id: 'own_default', type: 'image/svg+xml' } },
    )
    break
  }
})
