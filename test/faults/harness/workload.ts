import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { ErrorEnvelope } from '@platen/domain/http/http.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { Webhook } from 'standardwebhooks'
import { type Received, type Receiver, startReceiver } from '../../support/notifier/receiver.ts'
import type { PlatenRequest } from '../../support/platen.ts'
import type { Answer, Change, Post, Read } from './evidence.ts'
import { type Seeded, seeded } from './seeded.ts'
import type { Door, System } from './system.ts'

export interface Workload {
  posts: Post[]
  answers: Answer[]
  changes: Change[]
  reads: Read[]
  receiver: Receiver
  /** Calls with a valid signature and a timestamp of now, by a library that is not ours. */
  verified: ReadonlySet<Received>
  /** Resolves when this number of generations was posted, and `mayEnd` has aborted. */
  run(generations: number, mayEnd: AbortSignal): Promise<void>
  /** A request of each kind. All answers from now on count as after recovery. */
  probe(): Promise<void>
  /** Called once, when the next webhook has arrived and is not answered yet. */
  onNextCall(act: () => void): void
  /** Another asynchronous generation, posted once to this gateway (default: to any), without an Idempotency-Key. */
  once(gateway?: string): { text: string; post(): Promise<void> }
}

const clients = 8
const templates = 3
const requestTimeoutMs = 40_000
/** A client gives up waiting for an end, not the generation. */
const patienceMs = 30_000
const submitWithinMs = 180_000
/** The number of the first generation that a fault posts. */
const firstExtra = 1_000_000
const firstProbe = 2_000_000

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const busy = (ms: number) => `<script>const until = Date.now() + ${ms}; while (Date.now() < until);</script>`

