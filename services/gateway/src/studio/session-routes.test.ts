import { apiKeyId, revokeApiKey, rotateApiKey } from '@platen/domain/api-key/api-keys.ts'
import { changeOwner, createOwner } from '@platen/domain/owner/owners.ts'
import { type Answer, type Call, eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, services } = gateway
const { store } = services
const port = new URL(gateway.url).port

const begin = (key: string, headers = {}) => call('POST', '/v1/session', { key, headers })
const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? ''
/** As a page of the studio sends it. */
const withCookie = (cookie: string, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }): Call => ({
  key: null,
  headers: { cookie, ...headers },
})
const list = (cookie: string, headers?: Record<string, string>) =>
  call('GET', '/v1/templates', withCookie(cookie, headers))
const untilEnded = (cookie: string) =>
  eventually(async () => {
    const { status } = await list(cookie)
    if (status !== 401) throw new Error(`still ${status}`)
  })

t.test('a key is exchanged for a cookie that scripts cannot read and other sites do not send', async (t) => {
  const key = await gateway.issueKey('templates:read')
  const begun = await begin(key)
  t.equal(begun.status, 201)
  t.match(begun.headers.get('set-cookie'), /; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/)
  t.match(cookieOf(begun), new RegExp(`^platen_session_${port}=${apiKeyId(key)}\\.`))
  t.notOk(cookieOf(begun).includes(key.slice(3)), 'it has no secret')
  t.match(begun.body, {
    api_key: { id: apiKeyId(key), name: 'test', scopes: ['templates:read'] },
    owner: { id: 'own_default' },
    expires_at: /Z$/,
  })
  t.equal((await list(cookieOf(begun))).status, 200)
  t.same((await call('GET', '/v1/session', withCookie(cookieOf(begun)))).body, begun.body)
  const notAllowed = await call('POST', '/v1/templates', {
    ...withCookie(cookieOf(begun)),
    body: { name: 'x', html: 'x' },
  })
  t.equal(notAllowed.status, 403, 'it may what its key may')
})

t.test('behind a proxy with TLS, the cookie is for TLS only', async (t) => {
  const key = await gateway.issueKey()
  t.match((await begin(key, { origin: 'https://pdf.example.com' })).headers.get('set-cookie'), /; Secure$/)
  t.notMatch((await begin(key, { origin: 'http://localhost' })).headers.get('set-cookie'), 'Secure')
})

t.test('without a session, GET /v1/session says which key is used', async (t) => {
  const key = await gateway.issueKey('generate')
  const { status, body } = await call('GET', '/v1/session', { key })
  t.match([status, body], [200, { api_key: { id: apiKeyId(key) }, owner: { name: /./ } }])
  t.notOk('expires_at' in body)
})

t.test('a session is accepted only from the pages of its own server', async (t) => {
  const cookie = cookieOf(await begin(await gateway.issueKey()))
  const body = { name: 'Forged', html: 'x' }
  const refused: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: gateway.url },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { referer: `https://evil.example/?${gateway.url}` },
    { origin: 'https://evil.example', referer: gateway.url },
  ]
  for (const headers of refused) {
    for (const [method, path] of [
      ['POST', '/v1/templates'],
      ['GET', '/v1/templates'],
    ] as const) {
      const call_ = withCookie(cookie, headers)
      const answer = await call(method, path, method === 'POST' ? { ...call_, body } : call_)
      t.match([answer.status, answer.body.error.code], [403, 'FORBIDDEN'], `${method} ${JSON.stringify(headers)}`)
    }
  }
  for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: gateway.url }]) {
    const created = await call('POST', '/v1/templates', { ...withCookie(cookie, headers), body })
    t.equal(created.status, 201, JSON.stringify(headers))
  }
  t.equal((await list(cookie, { referer: `${gateway.url}/studio/` })).status, 200)
})

