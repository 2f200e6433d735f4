import { newApiKey } from '@platen/domain/api-key/api-keys.ts'
import fastify from 'fastify'
import t from 'tap'
import { accessLog } from './access-log.ts'

const chosen = 'a-key-that-an-operator-chose'
const lines: string[] = []
const app = fastify({ logger: { level: 'debug', stream: { write: (line: string) => void lines.push(line) } } })
app.register(accessLog, { isApiKey: (text) => text === chosen })

/** The path in the log line of a request. */
async function loggedPath(url: string): Promise<string> {
  lines.length = 0
  await app.inject(url)
  const line = lines.map((text) => JSON.parse(text)).find(({ path }) => path !== undefined)
  return line?.path
}

t.test('an API key in the path of a URL is not logged', async (t) => {
  const key = newApiKey()
  t.equal(await loggedPath(`/v1/templates/${key}`), '/v1/templates/[redacted]')
  t.equal(await loggedPath(`/v1/${key}/templates?limit=1`), '/v1/[redacted]/templates')
  t.equal(await loggedPath(`/v1/Bearer%20${key}`), '/v1/[redacted]')
  t.equal(await loggedPath(`/v1/${key.replace('pk_', '%70k_')}`), '/v1/[redacted]')
  t.equal(await loggedPath(`/v1/templates/${chosen}`), '/v1/templates/[redacted]')
})

t.test('other paths are logged without the query', async (t) => {
  const id = 'tpl_01k9x2v7w3d5e8f0g2h4j6k8m0'
  t.equal(await loggedPath(`/v1/templates/${id}?x=1`), `/v1/templates/${id}`)
  t.equal(await loggedPath('/v1/templates/the-monthly-invoice'), '/v1/templates/the-monthly-invoice')
})
