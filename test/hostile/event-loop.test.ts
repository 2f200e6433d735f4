import t from 'tap'
import { quantile } from '../../bench/machine/statistics.ts'
import type { Arriving } from '../support/gateway/arriving-bodies.ts'
import { startProbedGateway } from '../support/gateway/probed-gateway.ts'
import { seed } from '../support/seed.ts'

t.setTimeout(1_200_000)

/** A few of the bodies of a route, and all of them over all seeds. bench/gateway/event-loop.ts measures every one. */
const bodiesOfRoute = 3
const rounds = 4
const smallBytes = 64 * 1024

const gateway = await startProbedGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())

/** Of each route, hostile bodies in all their sizes. */
function chosen(bodies: readonly Arriving[]): Arriving[] {
  return Object.values(Object.groupBy(bodies, ({ route }) => route)).flatMap((ofRoute = [], index) => {
    const kinds = [...new Set(ofRoute.map(({ what }) => what))]
    const step = Math.max(1, Math.floor(kinds.length / bodiesOfRoute))
    const wanted = new Set(kinds.filter((_, at) => (at + index + seed) % step === 0))
    return ofRoute.filter(({ what }) => wanted.has(what))
  })
}

t.test('no body of any route holds the event loop much longer than one of 64 KiB', async (t) => {
  const bodies = chosen(gateway.bodies)
  const measureAll = async (some: readonly Arriving[], enoughMs: number) => {
    const measured: { body: Arriving; ms: number }[] = []
    for (const body of some) measured.push({ body, ms: (await gateway.measure(body, rounds, enoughMs)).ms })
    return measured
  }
  const small = await measureAll(
    bodies.filter(({ bytes }) => bytes <= smallBytes),
    0,
  )
  const smallMs = quantile(
    small.map(({ ms }) => ms),
    0.95,
  )
  const mostMs = 4 * smallMs
  const large = await measureAll(
    bodies.filter(({ bytes }) => bytes > smallBytes),
    mostMs,
  )
  const long = [...small, ...large].filter(({ ms }) => ms > mostMs)
  const routes = new Set(bodies.map(({ port, route }) => `${port} ${route}`))
  t.comment(`${bodies.length} bodies of ${routes.size} routes; of 64 KiB ${smallMs.toFixed(1)} ms`)
  t.same(
    long.map(
      ({ body, ms }) => `${body.what}, ${body.bytes} bytes: ${ms.toFixed(0)} ms, more than ${mostMs.toFixed(0)}`,
    ),
    [],
  )
})

t.test('the table has every route that takes a body', async (t) => {
  const routes = new Set(gateway.bodies.map(({ route }) => route))
  for (const route of [
    'POST /v1/generate',
    'PATCH /v1/templates/x',
    'PUT /v1/assets/x',
    'POST /v1/batches',
    'POST /v1/pdf/merge',
  ])
    t.ok(routes.has(route), route)
  t.equal([...routes].filter((route) => route.startsWith('POST /forms/')).length, 20)
})
