import { setTimeout as delay } from 'node:timers/promises'
import { apiKey, type Call, eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer, url } = gateway
t.afterEach(() => {
  renderer.behaviour = 'complete'
})

const generate = (body: object, more: Call = {}) => call('POST', '/v1/generate', { body, ...more })

t.test('a synchronous request that would wait too long is refused with the time to wait', async (t) => {
  const other = await gateway.issueKey()
  const details = { retry_after_s: 7 }
  renderer.behaviour = { refusal: { code: 'QUEUE_FULL', message: 'The renderers are busy', details } }
  const headers = { 'idempotency-key': 'refused' }
  const refused = await generate({ html: 'x' }, { headers })
  t.match(refused, { status: 503, body: { error: { code: 'QUEUE_FULL', details } } })
  t.equal(refused.headers.get('retry-after'), '7')
  const refusedId = refused.headers.get('x-generation-id')
  t.match((await call('GET', `/v1/generations/${refusedId}`)).body, { status: 'failed', error: { code: 'QUEUE_FULL' } })

  // Of two requests, one right after the other: on a busy machine the second can come too late.
  await eventually(async () => {
    const taken = renderer.taken.length
    for (const _ of [1, 2]) t.equal((await generate({ html: 'x' })).status, 503)
    if (renderer.taken.length > taken + 1) throw new Error('the renderer was asked again at once')
  })
  renderer.behaviour = 'complete'
  t.equal((await generate({ html: 'x' }, { key: other })).status, 200, 'other keys are not refused')
  t.equal((await generate({ html: 'x', async: true })).status, 202, 'nor are asynchronous requests')
  const repeated = await eventually(async () => {
    const answer = await generate({ html: 'x' }, { headers })
    if (answer.status !== 200) throw new Error(`${answer.status}`)
    return answer
  })
  t.not(repeated.body.id, refusedId, 'it is another generation')
  t.equal(repeated.headers.get('idempotency-replayed'), null)
})

t.test('a refusal is that of all requests with its Idempotency-Key, the next one is a new generation', async (t) => {
  const caller = { key: await gateway.issueKey(), headers: { 'idempotency-key': 'shared' } }
  renderer.behaviour = { refusal: { code: 'QUEUE_FULL', message: 'The renderers are busy' }, held: true }
  const before = renderer.taken.length
  const first = generate({ html: 'x' }, caller)
  while (renderer.taken.length === before) await delay(10)
  const second = generate({ html: 'x' }, caller)
  const prefer = { ...caller.headers, prefer: 'respond-async, wait=0' }
  const accepted = await generate({ html: 'x' }, { ...caller, headers: prefer })
  t.equal(accepted.status, 202)
  // The second has no effect on the renderer that could be waited for.
  await delay(300)
  renderer.behaviour = 'complete'
  renderer.release()
  t.match(await first, { status: 503, body: { error: { code: 'QUEUE_FULL' } } })
  t.match(await second, { status: 503, body: { error: { code: 'QUEUE_FULL' } } })
  t.match(
    (await call('GET', `/v1/generations/${accepted.body.id}`)).body,
    { status: 'failed' },
    'what has an id is found',
  )
  t.equal(renderer.taken.length, before + 1)
  const answers = await eventually(async () => {
    const both = await Promise.all([1, 2].map(() => generate({ html: 'another' }, caller)))
    if (both.some(({ status }) => status !== 200)) throw new Error('refused again')
    return both
  })
  const ids = new Set(answers.map(({ body }) => body.id))
  t.equal(ids.size, 1, 'one generation for all that repeat it, with another body')
  t.notOk(ids.has(accepted.body.id))
})

t.test('a generation whose client has disconnected is cancelled unless the client may return', async (t) => {
  renderer.behaviour = 'held'
  const send = async (headers: Record<string, string>) => {
    const before = renderer.taken.length
    const client = new AbortController()
    const sent = fetch(new URL('/v1/generate', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ html: 'x' }),
      signal: client.signal,
    })
    while (renderer.taken.length === before) await delay(10)
    client.abort()
    await t.rejects(sent)
    return renderer.taken.at(-1)?.request.generation_id ?? ''
  }
  const abandoned = await send({})
  const kept = await send({ 'idempotency-key': 'returns' })
  t.match((await call('GET', `/v1/generations/${abandoned}?wait=20`)).body, { status: 'cancelled' })
  t.match(renderer.taken.map(({ waiting }) => waiting?.returns).slice(-2), [false, true])
  // The command is taken before its start is recorded.
  await eventually(async () => {
    const { status } = (await call('GET', `/v1/generations/${kept}`)).body
    if (status !== 'rendering') throw new Error(status)
  })
  renderer.release()
  t.match((await call('GET', `/v1/generations/${kept}?wait=20`)).body, { status: 'completed' })
})
