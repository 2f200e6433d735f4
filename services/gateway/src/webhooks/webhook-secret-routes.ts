import { changeOwner } from '@platen/domain/owner/owners.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf } from '../api-keys/owner-of.ts'
import { errorResponses } from '../http/openapi/route-schemas.ts'
import { resource } from '../http/resource.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { shownInTime } from '../views/shown-in-time.ts'

export interface WebhookSecretRoutesOptions {
  signing: Signing
  store: EventStore
  /** Resolves when the views show every change that was made before the call. */
  untilCaughtUp: () => Promise<void>
}

const Secret = Type.Object(
  { secret: Type.String({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }) },
  { title: 'WebhookSecret' },
)

export const webhookSecretRoutes = resource<WebhookSecretRoutesOptions>('webhook secrets', async (app, options) => {
  const { signing, store, untilCaughtUp } = options
  app.get('/webhook-secret', {
    // A key that may set a `webhook_url` must be able to verify what arrives there.
    onRequest: needsScope('generate', 'generations:read'),
    schema: {
      tags: ['Webhooks'],
      operationId: 'getWebhookSecret',
      summary: "Read the secret that signs the owner's webhooks",
      description: 'Webhooks follow Standard Webhooks 1.0.0. Verify `webhook-signature` with this secret.',
      querystring: OwnerQuery,
      response: {
        200: Secret,
        ...errorResponses(),
      },
    },
    async handler(request, reply) {
      const { id, webhookSecretVersion } = ownerOf(request)
      reply.header('cache-control', 'no-store')
      return { secret: signing.webhookSecret(id, webhookSecretVersion) }
    },
  })

  app.post('/webhook-secret/rotate', {
    onRequest: needsScope('admin'),
    schema: {
      tags: ['Webhooks'],
      operationId: 'rotateWebhookSecret',
      summary: 'Replace the webhook secret',
      description:
        'Webhooks are signed with the new and the old secret for a day, and then with the new one only. 202: it is recorded, and read as the secret in a moment.',
      querystring: OwnerQuery,
      response: { 200: Secret, 202: Secret, ...errorResponses() },
    },
    async handler(request, reply) {
      const { id } = ownerOf(request)
      const metadata = commandMetadata(request)
      const command = { type: 'RotateOwnerWebhookSecret', data: { at: metadata.time } } as const
      const { state } = await changeOwner(store, id, command, metadata)
      reply.code((await shownInTime(untilCaughtUp)) ? 200 : 202).header('cache-control', 'no-store')
      return { secret: signing.webhookSecret(id, state.status === 'absent' ? 1 : state.webhookSecretVersion) }
    },
  })
})
