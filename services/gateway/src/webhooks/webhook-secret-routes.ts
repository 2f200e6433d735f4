import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Signing } from '@platen/shared/signing/signing.ts'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf } from '../api-keys/owner-of.ts'
import { errorResponses } from '../http/openapi/references.ts'

export interface WebhookSecretRoutesOptions {
  signing: Signing
}

export const webhookSecretRoutes: FastifyPluginAsyncTypebox<WebhookSecretRoutesOptions> = async (app, { signing }) => {
  app.get('/webhook-secret', {
    onRequest: needsScope('generations:read'),
    schema: {
      tags: ['Webhooks'],
      operationId: 'getWebhookSecret',
      summary: "Read the secret that signs the owner's webhooks",
      description: 'Webhooks follow Standard Webhooks 1.0.0. Verify `webhook-signature` with this secret.',
      querystring: OwnerQuery,
      response: {
        200: Type.Object({ secret: Type.String({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }) }),
        ...errorResponses(),
      },
    },
    async handler(request, reply) {
      const { id, webhookSecretVersion } = ownerOf(request)
      reply.header('cache-control', 'no-store')
      return { secret: signing.webhookSecret(id, webhookSecretVersion) }
    },
  })
}