export async function startWorkload({ gateways }: System, seed: number): Promise<Workload> {
  const log: Pick<Workload, 'posts' | 'answers' | 'changes' | 'reads'> = {
    posts: [],
    answers: [],
    changes: [],
    reads: [],
  }
  let phase: Answer['phase'] = 'during'
  let onCall: (() => void) | undefined
  const secret = await gateways[0]?.json<{ secret: string }>('/v1/webhook-secret')
  const webhook = new Webhook(secret?.body.secret ?? '')
  const verified = new Set<Received>()
  const receiver = await startReceiver((response, nth, call) => {
    if (isVerified(webhook, call)) verified.add(call)
    const act = onCall
    onCall = undefined
    act?.()
    answerWebhook(seeded(seed).fork(call.path), response, nth)
  })

  interface Sent<Body> {
    status: number | 'cut'
    body: Body | undefined
    code?: string
  }
  const send = async <Body>(gateway: Door, path: string, expected: number[], init: PlatenRequest = {}) => {
    const atMs = Date.now()
    const signal = AbortSignal.timeout(requestTimeoutMs)
    const answer = await gateway.json<Body & ErrorEnvelope>(path, { ...init, signal }).catch(() => undefined)
    const status = answer?.status ?? 'cut'
    const code = answer?.body?.error?.code as string | undefined
    const request = `${init.method ?? (init.body === undefined ? 'GET' : 'POST')} ${path.replace(/_[0-9a-z]{26}/, '_…')}`
    const said = { ...(code !== undefined && { code }) }
    log.answers.push({ request, gateway: gateway.name, status, atMs, ms: Date.now() - atMs, phase, expected, ...said })
    return { status, body: answer?.body, ...said } as Sent<Body & ErrorEnvelope>
  }

  const acknowledged = new Map<string, number>()
  const known: string[] = []
  let extra = firstExtra

  /** Creates a template, and repeats that with the same key until it is answered. */
  const createTemplate = async (name: string, gateway: () => Door, random: Seeded) => {
    const html = `<p>Edit 0 of ${name}`
    const headers = { 'idempotency-key': `${seed} ${name}` }
    for (const deadline = Date.now() + submitWithinMs; Date.now() < deadline; await delay(200)) {
      const sentMs = Date.now()
      const at = gateway()
      const { status, body } = await send<Template>(at, '/v1/templates', [201], { body: { name, html }, headers })
      if (status !== 201 || !body) continue
      const change: Change = { template: body.id, html, sentMs, answeredMs: Date.now(), status, version: body.version }
      log.changes.push(change)
      acknowledged.set(body.id, 1)
      known.push(body.id)
      await read(body.id, random.pick(gateways))
      return body.id
    }
    throw new Error(`template ${name} was not created`)
  }

  const read = async (template: string, gateway: Door) => {
    const sentMs = Date.now()
    // That a 404 is wrong is judged with the read.
    const { status, body } = await send<Template>(gateway, `/v1/templates/${template}`, [200, 404])
    const version = body?.version
    log.reads.push({ template, gateway: gateway.name, sentMs, status, ...(version !== undefined && { version }) })
  }

  const change = async (template: string, html: string, gateway: Door, ifVersion?: number) => {
    const sentMs = Date.now()
    const headers = ifVersion === undefined ? {} : { 'if-match': `"${ifVersion}"` }
    const expected = ifVersion === undefined ? [200] : [200, 412]
    const init = { method: 'PATCH', body: { html }, headers }
    const { status, body } = await send<Template>(gateway, `/v1/templates/${template}`, expected, init)
    const version = status === 200 ? body?.version : undefined
    log.changes.push({
      ...{ template, html, sentMs, answeredMs: Date.now(), status },
      ...(ifVersion !== undefined && { ifVersion }),
      ...(version !== undefined && { version }),
    })
    if (version === undefined) return
    acknowledged.set(template, Math.max(version, acknowledged.get(template) ?? 0))
    await Promise.all(gateways.map((gateway) => read(template, gateway)))
  }

  /** Edits one template, sometimes with two changes at once of which one may win. */
  const edit = async (name: string, signal: AbortSignal) => {
    const random = seeded(seed).fork(name)
    const id = await createTemplate(name, () => random.pick(gateways), random)
    for (let n = 1; !signal.aborted; n += 2) {
      const html = (at: number) => `<p>Edit ${at} of ${name}`
      if (random.fraction() < 0.25) {
        const version = acknowledged.get(id)
        await Promise.all([n, n + 1].map((at) => change(id, html(at), random.pick(gateways), version)))
      } else await change(id, html(n), random.pick(gateways))
      await delay(random.between(50, 400), undefined, { signal }).catch(() => {})
    }
  }

  /** Posts a generation until it is accepted and waits for its end. */
  const generate = async (n: number) => {
    const random = seeded(seed).fork(`generation ${n}`)
    const kind = random.fraction()
    const isAsync = kind < 0.8
    const keyed = random.fraction() < 0.9
    const withTemplate = known.length > 0 && random.fraction() < 0.15
    const text = `Document ${n}.`
    const large = random.fraction() < 0.01 ? `<!--${'x'.repeat(700_000)}-->` : ''
    const slow = random.fraction() < 0.15 ? busy(random.between(100, 900)) : ''
    const html = `<p>${text}${random.fraction() < 0.5 ? busy(1) : ''}${slow}${large}`
    const template = withTemplate ? random.pick(known) : undefined
    const webhook = isAsync && (template !== undefined || random.fraction() < 0.8)
    const webhookUrl = webhook ? receiver.url(`/${n}`) : undefined
    const post: Post = {
      ...{ n, keyed: keyed || template !== undefined, tries: 0, cancelled: false },
      text: template === undefined ? text : 'Edit ',
      ...(template === undefined && { htmlSha256: sha256(html) }),
      ...(webhookUrl !== undefined && { webhookUrl }),
      ...(template !== undefined && { template: { id: template, atLeast: acknowledged.get(template) ?? 0 } }),
    }
    log.posts.push(post)
    const body = {
      ...(template === undefined ? { html } : { template }),
      ...(isAsync && { async: true }),
      ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
    }
    const headers = post.keyed ? { 'idempotency-key': `${seed} ${n}` } : {}
    const cancel = isAsync && kind < 0.05
    const accept = isAsync ? [202] : [200]
    for (const deadline = Date.now() + submitWithinMs; Date.now() < deadline; await delay(random.between(50, 500))) {
      post.tries += 1
      const answer = await send<Generation>(random.pick(gateways), '/v1/generate', accept, { body, headers })
      const late = (answer.body?.error?.details as { generation_id?: string } | undefined)?.generation_id
      const id = answer.body?.id ?? (answer.status === 504 ? late : undefined)
      if (id === undefined) {
        if (!post.keyed) return
        continue
      }
      post.id = id
      if (answer.status === 200) post.told = toldBy(answer.body)
      break
    }
    if (post.id === undefined || post.told) return
    if (cancel) {
      post.cancelled = true
      await delay(random.between(0, 200))
      await send(random.pick(gateways), `/v1/generations/${post.id}`, [200, 202, 409], { method: 'DELETE' })
    }
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
      const polled = await send<Generation>(random.pick(gateways), `/v1/generations/${post.id}?wait=10`, [200])
      if (polled.status !== 200) await delay(200)
      if (polled.status === 200 && !['queued', 'rendering'].includes(polled.body?.status ?? '')) {
        post.told = toldBy(polled.body)
        return
      }
    }
  }

  const once: Workload['once'] = (wanted) => {
    const n = extra++
    const text = `Document ${n}.`
    const html = `<p>${text}`
    const webhookUrl = receiver.url(`/${n}`)
    const gateway = gateways.find(({ name }) => name === wanted) ?? seeded(seed).fork(text).pick(gateways)
    return {
      text,
      async post() {
        const post: Post = {
          ...{ n, keyed: false, tries: 1, cancelled: false, text },
          ...{ htmlSha256: sha256(html), webhookUrl },
        }
        log.posts.push(post)
        const body = { html, async: true, webhook_url: webhookUrl }
        const { status, body: accepted } = await send<Generation>(gateway, '/v1/generate', [202], { body })
        if (status === 202 && accepted) post.id = accepted.id
      },
    }
  }

  return {
    ...log,
    once,
    receiver,
    verified,
    onNextCall(act) {
      onCall = act
    },
    async run(generations, mayEnd) {
      const done = new AbortController()
      const editing = Array.from({ length: templates }, (_, at) => edit(`Template ${at} ${seed}`, done.signal))
      // A rejection is reported when it is awaited below.
      for (const edited of editing) edited.catch(() => {})
      let n = 0
      const client = async () => {
        while (n < generations || !mayEnd.aborted) await generate(n++)
      }
      await Promise.all(Array.from({ length: clients }, client))
      done.abort()
      await Promise.all(editing)
    },
    async probe() {
      phase = 'after'
      for (const gateway of gateways) {
        const name = `After ${gateway.name} ${seed}`
        const template = await createTemplate(name, () => gateway, seeded(seed))
        await change(template, `<p>Edit 1 of ${name}`, gateway)
        await send(gateway, '/v1/templates', [200])
        await send(gateway, '/v1/generations', [200])
        await send(gateway, '/readyz', [200])
      }
      const from = firstProbe
      for (let at = 0; at < 8; at++) await generate(from + at)
    },
  }
}

function toldBy(body: Generation | undefined): NonNullable<Post['told']> {
  const { status = '', size, pages } = body ?? {}
  return { status, ...(size !== undefined && { size }), ...(pages !== undefined && { pages }) }
}

function isVerified(webhook: Webhook, { body, headers }: Received): boolean {
  try {
    webhook.verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

/** Some receivers misbehave at first. Each gets well at its third call. */
function answerWebhook(
  random: Seeded,
  response: Parameters<Parameters<typeof startReceiver>[0] & object>[0],
  nth: number,
) {
  const misbehaviour = random.fraction()
  if (nth > 2 || misbehaviour > 0.3) return response.writeHead(204).end()
  if (misbehaviour < 0.05) return response.socket?.resetAndDestroy()
  if (misbehaviour < 0.1) return response.writeHead(500).end('broken')
  if (misbehaviour < 0.15) return response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  if (misbehaviour < 0.2) return response.writeHead(429, { 'retry-after': '1' }).end()
  if (misbehaviour < 0.25) {
    // Endless: the body is not read to its end.
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'.repeat(1_000)), 100)
    return response.once('close', () => clearInterval(timer))
  }
  // No answer, until the notifier gives up.
  return
}
