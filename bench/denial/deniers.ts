import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { label } from '../documents/label.ts'

/** What an owner with many API keys does to stop another one, and what it was answered: counts by status. */
export interface Denier {
  name: string
  attack(send: Send, signal: AbortSignal): Promise<void>
}

/** Sends a request with one of the API keys in turn. Resolves with the answer's text, or `undefined` without one. */
export type Send = (
  method: string,
  path: string,
  body?: object | Buffer,
  headers?: Record<string, string>,
) => Promise<string | undefined>

const kilobytes = (count: number) => crypto.randomUUID().repeat(Math.ceil((count * 1_024) / 36))
/** Requests at once. */
const connections = 32

export const deniers: readonly Denier[] = [
  repeating('keys of idempotency', (send) => async () => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    await send('POST', '/v1/templates', { name: crypto.randomUUID(), html: kilobytes(400) }, key)
    await send('POST', '/v1/generate', { html: label().html, async: true }, { 'idempotency-key': crypto.randomUUID() })
  }),
  repeating('versions of a template', async (send) => {
    const id = idOf(await send('POST', '/v1/templates', { name: 'versions', html: 'first' }))
    return () => send('PATCH', `/v1/templates/${id}`, { html: kilobytes(200) })
  }),
  repeating('assets', (send) => {
    const type = { 'content-type': 'text/css' }
    return () =>
      send('PUT', `/v1/assets/a${Math.floor(Math.random() * 50)}.css`, Buffer.from(`/*${kilobytes(200)}*/`), type)
  }),
  repeating('templates of one name', (send) => () => send('POST', '/v1/templates', { name: 'Invoice', html: 'same' })),
  repeating(
    'partials',
    (send) => () => send('POST', '/v1/partials', { name: `p${crypto.randomUUID()}`, html: kilobytes(50) }),
  ),
  repeating('previews', (send) => () => send('POST', '/v1/preview', { html: label().html })),
  repeating('lists', (send) => async () => {
    await send('GET', '/v1/generations?limit=100&status=failed')
    await send('GET', '/v1/templates?limit=100')
  }),
  repeating('webhooks to a receiver that never answers, and their redelivery', async (send, signal) => {
    const url = await silentReceiver(signal)
    return async () => {
      await send('POST', '/v1/generate', { html: label().html, async: true, webhook: { url } })
      await send('POST', '/v1/deliveries/redeliver', {
        since: new Date(Date.now() - 600_000).toISOString(),
        status: 'pending',
      })
    }
  }),
  repeating('bodies of 100,000 fields', (send) => {
    const data = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`field_${at}`, at]))
    const body = Buffer.from(JSON.stringify({ html: '{{field_1}}', data, async: true }))
    return () => send('POST', '/v1/generate', body)
  }),
]

type Step = () => Promise<unknown>

/** Each connection sends its next request as soon as the last one has ended. */
function repeating(name: string, prepare: (send: Send, signal: AbortSignal) => Step | Promise<Step>): Denier {
  return {
    name,
    async attack(send, signal) {
      const step = await prepare(send, signal)
      const work = async () => {
        while (!signal.aborted) await step()
      }
      await Promise.all(Array.from({ length: connections }, work))
    },
  }
}

/** Sends to one Platen with many API keys, and counts the answers by their status. */
export function sender({ url, apiKeys }: { url: string; apiKeys: readonly string[] }, signal: AbortSignal) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const answers = new Map<string, number>()
  let sent = 0
  const send: Send = (method, path, body, headers) => {
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    const authorization = `Bearer ${apiKeys[sent++ % apiKeys.length]}`
    const options = {
      method,
      agent,
      signal,
      headers: { 'content-type': 'application/json', ...headers, authorization },
    }
    return new Promise((resolve) => {
      const end = (status: string, text?: string) => {
        answers.set(status, (answers.get(status) ?? 0) + 1)
        resolve(text)
      }
      const outgoing = request(new URL(path, url), options, async (answer) => {
        const text = await textOf(answer).catch(() => undefined)
        end(String(answer.statusCode), text)
      })
      outgoing.on('error', ({ name }) => end(name === 'AbortError' ? 'ended' : 'no answer'))
      outgoing.end(bytes)
    })
  }
  return { send, answers, close: () => agent.destroy() }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8')
  let text = ''
  for await (const part of answer) text += part
  return text
}

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
