import { setTimeout as delay } from 'node:timers/promises'
import fastify, { type FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import t, { type Test } from 'tap'
import { endTurn, turnOfRequest } from './turn-of-request.ts'
import { WorkTurns } from './work-turns.ts'

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
  app.register(turnOfRequest, { turns: new WorkTurns() })
  const begun: { owner: string; request: FastifyRequest; end: () => void }[] = []
  app.get('/', async (request) => {
    const { owner } = request.query as { owner: string }
    const { promise, resolve } = Promise.withResolvers<void>()
    begun.push({ owner, request, end: resolve })
    await promise
    return owner
  })
  const get = (owner: string) => app.inject({ url: '/', query: { owner } })
  const begunOf = (name: string) => begun.filter(({ owner }) => owner === name)
  const untilBegun = async (name: string, count: number) => {
    while (begunOf(name).length < count) await delay(5)
  }
  return { get, begunOf, untilBegun }
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

t.test('a request that waits for something else gives its turn back', async (t) => {
  const { get, begunOf, untilBegun } = await givenApp(t)
  const answers = [get('visitor'), ...Array.from({ length: 3 }, () => get('many'))]
  await untilBegun('visitor', 1)
  await untilBegun('many', 2)
  await delay(100)
  t.equal(begunOf('many').length, 2)
  for (const { request } of begunOf('many')) endTurn(request)
  await untilBegun('many', 3)
  for (const { end } of [...begunOf('many'), ...begunOf('visitor')]) end()
  for (const answer of answers) t.equal((await answer).statusCode, 200)
})
