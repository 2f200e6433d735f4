import { type components, type operations, type Platen, PlatenError } from '@platen/client'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Environment } from '@platen/foundation/settings/config.ts'
import { answered, openApi } from './library.ts'

type Schemas = components['schemas']
export type Batch = Schemas['Batch']
export type BatchItem = Schemas['BatchItemResult']
export type BatchFields = Omit<NonNullable<operations['createBatch']['parameters']['query']>, 'owner'>

/** Opens the batches of the key's owner, or of another one. Throws if API_KEY is not set. */
export async function openBatches(env: Environment, owner: string | undefined): Promise<BatchApi> {
  const { platen, ownerId } = await openApi(env, owner)
  return new BatchApi(platen, ownerId)
}

/** Statuses after which the request can be repeated: nothing was accepted, or the Idempotency-Key identifies it. */
const busyStatuses = [429, 502, 503, 504]
const maxAttempts = 3

/** The batches of an owner, over HTTP. Methods throw the message and the code of a refusal. */
export class BatchApi {
  readonly #api: Platen['api']
  /** Query parameters of every request. */
  readonly #query: { owner?: string }

  constructor({ api }: Platen, owner: string | undefined) {
    this.#api = api
    this.#query = owner === undefined ? {} : { owner }
  }

  /** `open` returns the lines anew for each attempt. */
  async create(
    fields: BatchFields,
    { idempotencyKey, open, signal }: { idempotencyKey: string; open: () => ReadableStream; signal: AbortSignal },
  ): Promise<Batch> {
    const params = { query: { ...this.#query, ...fields }, header: { 'idempotency-key': idempotencyKey } }
    const create = this.#api.POST('/v1/batches', {
      params,
      // The body is sent below while it is read: the client would keep it in memory to be able to send it again.
      body: '',
      bodySerializer: () => '',
      headers: { 'content-type': 'application/x-ndjson' },
      fetch: (request: Request) => sendLines(request, open, signal),
    })
    return answered(create)
  }

  batch(id: string): Promise<Batch> {
    return answered(this.#api.GET('/v1/batches/{id}', { params: { path: { id }, query: this.#query } }))
  }

  /** Newest first, a page after the other. */
  async *batches(): AsyncGenerator<Batch> {
    for (let cursor: string | undefined; ; ) {
      const query = { ...this.#query, limit: 100, ...defined({ cursor }) }
      const page = await answered(this.#api.GET('/v1/batches', { params: { query } }))
      yield* page.data
      if (page.next_cursor === undefined) return
      cursor = page.next_cursor
    }
  }

  /** Yields the items in order, and fetches one page at a time: a batch may have 100,000 items. */
  async *items(id: string): AsyncGenerator<BatchItem> {
    for (let cursor: string | undefined; ; ) {
      const query = { ...this.#query, limit: 100, ...defined({ cursor }) }
      const page = await answered(this.#api.GET('/v1/batches/{id}/items', { params: { path: { id }, query } }))
      yield* page.data
      if (page.next_cursor === undefined) return
      cursor = page.next_cursor
    }
  }

  cancel(id: string): Promise<Batch> {
    return answered(this.#api.POST('/v1/batches/{id}/cancel', { params: { path: { id }, query: this.#query } }))
  }

  /** The bytes of the ZIP, or of the merged PDF. */
  file(id: string, form: 'zip' | 'pdf'): Promise<ReadableStream<Uint8Array>> {
    const init = { params: { path: { id }, query: this.#query }, parseAs: 'stream' } as const
    const call =
      form === 'zip'
        ? this.#api.GET('/v1/batches/{id}/files.zip', init)
        : this.#api.GET('/v1/batches/{id}/merged.pdf', init)
    return answered(call as Promise<{ data?: ReadableStream<Uint8Array>; error?: unknown; response: Response }>)
  }
}

async function sendLines(request: Request, open: () => ReadableStream, signal: AbortSignal): Promise<Response> {
  const { url, method, headers } = request
  for (let attempt = 1; ; attempt++) {
    const init = { method, headers, body: open(), duplex: 'half', signal, redirect: 'manual' } as const
    const response = await fetch(url, init).catch((err: Error) => {
      signal.throwIfAborted()
      if (attempt < maxAttempts) return undefined
      const { message } = err.cause instanceof Error ? err.cause : err
      throw new PlatenError({ code: 'NETWORK_ERROR', message: `The items could not be sent: ${message}` })
    })
    if (response && (attempt >= maxAttempts || !busyStatuses.includes(response.status))) return response
    const seconds = Number(response?.headers.get('retry-after')) || 2 ** attempt
    await response?.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, Math.min(30, seconds) * 1_000))
    signal.throwIfAborted()
  }
}
