import { request as httpRequest } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '@platen/test-support/until.ts'
import fastify, { type FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import t, { type Test } from 'tap'
import { limitWork, releaseSlot } from './limit-work.ts'
import { WorkLimiter } from './work-limiter.ts'

/** Its requests name their owner, and end when they are told to. */
async function givenApp(t: Test) {
  const app = fastify()
  t.teardown(() => app.close())
  const given = fp(
    async (scope) => {
      scope.decorateRequest('apiKey', null)
      scope.addHook('onRequest', async (request) => {
        const { owner } = request.query as { owner: string }
        request.setDecorator('apiKey', { id: request.id, ownerId: owner })
      })
    },
    { name: 'authentication' },
  )
  app.register(given)
  for (const name of ['owner', 'json-body']) app.register(fp(async () => {}, { name }))
  app.decorateRequest('beforeParsing', null)
  app.register(limitWork, { limiter: new WorkLimiter() })
  const begun: { owner: string; request: FastifyRequest; end: () => void }[] = []
  app.get('/', async (request) => {
    const { owner } = request.query as { owner: string }
    const { promise, resolve } = Promise.withResolvers<void>()
    begun.push({ owner, request, end: resolve })
    await promise
    return owner
  })
  app.addContentTypeParser('*', (_request, body, done) => void body.resume().on('end', () => done(null)))
  app.post('/', { bodyLimit: 8 * 1024 * 1024 }, async () => 'received')
  const refuse = async () => {
    throw Object.assign(new Error('refused'), { statusCode: 418 })
  }
  app.post('/refused', { preParsing: refuse }, async () => 'received')
  const get = (owner: string) => app.inject({ url: '/', query: { owner } })
  const begunOf = (name: string) => begun.filter(({ owner }) => owner === name)
  const untilBegun = async (name: string, count: number) => {
    while (begunOf(name).length < count) await delay(5)
  }
  return { app, get, begunOf, untilBegun }
}

t.test('beside another owner, two requests of an owner are worked on, and the next when one is answered', async (t) => {
  const { get, begunOf, untilBegun } = await givenApp(t)
  const visitor = get('visitor')
  await untilBegun('visitor', 1)
  const answers = Array.from({ length: 5 }, () => get('many'))
  await untilBegun('many', 2)
  await delay(100)
  t.equal(begunOf('many').length, 2)
  begunOf('many')[0]?.end()
  await untilBegun('many', 3)
  for (let ended = 1; ended < 5; ended++) {
    await untilBegun('many', ended + 1)
    begunOf('many')[ended]?.end()
  }
  begunOf('visitor')[0]?.end()
  for (const answer of [...answers, visitor]) t.equal((await answer).statusCode, 200)
})

t.test('a request that waits for something else gives its slot back', async (t) => {
  const { get, begunOf, untilBegun } = await givenApp(t)
  const answers = [get('visitor'), ...Array.from({ length: 3 }, () => get('many'))]
  await untilBegun('visitor', 1)
  await untilBegun('many', 2)
  await delay(100)
  t.equal(begunOf('many').length, 2)
  for (const { request } of begunOf('many')) releaseSlot(request)
  await untilBegun('many', 3)
  for (const { end } of [...begunOf('many'), ...begunOf('visitor')]) end()
  for (const answer of answers) t.equal((await answer).statusCode, 200)
})

const bodies = {
  'large bodies of an owner': { path: '/', status: 200 },
  'those after bodies that were refused before they arrived': { path: '/refused', status: 418 },
}
for (const [what, first] of Object.entries(bodies))
  t.test(`beside another owner, ${what} stay with their clients until there is a place`, (t) => waitForPlace(t, first))

async function waitForPlace(t: Test, { path, status }: { path: string; status: number }): Promise<void> {
  const { app, get, begunOf, untilBegun } = await givenApp(t)
  const sockets: Socket[] = []
  app.server.on('connection', (socket) => sockets.push(socket))
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  const bytes = 4 * 1024 * 1024
  /** Sends a body, or the first byte of one. */
  const post = (body: Buffer, path = '/') => {
    const headers = {
      'content-type': 'text/plain',
      'content-length': bytes,
      connection: path === '/' ? 'close' : 'keep-alive',
    }
    const request = httpRequest({ port, method: 'POST', path: `${path}?owner=many`, headers })
    const answered = new Promise<number | undefined>((resolve, reject) => {
      request.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject)
    })
    if (body.length < bytes) request.write(body)
    else request.end(body)
    return { request, answered }
  }
  const visitor = get('visitor')
  await untilBegun('visitor', 1)
  const whole = Buffer.alloc(bytes)
  const slow = Array.from({ length: 2 }, () => post(Buffer.alloc(1), path))
  const reads = () => sockets.map(({ bytesRead }) => bytesRead)
  await until(() => (reads().filter((read) => read > 0).length === 2 ? true : undefined), 'they have not arrived')
  const third = post(whole)
  const received = await until(() => {
    const large = reads().filter((read) => read > 1_000)
    return large.length > 0 ? large : undefined
  }, 'the third has not arrived')
  await delay(300)
  t.equal(received.length, 1)
  t.ok(Math.max(...reads()) < bytes / 4, `${reads()} bytes were received`)
  for (const { request } of slow) request.end(whole.subarray(1))
  for (const { answered } of slow) t.equal(await answered, status)
  t.equal(await third.answered, 200)
  begunOf('visitor')[0]?.end()
  t.equal((await visitor).statusCode, 200)
}
