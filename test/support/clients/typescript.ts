import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type GenerateInput,
  Platen,
  PlatenError,
  unwrap,
  verifyWebhook,
  WebhookVerificationError,
} from '@platen/client'
import type { Driver, Order, Outcome } from './driver.ts'

/** `@platen/client` in this process. */
export const typescriptDriver: Driver = {
  language: 'TypeScript',
  async run(order) {
    const outcome = await carryOut(order)
    return order.call === 'save_file' ? { ...outcome, files: await readdir(order.folder) } : outcome
  },
  async [Symbol.asyncDispose]() {},
}

async function carryOut(order: Order): Promise<Outcome> {
  try {
    return { result: await resultOf(order) }
  } catch (err) {
    if (err instanceof WebhookVerificationError) return { error: { code: err.name } }
    if (!(err instanceof PlatenError)) return { error: { code: String(err) } }
    const { code, message, status, requestId, generationId, generationStatus, details } = err
    const ids = { request_id: requestId, generation_id: generationId, generation_status: generationStatus }
    return { error: { code, message, status, ...ids, details } }
  }
}

// The inputs of behaviours are those of the API, and what is wrong there is found by the test.
// biome-ignore lint/suspicious/noExplicitAny: an input may be of any method
type Input = any

async function resultOf({ url, key, call, input, options = {}, folder }: Order): Promise<unknown> {
  const timeoutMs = options.timeout_ms
  const platen = new Platen({ url, key, retries: options.retries, ...(timeoutMs !== undefined && { timeoutMs }) })
  const callOptions = { timeoutMs, idempotencyKey: options.idempotency_key }
  const calls: Record<string, (input: Input) => Promise<unknown>> = {
    generate: (document: GenerateInput) => platen.generate(document, callOptions),
    generate_async: (document: GenerateInput) => platen.generateAsync(document, callOptions),
    generate_and_wait: (document: GenerateInput) => platen.generateAndWait(document, callOptions),
    generate_pdf: async (document: GenerateInput) => {
      const { bytes, ...pdf } = await platen.generatePdf(document, callOptions)
      return { ...pdf, ...contentOf(bytes) }
    },
    wait_for: ({ id }) => platen.waitFor(id, { timeoutMs }),
    file: async (source) => {
      const file = await platen.file(source.url ?? source.id, { timeoutMs })
      return { name: file.name, ...contentOf(await file.bytes()) }
    },
    save_file: async (source) => {
      const path = join(folder, 'saved.pdf')
      await platen.saveFile(source.url ?? source.id, path, { timeoutMs })
      return { ...contentOf(await readFile(path)), files: await readdir(folder) }
    },
    list_generations: ({ take, ...filter }) => idsOf(platen.generations.list(filter), take),
    list_templates: ({ take, ...filter }) => idsOf(platen.templates.list(filter), take),
    list_batches: ({ take, ...filter }) => idsOf(platen.batches.list(filter), take),
    create_batch: (body) => {
      const header = { ...(options.idempotency_key && { 'idempotency-key': options.idempotency_key }) }
      return unwrap(platen.api.POST('/v1/batches', { params: { header }, body }))
    },
    get_batch: ({ id }) => unwrap(platen.api.GET('/v1/batches/{id}', { params: { path: { id } } })),
    cancel_batch: ({ id }) => unwrap(platen.api.POST('/v1/batches/{id}/cancel', { params: { path: { id } } })),
    create_template: (body) => unwrap(platen.api.POST('/v1/templates', { body })),
    get_template: ({ id }) =>
      unwrap(platen.api.GET('/v1/templates/{idOrSlug}', { params: { path: { idOrSlug: id } } })),
    update_template: ({ id, if_match, ...body }) => {
      const params = { path: { idOrSlug: id }, header: { 'if-match': `"${if_match}"` } }
      return unwrap(platen.api.PATCH('/v1/templates/{idOrSlug}', { params, body }))
    },
    delete_template: async ({ id }) => {
      await unwrap(platen.api.DELETE('/v1/templates/{idOrSlug}', { params: { path: { idOrSlug: id } } }))
      return null
    },
    put_asset: ({ name, text, base64 }) => platen.putAsset(name, Buffer.from(text ?? base64, text ? 'utf8' : 'base64')),
    preview: async (body) => {
      return contentOf(new Uint8Array(await unwrap(platen.api.POST('/v1/preview', { body, parseAs: 'arrayBuffer' }))))
    },
    webhook_secret: () => unwrap(platen.api.GET('/v1/webhook-secret')),
    verify_webhook: ({ body, headers, secrets }) => verifyWebhook(body, headers, secrets),
  }
  const made = calls[call]
  if (!made) throw new Error(`there is no call ${call}`)
  return made(input)
}

function contentOf(bytes: Uint8Array) {
  const text = Buffer.from(bytes).toString('latin1')
  const start = text.slice(0, 5)
  return { size: bytes.length, start, whole: start === '%PDF-' && text.endsWith('\n%%EOF\n') }
}

async function idsOf(
  items: AsyncIterable<{ id: string }>,
  take = Number.POSITIVE_INFINITY,
): Promise<{ ids: string[] }> {
  const ids: string[] = []
  for await (const { id } of items) if (ids.push(id) >= take) break
  return { ids }
}