t.test('a forged or altered cookie is refused, and removed from the browser', async (t) => {
  const key = await gateway.issueKey('generate')
  const other = await gateway.issueKey()
  const [name = '', value = ''] = cookieOf(await begin(key)).split('=')
  const [, issued = '', expires = '', signature = ''] = value.split('.')
  const forged = [
    '',
    'x',
    `${value}x`,
    value.slice(0, -1),
    [apiKeyId(other), issued, expires, signature].join('.'),
    [apiKeyId(key), issued, String(Number(expires) + 1), signature].join('.'),
    [apiKeyId(key), String(Number(issued) - 1), expires, signature].join('.'),
    [apiKeyId(key), issued, expires, signature.split('').reverse().join('')].join('.'),
    [apiKeyId(key), issued, expires, ''].join('.'),
    `key_${'0'.repeat(26)}.${issued}.${expires}.${signature}`,
  ]
  for (const one of forged) {
    const { status, body, headers } = await list(`${name}=${one}`)
    t.match([status, body.error.code], [401, 'UNAUTHORIZED'], one)
    t.match(headers.get('set-cookie'), /=; Path=\/; Max-Age=0;/, one)
  }
  t.equal((await list('')).status, 401)
  t.equal((await list(`other=${value}`)).status, 401)
})

t.test('the header Authorization wins over the cookie', async (t) => {
  const cookie = cookieOf(await begin(await gateway.issueKey()))
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  t.equal((await call('GET', '/v1/templates', { key: 'pk_wrong', headers })).status, 401)
  const foreign = { cookie, 'sec-fetch-site': 'cross-site' }
  t.equal((await call('GET', '/v1/templates', { headers: foreign })).status, 200)
})

