import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { Places } from '@platen/foundation/runtime/places.ts'
import t, { type Test } from 'tap'
import { holdPlace } from './hold-place.ts'

const log = createLogger('test', 'silent')
const ms = 50

/** The places of a server that sends the chunks to a client, which has one of two places, and which reads nothing. */
async function given(t: Test, chunks: () => AsyncIterable<Buffer>) {
  const places = new Places({ all: 2 })
  const server = createServer((_, raw) => {
    const place = places.take('own_slow')
    if (place) holdPlace({ raw, log } as never, place, { bytes: 1, ms })
    void pipeline(Readable.from(chunks()), raw).catch(() => {})
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  request.on('error', () => {})
  t.teardown(() => {
    request.destroy()
    server.close()
  })
  await once(request, 'response')
  return places
}

t.test('a client that takes nothing of a response loses its place', async (t) => {
  const places = await given(t, async function* () {
    for (;;) yield Buffer.alloc(2 ** 20)
  })
  while (places.takenBy('own_slow') > 0) await new Promise((done) => setTimeout(done, ms))
  t.pass('its connection has ended')
})

t.test('a client is not blamed for a slow source', async (t) => {
  const silence = Promise.withResolvers<void>()
  t.teardown(() => silence.resolve())
  const places = await given(t, async function* () {
    yield Buffer.alloc(1)
    await silence.promise
  })
  await new Promise((done) => setTimeout(done, 10 * ms))
  t.equal(places.takenBy('own_slow'), 1)
})
