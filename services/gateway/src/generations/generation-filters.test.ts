import { ownScopes } from '@platen/domain/api-key/api-key.ts'
import { apiKeyId } from '@platen/domain/api-key/api-keys.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer, services } = gateway
const acme = await createOwner(services.store, 'Acme')
const [acmeKey, otherKey, admin] = [
  await gateway.issueKeyOf(acme, ...ownScopes),
  await gateway.issueKeyOf(acme, ...ownScopes),
  await gateway.issueKey('admin'),
]

const generate = async (body: object, key = acmeKey): Promise<string> => {
  const { headers } = await call('POST', '/v1/generate', { key, body })
  // One made by another process in the same millisecond would be in any order.
  await new Promise((resolve) => setTimeout(resolve, 2))
  return String(headers.get('x-generation-id'))
}
const list = (query: string, key = acmeKey) => call('GET', `/v1/generations?${query}`, { key })
const idsOf = async (query: string, key = acmeKey): Promise<string[]> => {
  const { status, body } = await list(query, key)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data.map(({ id }: { id: string }) => id)
}

t.test('generations are listed by what an author or a developer looks for', async (t) => {
  const template = (await call('POST', '/v1/templates', { key: acmeKey, body: { name: 'Bill', html: 'x' } })).body
  const first = await generate({ template: 'bill', file_name: 'Invoice 1.pdf' })
  await call('PATCH', '/v1/templates/bill', { key: acmeKey, body: { html: 'y' } })
  const second = await generate({ template: 'bill', file_name: 'Invoice 2.pdf' })
  renderer.behaviour = { code: 'RENDER_FAILED', message: 'no' }
  const failed = await generate({ html: 'x', file_name: 'Letter.pdf' })
  renderer.behaviour = { code: 'RENDER_TIMEOUT', message: 'late' }
  const late = await generate({ html: 'x' })
  renderer.behaviour = 'complete'
  const ofOther = await generate({ html: 'x', metadata: { order: '7' } }, otherKey)
  const warned = newId('pdf')
  const engine = { name: 'fake', version: '1', mode: 'static' }
  const warnings = [{ code: 'MISSING_VALUE', message: 'a is not in the data' }]
  const file = { object_key: 'pdfs/x', pages: 1, size: 1, sha256: 'a', duration_ms: 1, engine, warnings }
  const event = (type: string, data: object) => ({ id: crypto.randomUUID(), type, data: { ...data } })
  const requested = { owner_id: acme, api_key_id: apiKeyId(acmeKey) }
  await services.store.append(
    `generation-${warned}`,
    [event('GenerationRequested', requested), event('GenerationCompleted', file)],
    'none',
  )
  renderer.behaviour = 'held'
  const held = (await call('POST', '/v1/generate', { key: acmeKey, body: { html: 'x', async: true } })).body.id
  await eventually(async () => {
    const { body } = await call('GET', `/v1/generations/${held}`, { key: acmeKey })
    if (body.status !== 'rendering') throw new Error(`it is ${body.status}`)
  })

  t.same(await idsOf(''), [held, warned, ofOther, late, failed, second, first])
  t.same(await idsOf('status=failed'), [late, failed])
  t.same(await idsOf('status=rendering,failed'), [held, late, failed])
  t.same(await idsOf('status=queued,failed,failed&limit=1'), [late])
  t.same(await idsOf('template=bill'), [second, first])
  t.same(await idsOf(`template=${template.id}&template_version=1`), [first])
  t.same(await idsOf('template=bill&template_version=3'), [])
  t.same(await idsOf(`api_key_id=${apiKeyId(otherKey)}`), [ofOther])
  t.same(await idsOf(`api_key_id=${apiKeyId(acmeKey)}&status=failed`), [late, failed])
  t.same(await idsOf('api_key_id=key_00000000000000000000000000'), [])
  t.same(await idsOf('error_code=RENDER_TIMEOUT'), [late])
  t.same(await idsOf('error_code=RENDER_TIMEOUT&status=completed'), [])
  t.same(await idsOf('warnings=true'), [warned])
  t.same(await idsOf('warnings=false&status=completed'), [ofOther, second, first])
  t.same(await idsOf('q=iNVOICE'), [second, first])
  t.same(await idsOf('q=e%202.pdf&template=bill'), [second])
  t.same(await idsOf('q=%25'), [], 'no wildcard')
  t.same(await idsOf(`q=${failed.slice(0, 20).toUpperCase()}`), await idsOf(`q=${failed.slice(0, 20)}`))
  t.same(await idsOf(`q=${failed}`), [failed])
  t.same(await idsOf(`q=${failed}&created_before=2020-01-31`), [])
  renderer.release()
  renderer.behaviour = 'complete'
})

