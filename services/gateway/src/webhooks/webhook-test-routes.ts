import {
  type TestOutcome as Outcome,
  TestOutcome,
  type TestWebhook,
  WebhookType,
  webhookTestMs,
  webhookTestSubject,
} from '@platen/domain/delivery/webhook-test.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { asBusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf } from '../api-keys/owner-of.ts'
import { bodyErrors, errorResponses } from '../http/openapi/route-schemas.ts'
import { resource } from '../http/resource.ts'
import { checkWebhookUrl, type WebhookUrlPolicy } from './webhook-url.ts'

/** More than a person tries, and too few to use Platen for requests to others. */
const maxTests = 10
const windowMs = 60_000

/** Limits the webhook tests of each owner in a minute, for this gateway. */
class TestLimit {
  readonly #windows = new Map<string, { count: number; endsAt: number }>()
  readonly #now: () => number

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Throws RATE_LIMITED if the owner has sent too many. */
  count(ownerId: string): void {
    const now = this.#now()
    for (const [id, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(id)
    const window = this.#windows.get(ownerId) ?? { count: 0, endsAt: now + windowMs }
    this.#windows.set(ownerId, window)
    if (++window.count <= maxTests) return
    const retry_after_s = Math.ceil((window.endsAt - now) / 1_000)
    const message = `An owner may test ${maxTests} webhooks per minute; retry in ${retry_after_s} s`
    throw new DomainError('RATE_LIMITED', message, { details: { retry_after_s } })
  }
}

export interface WebhookTestRoutesOptions {
  bus: Pick<Bus, 'nats' | 'whenConnected' | 'untilDisconnected'>
  policy: WebhookUrlPolicy
}

const Body = Type.Object(
  {
    webhook_url: Type.String({ maxLength: 2_048, description: 'As the `webhook_url` of a generation.' }),
    type: Type.Optional({ ...WebhookType, description: 'Which webhook. Default: `generation.completed`.' }),
  },
  {
    title: 'WebhookTestRequest',
    additionalProperties: false,
    examples: [{ webhook_url: 'https://receiver.example/platen', type: 'generation.completed' }],
  },
)

const Result = Type.Object(
  {
    id: Type.String({ description: 'the `webhook-id` of the request', examples: ['msg_01k9x2v7w3d5e8f0g2h4j6k8m0'] }),
    ...TestOutcome.properties,
  },
  { title: 'WebhookTestResult', description: 'What the receiver answered, or why there was no answer.' },
)

export const webhookTestRoutes = resource<WebhookTestRoutesOptions>('webhook tests', async (app, { bus, policy }) => {
  const limit = new TestLimit()

  app.post('/webhooks/test', {
    onRequest: needsScope('generate'),
    schema: {
      tags: ['Webhooks'],
      operationId: 'testWebhook',
      summary: 'Send a signed example of a webhook to a URL, and answer what came back',
      description:
        'The example is signed with the owner\'s secret, and its `metadata` is `{"test": "true"}`. The rules for URLs are those of webhooks, and redirects are not followed. Nothing is recorded, and nothing is sent again. An owner may send ten a minute.',
      querystring: OwnerQuery,
      body: Body,
      response: { 200: Result, ...errorResponses(...bodyErrors, 'WEBHOOK_URL_FORBIDDEN') },
    },
    async handler(request) {
      const { webhook_url, type = 'generation.completed' } = request.body
      const { id: owner_id } = ownerOf(request)
      limit.count(owner_id)
      await checkWebhookUrl(webhook_url, policy)
      const test: TestWebhook = { delivery_id: newId('msg'), owner_id, webhook_url, type }
      return { id: test.delivery_id, ...(await send(bus, test)) }
    },
  })
})

/** Sent once: the receiver would get a second one. Throws BusUnavailable when no notifier answers. */
async function send(bus: WebhookTestRoutesOptions['bus'], test: TestWebhook): Promise<Outcome> {
  await bus.whenConnected()
  try {
    const asked = bus.nats.request(webhookTestSubject, JSON.stringify(test), { timeout: webhookTestMs })
    const answer = await bus.untilDisconnected(asked)
    if (answer.data.length === 0) fail('SERVICE_UNAVAILABLE', 'Too many webhooks are being tested; retry later')
    return answer.json<Outcome>()
  } catch (err) {
    throw asBusUnavailable(err)
  }
}
