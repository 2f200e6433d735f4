import type { Client } from '../../client.ts'
import { type Receivers, tested } from '../../deliveries/receivers.ts'
import type { Seeded } from '../../seeded.ts'
import type { RequestKind } from '../mix.ts'
import type { DocumentRequests } from './documents.ts'

const rangeMs = 2_000

interface Called {
  id: string
  delivery: string
}

/** Webhooks that were received are looked at and sent again; and tests of a URL for them. */
export function deliveryRequests(
  client: Client,
  { receiver, verified }: Pick<Receivers, 'receiver' | 'verified'>,
  { posts, postDocument }: Pick<DocumentRequests, 'posts' | 'postDocument'>,
): RequestKind[] {
  const { gateways } = client
  let tests = 0

  /** A generation whose webhook was received, or else another one with a webhook is posted. */
  const withCalled = (use: (called: Called, random: Seeded) => Promise<unknown>) => async (random: Seeded) => {
    const call = receiver.received.length > 0 ? random.pick(receiver.received.slice(-50)) : undefined
    const post = posts.find(({ webhookUrl }) => webhookUrl && new URL(webhookUrl).pathname === call?.path)
    if (call && post?.id !== undefined) await use({ id: post.id, delivery: String(call.headers['webhook-id']) }, random)
    else await postDocument(random, { isAsync: true })
  }
  const again = (operation: string, path: (called: Called) => string) =>
    withCalled((called, random) =>
      client.write(random.pick(gateways), {
        operation,
        path: path(called),
        method: 'POST',
        subject: called.id,
        expected: [202],
      }),
    )
  const get = (operation: string, path: (called: Called) => string) =>
    withCalled((called, random) =>
      client.send(random.pick(gateways), { operation, path: path(called), expected: [200] }),
    )
  const redeliverRange = (random: Seeded) => {
    const body = { since: new Date(Date.now() - rangeMs).toISOString(), status: 'succeeded' }
    return client.write(random.pick(gateways), {
      operation: 'redeliverRange',
      path: '/v1/deliveries/redeliver',
      body,
      expected: [202],
      subject: body.since,
    })
  }
  const test = async (random: Seeded) => {
    const subject = `${tested}rolling-${tests++}`
    const { body } = await client.write<{ status?: number }>(random.pick(gateways), {
      operation: 'testWebhook',
      path: '/v1/webhooks/test',
      body: { webhook_url: receiver.url(subject) },
      expected: [200, 429],
      subject,
    })
    const write = client.writes.findLast((one) => one.subject === subject)
    const calls = receiver.on(subject)
    if (write?.body && body)
      write.body = {
        ...(body.status !== undefined && { status: body.status }),
        calls: calls.length,
        verified: calls.every((call) => verified.has(call)),
      }
  }

  return [
    {
      operation: 'listDeliveries',
      share: 0.6,
      send: get('listDeliveries', ({ id }) => `/v1/generations/${id}/deliveries`),
    },
    { operation: 'getDelivery', share: 0.6, send: get('getDelivery', ({ delivery }) => `/v1/deliveries/${delivery}`) },
    {
      operation: 'redeliverDelivery',
      share: 0.3,
      send: again('redeliverDelivery', ({ delivery }) => `/v1/deliveries/${delivery}/redeliver`),
    },
    {
      operation: 'redeliverGeneration',
      share: 0.3,
      send: again('redeliverGeneration', ({ id }) => `/v1/generations/${id}/deliveries/redeliver`),
    },
    { operation: 'redeliverRange', share: 0.1, send: redeliverRange },
    { operation: 'testWebhook', share: 0.2, send: test },
  ]
}
