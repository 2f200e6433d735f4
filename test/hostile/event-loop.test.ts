import t from 'tap'
import { quantile } from '../../bench/machine/statistics.ts'
import type { Arriving } from '../support/gateway/arriving-bodies.ts'
import { startProbedGateway } from '../support/gateway/probed-gateway.ts'
import { sendUntilClosed } from '../support/gateway/send-until-closed.ts'
import { seed } from '../support/seed.ts'

t.setTimeout(1_200_000)

/** A few of the bodies of a route, and all of them over all seeds. bench/gateway/event-loop.ts measures every one. */
const bodiesOfRoute = 3
const rounds = 4
const smallBytes = 64 * 1024
/** How long a turn of the event loop may take; the first test measures it. */
let mostMs = Number.POSITIVE_INFINITY

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
  mostMs = 4 * smallMs
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

t.test('tiny pieces, and what follows a refusal, do not hold the event loop, and end', async (t) => {
  const chunked = (size: number) => `${size.toString(16)}\r\n${'A'.repeat(size)}\r\n`
  const key = `authorization: Bearer ${gateway.apiKey}\r\n`
  const requests = [
    ['POST /v1/generate', gateway.url, `${key}content-type: application/json\r\n`],
    ['POST /v1/generate', gateway.url, 'content-type: application/json\r\n'],
    ['POST /v1/batches', gateway.url, `${key}content-type: application/x-ndjson\r\n`],
    ['PUT /v1/assets/a.png', gateway.url, `${key}content-type: image/png\r\n`],
    ['POST /v1/pdf/merge', gateway.url, `${key}content-type: multipart/form-data; boundary=b\r\n`],
    ['POST /nothing', gateway.url, ''],
    [
      'POST /forms/chromium/convert/html',
      gateway.gotenbergUrl,
      `${key}content-type: multipart/form-data; boundary=b\r\n`,
    ],
    ['POST /forms/chromium/convert/html', gateway.gotenbergUrl, 'content-type: multipart/form-data; boundary=b\r\n'],
  ] as const
  // Node handles each chunk by itself, and reads 64 KiB of them at a time.
  const mostOfRead = 2 * mostMs
  for (const size of [1, 16, 60_000]) {
    for (const [route, url, headers] of requests) {
      let ms = Number.POSITIVE_INFINITY
      for (let round = 0; round < rounds && ms > mostMs; round++) {
        await gateway.longestTurnMs()
        const head = `${route} HTTP/1.1\r\nhost: ${new URL(url).host}\r\ntransfer-encoding: chunked\r\n${headers}\r\n`
        await sendUntilClosed(url, head, chunked(size).repeat(Math.ceil(100_000 / size)))
        ms = Math.min(ms, await gateway.longestTurnMs())
      }
      t.ok(ms <= mostOfRead, `${route} in pieces of ${size}: ${ms.toFixed(1)} ms, at most ${mostOfRead.toFixed(1)}`)
    }
  }
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
