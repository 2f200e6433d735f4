import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { type Client, isAcknowledged, type Kind } from '../client.ts'
import type { Receivers } from '../deliveries/receivers.ts'
import type { Door } from '../system.ts'
import type { TemplateClients } from '../templates/clients.ts'
import { listSome } from './lists.ts'
import { overfill } from './overfill.ts'
import { firstNumber, type Post } from './post.ts'

const clients = 8
/** A client gives up waiting for an end, not the generation. */
const patienceMs = 30_000
const submitWithinMs = 180_000
/** Documents that are posted at once: more than there are slots, so that some are refused. */
const burst = 6
/** Generations that have one value in their metadata. */
const batchSize = 20

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const busy = (ms: number) => `<script>const until = Date.now() + ${ms}; while (Date.now() < until);</script>`

export interface GenerationClients extends Kind {
  posts: Post[]
  /** Resolves when this number of generations was posted, and `mayEnd` has aborted. */
  post(generations: number, mayEnd: AbortSignal): Promise<void>
  /** Another asynchronous generation, posted once to this gateway (default: to any), without an Idempotency-Key. */
  once(options?: { gateway?: string; path?: string }): { text: string; post(): Promise<string | undefined> }
  /** Queues more generations than a list looks at, and lists them. Resolves with what cancels them. */
  overfill(): Promise<() => Promise<void>>
}

