import { setTimeout as delay } from 'node:timers/promises'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Template } from '@platen/domain/template/template.ts'
import type { Gateway } from './fleet.ts'
import type { Receiver } from './notifier/receiver.ts'

/** Requests of one kind. */
export interface KindOfRequest {
  name: string
  succeeded: number
  /** Failed answers and connection errors, each with the duration of its request. */
  failures: { tookMs: number; failure: unknown }[]
  /** The longest time between two successful answers so far. */
  longestGapMs: number
}

export interface Load {
  kinds: readonly KindOfRequest[]
  /** The path of the webhook of each accepted generation. */
  accepted: ReadonlyMap<string, string>
  /** Resolves when the requests under way are answered. */
  stop(): Promise<void>
}

export interface LoadOptions {
  /** The gateways that requests are sent to, in turn. */
  gateways: () => readonly Gateway[]
  receiver: Receiver
  /** Between an answer and the next request of its kind. */
  pauseMs: number
}

type Send = (gateway: Gateway, n: number) => Promise<Response>

/** Sends requests of every kind, one at a time of each. Clients repeat none. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const accepted = new Map<string, string>()
  const sends = await kindsOf(options, accepted)
  const stopping = new AbortController()
  const kinds = Object.keys(sends).map((name): KindOfRequest => ({ name, succeeded: 0, failures: [], longestGapMs: 0 }))
  const loops = kinds.map((kind) => repeat(kind, sends[kind.name] as Send, options, stopping.signal))
  return {
    kinds,
    accepted,
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

async function repeat(kind: KindOfRequest, send: Send, { gateways, pauseMs }: LoadOptions, stopping: AbortSignal) {
  let lastMs = performance.now()
  for (let n = 0; !stopping.aborted; n++) {
    const turn = gateways()
    const gateway = turn[n % turn.length] as Gateway
    const sentMs = performance.now()
    const failure = await send(gateway, n).then(failureOf, (err) => err)
    const nowMs = performance.now()
    if (failure === undefined) kind.succeeded++
    else kind.failures.push({ tookMs: Math.round(nowMs - sentMs), failure })
    kind.longestGapMs = Math.max(kind.longestGapMs, nowMs - lastMs)
    if (failure === undefined) lastMs = nowMs
    await delay(pauseMs)
  }
}

async function failureOf(response: Response): Promise<unknown> {
  const body = await response.text()
  const { status, url } = response
  return response.ok ? undefined : { status, url, body }
}

/** `accepted` gets the asynchronous generations. */
async function kindsOf(
  { gateways, receiver }: LoadOptions,
  accepted: Map<string, string>,
): Promise<Record<string, Send>> {
  const [first] = gateways() as [Gateway]
  const mark = Date.now().toString(36)
  const made = async <Body>(path: string, body: object) => {
    const answer = await first.json<Body>(path, { body })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const template = await made<Template>('/v1/templates', { name: `Load ${mark}`, html: '<p>{{n}}', sample_data: {} })
  await made('/v1/partials', { name: `load-${mark}`, html: 'x' })
  const webhook_url = receiver.url(`/${mark}`)
  const { id } = await made<Generation>('/v1/generate', { html: 'x', async: true, webhook_url })
  await receiver.calls(`/${mark}`, 1)
  const { body: notified } = await first.json<Generation>(`/v1/generations/${id}?wait=60`)

  let submitted = 0
  const submit = async ({ request }: Gateway, body: object, headers = {}) => {
    const path = `/${mark}-${submitted++}`
    const webhook_url = receiver.url(path)
    const response = await request('/v1/generate', { body: { ...body, async: true, webhook_url }, headers })
    if (response.status === 202) accepted.set(((await response.clone().json()) as Generation).id, path)
    return response
  }
  const generate = ({ request }: Gateway, body: object, headers = {}) => request('/v1/generate', { body, headers })
  const change = (html: string) => ({ method: 'PATCH', body: { html } })
  /** Creates something and deletes it again. */
  const createAndDelete = async ({ request }: Gateway, path: string, body: object, key: 'id' | 'name') => {
    const created = await request(path, { body })
    if (!created.ok) return created
    const it = (await created.json()) as Record<string, string>
    return request(`${path}/${it[key]}`, { method: 'DELETE' })
  }
  return {
    'synchronous generation': (gateway, n) => generate(gateway, { html: `<p>${n}` }),
    'PDF in the answer': (gateway, n) => generate(gateway, { html: `<p>${n}` }, { accept: 'application/pdf' }),
    'generation from a template': (gateway, n) => generate(gateway, { template: template.id, data: { n } }),
    'asynchronous generation': (gateway, n) => submit(gateway, { html: `<p>${n}` }),
    'Idempotency-Key': (gateway, n) => submit(gateway, { html: `<p>${n}` }, { 'idempotency-key': `${mark}-${n}` }),
    preview: ({ request }, n) => request('/v1/preview', { body: { html: `<p>${n}` } }),
    'new template': ({ request }, n) => request('/v1/templates', { body: { name: `${mark} ${n}`, html: 'x' } }),
    'deleted template': (gateway, n) =>
      createAndDelete(gateway, '/v1/templates', { name: `Deleted ${mark} ${n}`, html: 'x' }, 'id'),
    'changed template': ({ request }, n) => request(`/v1/templates/${template.id}`, change(`<p>{{n}} ${n}`)),
    'deleted partial': (gateway, n) =>
      createAndDelete(gateway, '/v1/partials', { name: `deleted-${mark}-${n}`, html: 'x' }, 'name'),
    'changed partial': ({ request }, n) => request(`/v1/partials/load-${mark}`, change(`x ${n}`)),
    asset: ({ request }, n) => {
      const headers = { 'content-type': 'text/css' }
      return request(`/v1/assets/${mark}.css`, { method: 'PUT', body: `p { margin: ${n}px }`, headers })
    },
    'issued key': ({ request }, n) =>
      request('/v1/keys', { body: { name: `${mark} ${n}`, scopes: ['templates:read'] } }),
    cancellation: async ({ request, json }, n) => {
      const { status, body } = await json<Generation>('/v1/generate', {
        body: { html: `<p>Cancelled ${n}`, async: true },
      })
      if (status !== 202) return new Response(JSON.stringify(body), { status })
      const answer = await request(`/v1/generations/${body.id}`, { method: 'DELETE' })
      // The generation has ended already.
      return answer.status === 409 ? new Response() : answer
    },
    redelivery: ({ request }) => request(`/v1/generations/${id}/deliveries/redeliver`, { body: {} }),
    'list of generations': ({ request }) => request('/v1/generations?limit=5'),
    'one template': ({ request }) => request(`/v1/templates/${template.id}`),
    file: ({ request }) => request(pathOf(notified.url)),
  }
}

function pathOf(url = ''): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
