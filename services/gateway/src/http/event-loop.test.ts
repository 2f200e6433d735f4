import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())

const texts = (count: number) => Array.from({ length: count }, (_, at) => `text ${at}`)
const fields = (count: number) => texts(count).map((name) => `"${name}":1`)

interface Hostile {
  rawBody: string
  status: number
  message: RegExp
}

const hostile: Record<string, Hostile> = {
  'options.fail_on with 60,000 different texts': {
    rawBody: JSON.stringify({ html: 'x', options: { fail_on: texts(60_000) } }),
    status: 400,
    message: /^options\.fail_on must have at most \d items/,
  },
  '30,000 unknown fields': { rawBody: `{"html":"x",${fields(30_000)}}`, status: 400, message: /is not a known field/ },
  '30,000 unknown options': {
    rawBody: `{"html":"x","options":{${fields(30_000)}}}`,
    status: 400,
    message: /is not a known field/,
  },
  '400,000 unknown fields': { rawBody: `{"html":"x",${fields(400_000)}}`, status: 413, message: /200000 values/ },
}

/** The best of four, as a busy machine delays some requests. */
async function shortestMs(rawBody: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 4; round++) {
    const startedAt = performance.now()
    await gateway.call('POST', '/v1/generate', { rawBody })
    times.push(performance.now() - startedAt)
  }
  return Math.min(...times)
}

for (const [what, { rawBody, status, message }] of Object.entries(hostile)) {
  t.test(`${what} are refused about as fast as other JSON of that size is parsed`, async (t) => {
    const answer = await gateway.call('POST', '/v1/generate', { rawBody })
    t.match(answer, { status, body: { error: { message } } })
    t.ok((answer.body.error.details?.length ?? 0) <= 20, 'few problems are listed')
    const measured: string[] = []
    while (measured.length < 5) {
      const invalid = await shortestMs(`{"html":"x","data":{${fields(30_000)}},"async":1}`)
      const took = await shortestMs(rawBody)
      const summary = `${Math.round(took)} ms; a body of 30,000 fields of data: ${Math.round(invalid)} ms`
      // Quadratic work on the body took hundreds of times as long.
      if (took < 8 * invalid + 50) return t.pass(summary)
      measured.push(summary)
    }
    t.fail('it took longer each time', { measured })
  })
}