export function generationClients(
  client: Client,
  { receiver }: Receivers,
  { known, acknowledged }: Pick<TemplateClients, 'known' | 'acknowledged'>,
  { withRefusals = true }: { withRefusals?: boolean | undefined } = {},
): GenerationClients {
  const { gateways, seed } = client
  const posts: Post[] = []
  let extra = firstNumber.extra
  let again = firstNumber.again

  const submit = async (post: Post, gateway: Door, body: object, accept: number[]) => {
    post.tries += 1
    const headers = post.keyed ? { 'idempotency-key': `${seed} ${post.n}` } : {}
    const answer = await client.send<Generation>(gateway, {
      operation: 'generate',
      path: '/v1/generate',
      expected: accept,
      body,
      headers,
    })
    const late = (answer.body?.error?.details as { generation_id?: string } | undefined)?.generation_id
    const id = answer.body?.id ?? (answer.status === 504 ? late : undefined)
    if (id === undefined) return false
    tell(post, id)
    if (answer.status === 200) post.told = toldBy(answer.body)
    return true
  }

  /** Posts a generation until it is accepted and waits for its end. */
  const generate = async (n: number) => {
    const random = client.random(`generation ${n}`)
    const kind = random.fraction()
    // A short run has a cancelled one, too: it is slow, and cancelled at once.
    const isWanted = n % 20 !== 7 && n < firstNumber.again
    const isAsync = kind < 0.8 || !isWanted
    const keyed = random.fraction() < 0.9 || !isWanted
    const withTemplate = isWanted && known.length > 0 && random.fraction() < 0.15
    const text = `Document ${n}.`
    const large = random.fraction() < 0.01 ? `<!--${'x'.repeat(700_000)}-->` : ''
    const slow = isWanted ? (random.fraction() < 0.15 ? busy(random.between(100, 900)) : '') : busy(2_000)
    const html = `<p>${text}${random.fraction() < 0.5 ? busy(1) : ''}${slow}${large}`
    // Of a choice of its own: the others are the same with and without it.
    const retained = client.random(`retained ${n}`).fraction() < 0.25
    const template = withTemplate ? random.pick(known) : undefined
    const webhook = isAsync && (template !== undefined || random.fraction() < 0.8)
    const webhookUrl = webhook ? receiver.url(`/${n}`) : undefined
    const post: Post = {
      n,
      keyed: keyed || template !== undefined,
      tries: 0,
      cancelled: false,
      text: template === undefined ? text : 'Edit ',
      ...(template === undefined && { htmlSha256: sha256(html) }),
      ...(webhookUrl !== undefined && { webhookUrl }),
      ...(template !== undefined && { template: { id: template, atLeast: acknowledged.get(template) ?? 0 } }),
      batch: `${Math.floor(n / batchSize)}`,
      ...(retained && { retained }),
    }
    posts.push(post)
    const body = {
      ...(template === undefined ? { html } : { template }),
      metadata: { batch: post.batch },
      ...(retained && { retain_input: 1 }),
      ...(isAsync && { async: true }),
      ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
    }
    const isCancelled = isAsync && (kind < 0.05 || !isWanted)
    const accept = isAsync ? [202] : [200]
    for (const deadline = Date.now() + submitWithinMs; Date.now() < deadline; await delay(random.between(50, 500))) {
      if (await submit(post, random.pick(gateways), body, accept)) break
      if (!post.keyed) return
    }
    if (post.id === undefined || post.told) return
    if (isCancelled) {
      post.cancelled = true
      if (isWanted) await delay(random.between(0, 200))
    }
    const wasCancelled = isCancelled && (await cancel(post.id, random.pick(gateways)))
    await untilEnded(post)
    // A fault has cut it, or a busy machine has rendered the document before.
    if (!isWanted && !wasCancelled) await generate(again++)
  }

  const cancel = async (id: string, gateway: Door) => {
    const { status } = await client.send(gateway, {
      operation: 'cancelGeneration',
      path: `/v1/generations/${id}`,
      method: 'DELETE',
      expected: [200, 202, 409],
    })
    return isAcknowledged(status)
  }

  const untilEnded = async (post: Post) => {
    const random = client.random(`end of ${post.n}`)
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
      const polled = await client.send<Generation>(random.pick(gateways), {
        operation: 'getGeneration',
        path: `/v1/generations/${post.id}?wait=10`,
        expected: [200],
      })
      if (polled.status !== 200) await delay(200)
      if (polled.status === 200 && !['queued', 'rendering'].includes(polled.body?.status ?? '')) {
        post.told = toldBy(polled.body)
        return
      }
    }
  }

  /**
   * Synchronous documents that wait for each other with little patience, so that some are refused. Half of them are posted twice
   * at once with one key, as a client does that was too quick to repeat it.
   */
  const share = async (from: number) => {
    const random = client.random(`shared ${from}`)
    const pair = async (n: number) => {
      const text = `Document ${n}.`
      const html = `<p>${text}${busy(400)}`
      const post: Post = { n, keyed: true, tries: 0, cancelled: false, text, htmlSha256: sha256(html) }
      post.mayBeRefused = true
      posts.push(post)
      const prefer = random.fraction() < 0.5 ? 'wait=1' : 'respond-async, wait=1'
      const once = async (afterMs: number) => {
        await delay(afterMs)
        return submitShared(post, random.pick(gateways), html, prefer)
      }
      // Alone, the first one may free the key when it is refused.
      await Promise.all([once(0), ...(random.fraction() < 0.5 ? [once(random.between(5, 200))] : [])])
      // Repeated until there is an answer with an id, or it was refused often.
      for (let tries = 0; post.id === undefined && tries < 20; tries++) await once(random.between(100, 800))
      if (post.id !== undefined && !post.told) await untilEnded(post)
    }
    await Promise.all(Array.from({ length: burst }, (_, at) => pair(from + at)))
  }
  const submitShared = async (post: Post, gateway: Door, html: string, prefer: string) => {
    post.tries += 1
    const answer = await client.send<Generation>(gateway, {
      operation: 'generate',
      path: '/v1/generate',
      expected: [200, 202],
      body: { html },
      headers: { 'idempotency-key': `${seed} ${post.n}`, prefer },
    })
    const details = answer.body?.error?.details as { generation_id?: string } | undefined
    const id = answer.body?.id ?? (answer.status === 504 ? details?.generation_id : undefined)
    if (id === undefined) return
    tell(post, id)
    if (answer.status === 200) post.told = toldBy(answer.body)
  }

  return {
    operations: ['generate', 'cancelGeneration'],
    posts,
    overfill: () => overfill(client, { posts, submit, cancel }),
    once({ gateway: wanted, path } = {}) {
      const n = extra++
      const text = `Document ${n}.`
      const html = `<p>${text}`
      const webhookUrl = receiver.url(path ?? `/${n}`)
      const gateway = gateways.find(({ name }) => name === wanted) ?? client.random(text).pick(gateways)
      return {
        text,
        async post() {
          const post: Post = {
            n,
            keyed: false,
            tries: 0,
            cancelled: false,
            text,
            htmlSha256: sha256(html),
            webhookUrl,
          }
          posts.push(post)
          await submit(post, gateway, { html, async: true, webhook_url: webhookUrl }, [202])
          return post.id
        },
      }
    },
    async post(generations, mayEnd) {
      let n = 0
      const next = async () => {
        while (n < generations || !mayEnd.aborted) await generate(n++)
      }
      await Promise.all(Array.from({ length: clients }, next))
    },
    async run(signal) {
      const listing = listSome(client, posts, signal)
      const random = client.random('shared keys')
      if (!withRefusals) return listing
      for (let from = firstNumber.shared; !signal.aborted; from += burst) {
        await share(from)
        await delay(random.between(2_000, 6_000), undefined, { signal }).catch(() => {})
      }
      await listing
    },
    async probe(gateway) {
      await client.send(gateway, { operation: 'listGenerations', path: '/v1/generations', expected: [200] })
      await client.send(gateway, { operation: 'readyz', path: '/readyz', expected: [200] })
      const from = firstNumber.probe + 100 * gateways.indexOf(gateway)
      for (let at = 0; at < 4; at++) await generate(from + at)
    },
  }
}

function tell(post: Post, id: string) {
  if (post.id !== undefined && post.id !== id) {
    post.earlierIds = [...(post.earlierIds ?? []), post.id]
    delete post.told
  }
  post.id = id
}

function toldBy(body: Generation | undefined): NonNullable<Post['told']> {
  const { status = '', size, pages } = body ?? {}
  return { status, ...(size !== undefined && { size }), ...(pages !== undefined && { pages }) }
}
