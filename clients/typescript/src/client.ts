import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './api-types.ts'
import { authorizationOf, checkedUrl } from './credentials.ts'
import { Deadline } from './deadline.ts'
import { completed, isRunning, runningGeneration } from './generation-outcome.ts'
import { allItems, type List, type Lists } from './pages.ts'
import { openPdf, type PdfFile } from './pdf-file.ts'
import { errorOf, readError, unwrap } from './platen-error.ts'
import { retryAfterMs, type Sender, sendWithRetries } from './retries.ts'
import type {
  Asset,
  CallOptions,
  CompletedGeneration,
  FileOptions,
  GenerateAsyncInput,
  GenerateInput,
  GenerateOptions,
  Generation,
  PlatenOptions,
  PrintedPdf,
} from './types.ts'

const defaultTimeoutMs = 60_000
const defaultWaitTimeoutMs = 600_000
/** The wait of one request. Many proxies end connections that are silent for a minute. */
const longestPollS = 30
const pollPauseMs = 1_000

/**
 * A client of Platen. Temporary failures (broken connections, 429, 502, 503, 504) are retried with an Idempotency-Key,
 * so that nothing is printed twice. Methods throw a PlatenError.
 */
export class Platen {
  /**
   * Every operation of the HTTP API, typed by its OpenAPI document, through openapi-fetch. It retries, too, but returns
   * an error response as `error`; `unwrap` throws it.
   */
  readonly api: Client<paths>
  readonly generations: Lists['generations']
  readonly templates: Lists['templates']
  readonly partials: Lists['partials']
  readonly assets: Lists['assets']
  readonly batches: Lists['batches']
  readonly #sender: Sender
  readonly #url: URL
  readonly #timeoutMs: number
  readonly #authorization: Record<string, string>

  constructor({ url, key, timeoutMs = defaultTimeoutMs, retries = 4, fetch }: PlatenOptions) {
    const baseUrl = checkedUrl(url)
    this.#url = new URL(`${baseUrl}/`)
    this.#timeoutMs = timeoutMs
    // Looked up at each call, so that a test can replace `globalThis.fetch` later.
    this.#sender = { fetch: fetch ?? ((request) => globalThis.fetch(request)), retries }
    this.#authorization = authorizationOf(key)
    this.api = createClient<paths>({
      baseUrl,
      headers: this.#authorization,
      fetch: (request) => this.#within({ signal: request.signal }, (deadline) => this.#send(request, deadline)),
    })
    this.generations = this.#listOf('/v1/generations')
    this.templates = this.#listOf('/v1/templates')
    this.partials = this.#listOf('/v1/partials')
    this.assets = this.#listOf('/v1/assets')
    this.batches = this.#listOf('/v1/batches')
  }

