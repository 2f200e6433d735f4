import {
  type TestOutcome,
  TestWebhook,
  type WebhookType,
  webhookTestMs,
  webhookTestSubject,
} from '@platen/domain/delivery/webhook-test.ts'
import {
  GenerationCancelled,
  GenerationCompleted,
  GenerationFailed,
  type GenerationOutcome,
} from '@platen/domain/generation/generation-events.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { Places } from '@platen/foundation/runtime/places.ts'
import { fileUrl } from '@platen/service-kit/signing/file-url.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'
import type { Msg, NatsConnection } from 'nats'
import { Compile } from 'typebox/compile'
import { type PayloadRequest, webhookPayload } from '../webhook/payload.ts'
import { postOnce } from '../webhook/post.ts'
import { webhookHeaders } from '../webhook/sign.ts'
import { signingSecrets } from '../webhook/signing-secrets.ts'
import { userAgent } from '../webhook/user-agent.ts'

export interface TestWebhooksDependencies {
  store: EventStore
  signing: Signing
  publicUrl: string
  fileUrlTtlS: number
  allowPrivate: boolean
  now: () => number
  log: Logger
}

/** The rest of the time is for the network. */
const postMs = webhookTestMs - 1_000

const schema = Compile(TestWebhook)

/**
 * Sends test webhooks for gateways until disposal, with the same check of addresses, headers and signature as a
 * delivery. Nothing is recorded. If all places are taken, the answer has no content.
 */
export function serveTestWebhooks(nats: NatsConnection, dependencies: TestWebhooksDependencies): AsyncDisposable {
  const running = new Set<Promise<void>>()
  // Receivers may be slow.
  const places = new Places({ all: 16, atMost: 4 })
  const subscription = nats.subscribe(webhookTestSubject, {
    queue: 'notifier',
    callback: (err, message) => {
      if (err) return
      const done = answer(dependencies, places, message)
        .catch((err) => dependencies.log.warn({ err }, 'the test of a webhook was not answered'))
        .finally(() => running.delete(done))
      running.add(done)
    },
  })
  return {
    async [Symbol.asyncDispose]() {
      subscription.unsubscribe()
      await Promise.all(running)
    },
  }
}

async function answer(dependencies: TestWebhooksDependencies, places: Places, message: Msg): Promise<void> {
  const request: unknown = message.json()
  if (!schema.Check(request)) return
  using place = places.take(request.owner_id)
  if (!place) return void message.respond()
  message.respond(JSON.stringify(await sendExample(dependencies, request)))
}

async function sendExample(dependencies: TestWebhooksDependencies, test: TestWebhook): Promise<TestOutcome> {
  const { store, signing, allowPrivate, now, log } = dependencies
  const { delivery_id: id, owner_id: ownerId, webhook_url: url, type } = test
  const nowMs = now()
  const secrets = await signingSecrets({ store, signing, ownerId, nowMs })
  const body = exampleBody(dependencies, type, nowMs)
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...webhookHeaders({ id, timestampS: Math.floor(nowMs / 1_000), body, secrets }),
  }
  const outcome = await postOnce({ url, headers, body, allowPrivate, timeoutMs: postMs })
  const { response, duration_ms } = outcome
  const result = 'status' in outcome ? { status: outcome.status } : { error: outcome.error }
  // The URL is not logged, as it may contain a token.
  log.info({ delivery: id, owner_id: ownerId, ...result, duration_ms }, 'webhook tested')
  return { ...result, duration_ms, ...defined({ response }) }
}

const examples = {
  'generation.completed': GenerationCompleted,
  'generation.failed': GenerationFailed,
  'generation.cancelled': GenerationCancelled,
} as const

/** The webhook of a generation that does not exist. Its `metadata` says that it is a test. */
function exampleBody(
  { signing, publicUrl, fileUrlTtlS }: TestWebhooksDependencies,
  type: WebhookType,
  nowMs: number,
): string {
  const { type: event, example } = examples[type]
  const { id, data, opening } = example
  const expiresS = Math.floor(nowMs / 1_000) + fileUrlTtlS
  const urls = {
    file: fileUrl(signing, publicUrl, { generationId: id }, expiresS),
    fileExpiresAt: new Date(expiresS * 1_000).toISOString(),
    generation: `${publicUrl.replace(/\/+$/, '')}/v1/generations/${id}`,
  }
  const { api_key_id, template, file_name } = opening as unknown as PayloadRequest
  const request = {
    api_key_id,
    ...defined({ template }),
    ...(file_name && { file_name }),
    metadata: { test: 'true' },
  }
  const outcome = { type: event, data } as GenerationOutcome
  return webhookPayload({ subject: id, time: new Date(nowMs).toISOString() }, { request, outcome }, urls)
}
