import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())

const part = '--edge\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n\r\n'
const form = 'multipart/form-data; boundary=edge'

/** Requests that are refused long before their bodies have arrived. */
const refused: Record<string, { method?: string; path: string; type: string; body: string; status: number }> = {
  'a form with too many parts': { path: '/v1/pdf/merge', type: form, body: part.repeat(40_000), status: 413 },
  'a form with a header without end': {
    path: '/v1/pdf/rotate',
    type: form,
    body: part.slice(0, 60).padEnd(3e6),
    status: 400,
  },
  'lines of which the first ones are no JSON': {
    path: '/v1/batches',
    type: 'application/x-ndjson',
    body: `{"html":\n${'{"html":"x"}\n'.repeat(200_000)}`,
    status: 400,
  },
  'a line that is too long': { path: '/v1/batches', type: 'application/x-ndjson', body: 'x'.repeat(4e6), status: 413 },
}

for (const [what, { path, type, body, status }] of Object.entries(refused)) {
  t.test(`${what}: the rest is dropped, and the connection answers the next request`, async (t) => {
    // The client keeps few connections: one that is not read from would hold a later request.
    for (let round = 0; round < 4; round++) {
      const answer = await gateway.call('POST', path, { rawBody: body, headers: { 'content-type': type } })
      t.equal(answer.status, status, JSON.stringify(answer.body))
      t.equal((await gateway.call('GET', '/v1/templates')).status, 200)
    }
  })
}
