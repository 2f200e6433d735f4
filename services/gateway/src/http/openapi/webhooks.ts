import { mapObjects, type Node, namesOfSchemas } from './rewrite-document.ts'
import {
  BatchEndedWebhook,
  GenerationCancelledWebhook,
  GenerationCompletedWebhook,
  GenerationFailedWebhook,
} from './webhook.ts'

const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
})

const headers = [
  header('webhook-id', 'Identifies the delivery: the same on every attempt.'),
  header('webhook-timestamp', 'Time of this attempt, in seconds since the epoch.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. Several, separated by spaces, while a secret rotates.',
  ),
]

const request = (operationId: string, summary: string, schema: object) => ({
  post: {
    tags: ['Webhooks'],
    operationId,
    summary,
    description:
      'Sent as a POST to `webhook_url` (Standard Webhooks 1.0.0). Retried for three days until the receiver answers 2xx.',
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'The delivery succeeded and is not repeated.' } },
  },
})

const anyWebhook = {
  title: 'GenerationWebhook',
  oneOf: [GenerationCompletedWebhook, GenerationFailedWebhook, GenerationCancelledWebhook],
}

const webhookUrl = '{$request.body#/webhook_url}'
const generationEnded = request('onGenerationEnded', 'A generation has ended', anyWebhook)

const batchEnded = request('onEndOfBatch', 'Every item of a batch has ended', BatchEndedWebhook)

/**
 * The webhook requests as callbacks of the operation that has their URL: some generators read only schemas that
 * operations use.
 */
export const callbacks = { generationEnded: { [webhookUrl]: generationEnded } }
export const batchCallbacks = { batchEnded: { [webhookUrl]: batchEnded } }

const ofCallbacks: Record<string, typeof generationEnded> = { generationEnded, batchEnded }

/** Adds the texts of the callbacks. @fastify/swagger keeps only their bodies and responses. */
export function describeCallbacks({ paths, ...document }: Node): Node {
  const describe = (node: Node): Node => {
    const described = Object.entries(ofCallbacks).flatMap(([name, { post: texts }]) => {
      const callback = node[name] as Record<string, { post: Node }> | undefined
      if (callback?.[webhookUrl] === undefined) return []
      const { summary, description } = texts
      return [[name, { [webhookUrl]: { post: { summary, description, ...callback[webhookUrl].post } } }]]
    })
    return { ...node, ...Object.fromEntries(described) }
  }
  return { ...document, paths: mapObjects(paths, describe) }
}

/** The `webhooks` object of the OpenAPI document: requests that Platen sends. */
export const webhooks = {
  'generation.completed': request('onGenerationCompleted', 'A generation is completed', GenerationCompletedWebhook),
  'generation.failed': request('onGenerationFailed', 'A generation has failed', GenerationFailedWebhook),
  'generation.cancelled': request('onGenerationCancelled', 'A generation was cancelled', GenerationCancelledWebhook),
  'batch.ended': request('onBatchEnded', 'Every item of a batch has ended', BatchEndedWebhook),
}

/**
 * Moves the webhooks to `components/pathItems`. Generators then leave them out as operations and keep their schemas;
 * openapi-generator makes code of the webhooks themselves that does not compile (Python, TypeScript).
 */
export function referToWebhooks({ webhooks: pathItems, ...document }: Node): Node {
  const names = Object.keys(pathItems as Node)
  const references = names.map((name) => [name, { $ref: `#/components/pathItems/${name}` }])
  return {
    ...document,
    webhooks: Object.fromEntries(references),
    components: { ...(document.components as Node), pathItems },
  }
}

/** The document for generators of clients that cannot read webhooks, without the schemas that only webhooks use. */
export function withoutWebhooks({ webhooks: _, ...document }: Node): Node {
  const { pathItems: __, ...components } = document.components as Node & { schemas: Node }
  const paths = mapObjects(document.paths, ({ callbacks: _, ...node }) => node)
  const used = namesOfSchemas(paths, components.schemas)
  const schemas = Object.fromEntries(Object.entries(components.schemas).filter(([name]) => used.has(name)))
  return { ...document, paths, components: { ...components, schemas } }
}