t.test('an administrator lists the generations of all owners, and sees to whom each belongs', async (t) => {
  const mine = await generate({ html: 'x', file_name: 'Mine.pdf', metadata: { order: '8' } }, admin)
  const theirs = await generate({ html: 'x', file_name: 'Theirs.pdf' })
  const { body } = await list('owner=*&limit=2', admin)
  t.match(body.data, [
    { id: theirs, owner_id: acme },
    { id: mine, owner_id: 'own_default' },
  ])
  const all = await idsOf('owner=*&limit=100', admin)
  t.same(await idsOf(`owner=*&limit=2&cursor=${body.next_cursor}`, admin), all.slice(2, 4))
  t.notOk('owner_id' in (await list('', admin)).body.data[0])
  t.same(await idsOf(`owner=${acme}`, admin), await idsOf(''))
  t.same(await idsOf('owner=*&status=failed', admin), await idsOf('status=failed'))
  t.same(await idsOf('owner=*&error_code=RENDER_FAILED', admin), await idsOf('error_code=RENDER_FAILED'))
  t.same(await idsOf('owner=*&warnings=true', admin), await idsOf('warnings=true'))
  t.same(await idsOf('owner=*&q=s.pdf', admin), [theirs])
  t.same(await idsOf('owner=*&metadata.order=8', admin), [mine])
  t.same(await idsOf(`owner=*&api_key_id=${apiKeyId(otherKey)}`, admin), await idsOf('metadata.order=7'))
  const { body: template } = await call('GET', '/v1/templates/bill', { key: acmeKey })
  t.same(await idsOf(`owner=*&template=${template.id}`, admin), await idsOf('template=bill'))
  t.same(await idsOf('owner=*&template=bill', admin), [], 'a slug is of one owner')

  await renderer[Symbol.asyncDispose]()
  const queued = (await call('POST', '/v1/generate', { key: acmeKey, body: { html: 'x', async: true } })).body.id
  t.match((await list('owner=*&status=queued', admin)).body.data, [{ id: queued, owner_id: acme, status: 'queued' }])
  t.same(await idsOf('owner=*&status=queued&q=x', admin), [])
  t.notOk((await idsOf('owner=*&warnings=true', admin)).includes(queued), 'it has none yet')
  for (const query of ['owner=*', `owner=${acme}`]) {
    t.match(await list(query), { status: 403, body: { error: { code: 'FORBIDDEN' } } }, query)
  }
  for (const path of ['/v1/templates', `/v1/generations/${mine}`, '/v1/batches']) {
    t.match(await call('GET', `${path}?owner=*`, { key: admin }), { status: 404 }, path)
  }
})

t.test('wrong filters answer 400', async (t) => {
  for (const query of [
    'status=done',
    'status=failed,',
    'status=failed&status=queued',
    'template_version=1',
    'template=bill&template_version=0',
    'warnings=maybe',
    'q=',
    'q=a%2Fb',
    'owner=*&owner=*',
  ]) {
    const answer = await list(query, admin)
    t.match(answer, { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } }, query)
  }
})