t.test('a session expires', async (t) => {
  const another = await gateway.startAnother({ sessionTtlS: 1 })
  t.teardown(() => another[Symbol.asyncDispose]())
  const send = (path: string, init: RequestInit) => fetch(new URL(path, another.url), init)
  const authorization = `Bearer ${await gateway.issueKey()}`
  const begun = await eventually(async () => {
    const response = await send('/v1/session', { method: 'POST', headers: { authorization } })
    if (response.status !== 201) throw new Error(`still ${response.status}`)
    return response
  })
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  await eventually(async () => {
    const { status } = await send('/v1/templates', { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    if (status !== 401) throw new Error(`still ${status}`)
  })
  t.pass()
})

t.test('a session ends with its key', async (t) => {
  await t.test('when the key is revoked', async () => {
    const key = await gateway.issueKey()
    const cookie = cookieOf(await begin(key))
    await revokeApiKey(store, apiKeyId(key))
    await untilEnded(cookie)
  })
  await t.test('when the secret is replaced', async (t) => {
    const key = await gateway.issueKey()
    const cookie = cookieOf(await begin(key))
    const { key: rotated } = await rotateApiKey(store, apiKeyId(key))
    await untilEnded(cookie)
    t.equal((await list(cookieOf(await begin(rotated)))).status, 200)
  })
  await t.test('when the replaced secret is no longer accepted', async (t) => {
    const key = await gateway.issueKey()
    const cookie = cookieOf(await begin(key))
    const { key: second } = await rotateApiKey(store, apiKeyId(key), { graceS: 3_600 })
    await eventually(async () => {
      if ((await begin(second)).status !== 201) throw new Error('the new secret is not shown yet')
    })
    t.equal((await list(cookie)).status, 200)
    await rotateApiKey(store, apiKeyId(key))
    await untilEnded(cookie)
  })
})

t.test('events are sent no longer than a key, a session or an owner is accepted', async (t) => {
  const follow = (headers: Record<string, string>) => fetch(new URL('/v1/status/events', gateway.url), { headers })
  const owner = await createOwner(store, 'Followed')
  const ends: Record<string, (key: string) => Promise<unknown>> = {
    key: (key: string) => revokeApiKey(store, apiKeyId(key)),
    session: (key: string) => revokeApiKey(store, apiKeyId(key)),
    owner: () => changeOwner(store, owner, { type: 'DisableOwner', data: {} }),
  }
  for (const [of, end] of Object.entries(ends)) {
    const key = await gateway.issueKeyOf(owner, 'generations:read')
    const headers: Record<string, string> =
      of === 'session'
        ? { cookie: cookieOf(await begin(key)), 'sec-fetch-site': 'same-origin' }
        : { authorization: `Bearer ${key}` }
    const followed = await follow(headers)
    await end(key)
    t.match([followed.status, await followed.text()], [200, /^event: status\n/], of)
  }
})

t.test('the session of a disabled owner is refused with 403', async (t) => {
  const owner = await createOwner(store, 'Late')
  const key = await gateway.issueKeyOf(owner)
  const cookie = cookieOf(await begin(key))
  t.equal((await list(cookie)).status, 200)
  await changeOwner(store, owner, { type: 'DisableOwner', data: {} })
  await eventually(async () => {
    const { status } = await list(cookie)
    if (status !== 403) throw new Error(`still ${status}`)
  })
  t.equal((await begin(key)).status, 403)
})

t.test('signing out removes the cookie', async (t) => {
  const cookie = cookieOf(await begin(await gateway.issueKey()))
  const { status, headers } = await call('DELETE', '/v1/session', withCookie(cookie))
  t.match([status, headers.get('set-cookie')], [204, /=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/])
})

t.test(
  'a copy of a cookie is refused after signing out, at every gateway, and other sessions of its key are not',
  async (t) => {
    const key = await gateway.issueKey('generations:read')
    const another = await gateway.startAnother()
    t.teardown(() => another[Symbol.asyncDispose]())
    const elsewhere = (cookie: string) => {
      const [, value = ''] = cookie.split('=')
      const headers = {
        cookie: `platen_session_${new URL(another.url).port}=${value}`,
        'sec-fetch-site': 'same-origin',
      }
      return fetch(new URL('/v1/session', another.url), { headers })
    }
    const [ended, open] = [cookieOf(await begin(key)), cookieOf(await begin(key))]
    await eventually(async () => {
      if ((await elsewhere(ended)).status !== 200) throw new Error('the key is not shown yet')
    })
    const headers = { cookie: ended, 'sec-fetch-site': 'same-origin' }
    const followed = await fetch(new URL('/v1/status/events', gateway.url), { headers })
    t.equal((await call('DELETE', '/v1/session', withCookie(ended))).status, 204)
    const refused = await call('GET', '/v1/session', withCookie(ended))
    t.match([refused.status, refused.body.error.code], [401, 'UNAUTHORIZED'])
    await followed.text()
    await eventually(async () => {
      const { status } = await elsewhere(ended)
      if (status !== 401) throw new Error(`still ${status}`)
    })
    t.equal((await call('GET', '/v1/session', withCookie(open))).status, 200)
    t.equal((await call('GET', '/v1/session', { key })).status, 200)
    const recorded = (await call('GET', `/v1/streams/keyuse-${apiKeyId(key)}/events`)).body.data
    t.notOk(JSON.stringify(recorded).includes(ended.split('.').at(-1) ?? ''), 'the log has no cookie')
  },
)

t.test('a session is not prolonged by a session, and wrong keys are limited as everywhere', async (t) => {
  const cookie = cookieOf(await begin(await gateway.issueKey()))
  t.equal((await call('POST', '/v1/session', withCookie(cookie))).status, 401)
  const another = await gateway.startAnother()
  t.teardown(() => another[Symbol.asyncDispose]())
  const statuses = new Set<number>()
  for (let count = 0; count < 201; count++) {
    const headers = { authorization: `Bearer pk_wrong_${count}` }
    statuses.add((await fetch(new URL('/v1/session', another.url), { method: 'POST', headers })).status)
  }
  t.same([...statuses], [401, 429])
})

t.test('with STUDIO=off there are no sessions', async (t) => {
  const cookie = cookieOf(await begin(await gateway.issueKey()))
  const another = await gateway.startAnother({ studio: 'off' })
  t.teardown(() => another[Symbol.asyncDispose]())
  const name = `platen_session_${new URL(another.url).port}`
  const headers = { cookie: cookie.replace(/^[^=]+/, name), 'sec-fetch-site': 'same-origin' }
  t.equal((await fetch(new URL('/v1/templates', another.url), { headers })).status, 401)
  const authorization = { authorization: `Bearer ${await gateway.issueKey()}` }
  await eventually(async () => {
    const { status } = await fetch(new URL('/v1/session', another.url), { method: 'POST', headers: authorization })
    if (status !== 404) throw new Error(`still ${status}`)
  })
})