  /** Prints a document and returns the generation. Its `url` needs no API key. */
  async generate(input: GenerateInput, options: GenerateOptions = {}): Promise<CompletedGeneration> {
    return this.#within(options, async (deadline) => {
      const call = this.api.POST('/v1/generate', { ...this.#generateInit(options, deadline), body: input })
      const generation = await unwrap(call).catch((err) => this.#untilEnded(runningGeneration(err), deadline))
      return completed(isRunning(generation) ? await this.#untilEnded(generation.id, deadline) : generation)
    })
  }

  /** Prints a document and returns the PDF. */
  async generatePdf(input: GenerateInput, options: GenerateOptions = {}): Promise<PrintedPdf> {
    return this.#within(options, async (deadline) => {
      const init = this.#generateInit(options, deadline)
      const headers = { accept: 'application/pdf' }
      const call = await this.api.POST('/v1/generate', { ...init, headers, body: input, parseAs: 'arrayBuffer' })
      const { data, error, response } = call
      if (data === undefined) {
        const generation = completed(await this.#untilEnded(runningGeneration(errorOf(error, response)), deadline))
        const { id, pages, warnings, url } = generation
        const file = await this.file(url, { signal: deadline.signal })
        return { id, pages, warnings: warnings.length, bytes: await file.bytes() }
      }
      const header = (name: string) => response.headers.get(name) ?? ''
      return {
        id: header('x-generation-id'),
        bytes: new Uint8Array(data),
        pages: Number(header('x-generation-pages')),
        warnings: Number(header('x-generation-warnings')),
      }
    })
  }

  /** Queues a document and returns at once: see `waitFor`. */
  async generateAsync(input: GenerateAsyncInput, options: GenerateOptions = {}): Promise<Generation> {
    return this.#within(options, (deadline) => {
      const body = { ...input, async: true }
      return unwrap(this.api.POST('/v1/generate', { ...this.#generateInit(options, deadline), body }))
    })
  }

  /**
   * Queues a document and waits until it is completed. For documents that take minutes. `timeoutMs` is 10 minutes by
   * default.
   */
  async generateAndWait(input: GenerateInput, options: GenerateOptions = {}): Promise<CompletedGeneration> {
    return this.#within({ timeoutMs: defaultWaitTimeoutMs, ...options }, async (deadline) => {
      const body = { ...input, async: true }
      const queued = await unwrap(this.api.POST('/v1/generate', { ...this.#generateInit(options, deadline), body }))
      return completed(isRunning(queued) ? await this.#untilEnded(queued.id, deadline) : queued)
    })
  }

  /**
   * Waits until a generation is completed. Throws a PlatenError with the code of its error if it has failed, and
   * GENERATION_CANCELLED if it was cancelled. `timeoutMs` is 10 minutes by default.
   */
  async waitFor(generation: string | { id: string }, options: CallOptions = {}): Promise<CompletedGeneration> {
    const id = typeof generation === 'string' ? generation : generation.id
    const timeoutMs = options.timeoutMs ?? defaultWaitTimeoutMs
    return this.#within({ ...options, timeoutMs }, async (deadline) => completed(await this.#untilEnded(id, deadline)))
  }

  /**
   * Downloads a PDF by its generation, its signed `url`, or its id, which needs a key with the scope
   * `generations:read`.
   */
  async file(source: string | { id: string; url?: string }, options: FileOptions = {}): Promise<PdfFile> {
    const wanted = typeof source === 'string' ? source : (source.url ?? source.id)
    const isId = /^pdf_\w+$/.test(wanted)
    const url = new URL(isId ? `v1/generations/${wanted}/file` : wanted, this.#url)
    return openPdf({
      get: async (headers, deadline) => {
        const init = { headers: { accept: 'application/pdf', ...(isId && this.#authorization), ...headers } }
        const response = await this.#send(new Request(url, init), deadline)
        if (!response.ok) throw await readError(response)
        return response
      },
      timeoutMs: options.timeoutMs ?? this.#timeoutMs,
      retries: this.#sender.retries,
      signal: options.signal,
    })
  }

  /** Downloads a PDF to this path while it arrives: see `file`. The file exists only when it is whole. Not in browsers. */
  async saveFile(
    source: string | { id: string; url?: string },
    path: string,
    options: FileOptions = {},
  ): Promise<void> {
    const file = await this.file(source, options)
    await file.save(path)
  }

  /**
   * Stores a picture, font, style sheet or script, which documents use as `asset:<name>`. Storing the same bytes again
   * changes nothing.
   */
  async putAsset(name: string, bytes: Uint8Array<ArrayBuffer> | Blob, options: CallOptions = {}): Promise<Asset> {
    return this.#within(options, (deadline) => {
      const call = this.api.PUT('/v1/assets/{name}', {
        params: { path: { name } },
        headers: { 'content-type': 'application/octet-stream' },
        // The document has no type for bytes.
        body: '',
        bodySerializer: () => bytes,
        fetch: (request: Request) => this.#send(request, deadline),
      })
      return unwrap(call)
    })
  }

  #listOf<Item, Filter extends object>(path: keyof paths): List<Item, Filter> {
    return {
      list: (filter) =>
        allItems<Item>((query) => {
          // The paths and the types of their items are those of `Lists`.
          const call = this.api.GET(path as '/v1/generations', { params: { query } })
          return unwrap(call) as Promise<unknown> as Promise<{ data: Item[] }>
        }, filter ?? {}),
    }
  }

  #send(request: Request, deadline: Deadline): Promise<Response> {
    return sendWithRetries(this.#sender, request, deadline)
  }

  async #within<Result>(
    { timeoutMs = this.#timeoutMs, signal }: CallOptions,
    call: (deadline: Deadline) => Promise<Result>,
  ): Promise<Result> {
    const deadline = new Deadline(timeoutMs, signal)
    try {
      return await call(deadline)
    } finally {
      deadline.end()
    }
  }

  #generateInit({ idempotencyKey }: GenerateOptions, deadline: Deadline) {
    return {
      params: { header: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey } },
      fetch: (request: Request) => this.#send(request, deadline),
    }
  }

  /** A generation that has ended, read by long polls. */
  async #untilEnded(id: string, deadline: Deadline): Promise<Generation> {
    for (;;) {
      const wait = Math.max(1, Math.min(longestPollS, Math.ceil(deadline.remainingMs / 1_000)))
      const call = await this.api.GET('/v1/generations/{id}', {
        params: { path: { id }, query: { wait } },
        fetch: (request: Request) => this.#send(request, deadline),
      })
      const generation = await unwrap(call)
      if (!isRunning(generation)) return generation
      await deadline.sleep(retryAfterMs(call.response.headers) ?? pollPauseMs)
    }
  }
}
