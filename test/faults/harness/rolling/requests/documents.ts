import { createHash } from 'node:crypto'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import type { Client } from '../../client.ts'
import type { Receivers } from '../../deliveries/receivers.ts'
import type { Post } from '../../generations/post.ts'
import type { Seeded } from '../../seeded.ts'
import type { RequestKind } from '../mix.ts'
import type { TemplateRequests } from './templates.ts'

/** Documents are labels: others would need more than the processors of a small machine. */
const htmlOf = (text: string) => `<p>${text}`
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
/** How many of the last printed files are requested again. */
const lately = 50
const waitS = 2

export interface DocumentRequests {
  kinds: RequestKind[]
  posts: Post[]
  /** Paths of the webhooks that were received. */
  postDocument(random: Seeded, as: { isAsync: boolean }): Promise<Post>
}

/** Documents from HTML and from templates, synchronous and not, their ends, files and cancellations; and previews. */
export function documentRequests(
  client: Client,
  { receiver }: Pick<Receivers, 'receiver'>,
  { known, acknowledged }: Pick<TemplateRequests, 'known' | 'acknowledged'>,
): DocumentRequests {
  const { gateways, seed } = client
  const posts: Post[] = []
  const signedPaths: string[] = []
  let previews = 0

  const learn = (post: Post, body: Generation | undefined) => {
    const { status = '', size, pages, url } = body ?? {}
    if (status === 'queued' || status === 'rendering') return
    post.told = { status, ...(size !== undefined && { size }), ...(pages !== undefined && { pages }) }
    if (url !== undefined) signedPaths.push(new URL(url).pathname + new URL(url).search)
  }

  const postDocument = async (random: Seeded, { isAsync }: { isAsync: boolean }) => {
    const n = posts.length
    const template = random.fraction() < 0.3 ? random.pick(known) : undefined
    const text = `Document ${n}.`
    const html = htmlOf(text)
    const webhookUrl =
      isAsync && (template !== undefined || random.fraction() < 0.5) ? receiver.url(`/${n}`) : undefined
    const post: Post = {
      n,
      keyed: true,
      tries: 1,
      cancelled: false,
      text: template === undefined ? text : 'Edit ',
      ...(template === undefined && { htmlSha256: sha256(html) }),
      ...(webhookUrl !== undefined && { webhookUrl }),
      ...(template !== undefined && { template: { id: template, atLeast: acknowledged.get(template) ?? 0 } }),
    }
    posts.push(post)
    const { status, body } = await client.send<Generation>(random.pick(gateways), {
      operation: 'generate',
      path: '/v1/generate',
      expected: [isAsync ? 202 : 200],
      headers: { 'idempotency-key': `${seed} ${n}` },
      body: {
        ...(template === undefined ? { html } : { template }),
        ...(isAsync && { async: true }),
        ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
      },
    })
    if (body?.id !== undefined) post.id = body.id
    if (status === 200) learn(post, body)
    return post
  }

  const accepted = () => posts.filter(({ id }) => id !== undefined)
  const poll = async (random: Seeded) => {
    const open = accepted().filter(({ told }) => told === undefined)
    const post = random.pick(open.length > 0 ? open : accepted().slice(-lately))
    const { status, body } = await client.send<Generation>(random.pick(gateways), {
      operation: 'getGeneration',
      path: `/v1/generations/${post.id}?wait=${waitS}`,
      expected: [200],
    })
    if (status === 200) learn(post, body)
  }
  /** A document that was just posted, or has ended meanwhile. */
  const cancel = async (random: Seeded) => {
    const post = await postDocument(random, { isAsync: true })
    if (post.id === undefined) return
    post.cancelled = true
    await client.send(random.pick(gateways), {
      operation: 'cancelGeneration',
      path: `/v1/generations/${post.id}`,
      method: 'DELETE',
      expected: [200, 202, 409],
    })
  }
  const get = (operation: string, path: (random: Seeded) => string, expected: number[]) => (random: Seeded) =>
    client.send(random.pick(gateways), { operation, path: path(random), expected })

  /** What is recorded of a document, which may be queued. */
  const recorded = (operation: string, path: (id: string) => string) => ({
    operation,
    share: 0.2,
    send: get(operation, (random) => path(random.pick(accepted()).id ?? ''), [200, 404]),
  })

  const preview = async (random: Seeded) => {
    const subject = `Preview ${previews++}.`
    const { body } = await client.write<{ pages: number; size: number; content: string }>(random.pick(gateways), {
      operation: 'preview',
      path: '/v1/preview',
      body: { html: htmlOf(subject) },
      expected: [200],
      subject,
      headers: { accept: 'application/vnd.platen.preview+json' },
    })
    const write = client.writes.findLast((one) => one.subject === subject)
    // The file would be most of the evidence.
    if (write?.body && body) write.body = summaryOf(body)
  }

  return {
    posts,
    postDocument,
    kinds: [
      { operation: 'generate', share: 1, send: (random) => postDocument(random, { isAsync: false }) },
      { operation: 'generate', share: 1, send: (random) => postDocument(random, { isAsync: true }) },
      { operation: 'getGeneration', share: 5, send: poll },
      { operation: 'cancelGeneration', share: 0.3, send: cancel },
      { operation: 'preview', share: 0.3, send: preview },
      {
        operation: 'listGenerations',
        share: 1.5,
        send: get('listGenerations', () => '/v1/generations?limit=10', [200]),
      },
      recorded('getGenerationTimeline', (id) => `/v1/generations/${id}/timeline`),
      recorded('listStreamEvents', (id) => `/v1/streams/generation-${id}/events`),
      recorded('getEvent', (id) => `/v1/streams/generation-${id}/events/0`),
      {
        operation: 'getGenerationFile',
        share: 2,
        // The document may be queued, cancelled or printed.
        send: get(
          'getGenerationFile',
          (random) => `/v1/generations/${random.pick(accepted()).id}/file`,
          [200, 404, 409],
        ),
      },
      {
        operation: 'getFile',
        share: 1,
        send: get('getFile', (random) => random.pick(signedPaths.slice(-lately)), [200]),
      },
    ],
  }
}

function summaryOf({ pages, size, content }: { pages: number; size: number; content: string }): Record<string, Json> {
  const bytes = Buffer.from(content, 'base64')
  return { pages, size, bytes: bytes.length, begins: bytes.subarray(0, 5).toString('latin1') }
}
