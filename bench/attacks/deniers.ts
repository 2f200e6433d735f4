import { once } from 'node:events'
import { createServer } from 'node:net'
import { label } from '../documents/label.ts'
import { type Attack, repeating } from './attack.ts'

const kilobytes = (count: number) => crypto.randomUUID().repeat(Math.ceil((count * 1_024) / 36))

const single: readonly Attack[] = [
  repeating('keys of idempotency', (send) => async () => {
    const key = () => ({ 'idempotency-key': crypto.randomUUID() })
    const template = { name: crypto.randomUUID(), html: kilobytes(400) }
    await send('POST', '/v1/templates', { body: template, headers: key() })
    await send('POST', '/v1/generate', { body: { html: label().html, async: true }, headers: key() })
  }),
  repeating('versions of a template', async (send) => {
    const id = idOf(await send('POST', '/v1/templates', { body: { name: 'versions', html: 'first' } }))
    return () => send('PATCH', `/v1/templates/${id}`, { body: { html: kilobytes(200) } })
  }),
  repeating('assets', (send) => () => {
    const name = `a${Math.floor(Math.random() * 50)}.css`
    const body = Buffer.from(`/*${kilobytes(200)}*/`)
    return send('PUT', `/v1/assets/${name}`, { body, headers: { 'content-type': 'text/css' } })
  }),
  repeating(
    'templates of one name',
    (send) => () => send('POST', '/v1/templates', { body: { name: 'Invoice', html: 'same' } }),
  ),
  repeating('partials', (send) => () => {
    return send('POST', '/v1/partials', { body: { name: `p${crypto.randomUUID()}`, html: kilobytes(50) } })
  }),
  repeating('previews', (send) => () => send('POST', '/v1/preview', { body: { html: label().html } })),
  repeating('lists', (send) => async () => {
    await send('GET', '/v1/generations?limit=100&status=failed')
    await send('GET', '/v1/templates?limit=100')
  }),
  repeating('webhooks to a receiver that never answers, and their redelivery', async (send, signal) => {
    const url = await silentReceiver(signal)
    return async () => {
      await send('POST', '/v1/generate', { body: { html: label().html, async: true, webhook_url: url } })
      const since = new Date(Date.now() - 600_000).toISOString()
      await send('POST', '/v1/deliveries/redeliver', { body: { since, status: 'pending' } })
    }
  }),
  repeating('bodies of 100,000 fields', (send) => {
    const data = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`field_${at}`, at]))
    const body = Buffer.from(JSON.stringify({ html: '{{field_1}}', data, async: true }))
    return () => send('POST', '/v1/generate', { body })
  }),
]

/** Attacks of an owner with many API keys on another owner. */
export const attacks: readonly Attack[] = [
  ...single,
  {
    name: 'all of these at once',
    run: async (send, signal) => void (await Promise.all(single.map((one) => one.run(send, signal)))),
  },
]

/** The URL of a server that takes connections and never answers. */
async function silentReceiver(signal: AbortSignal): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {}))
    .listen(0, '127.0.0.1')
    .unref()
  await once(server, 'listening')
  signal.addEventListener('abort', () => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return `http://127.0.0.1:${address.port}/`
}

function idOf(answer: string | undefined): string {
  if (answer === undefined) throw new Error('the template was not created')
  return JSON.parse(answer).id
}
