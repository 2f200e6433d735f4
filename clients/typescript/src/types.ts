import type { components } from './api-types.ts'

type Schemas = components['schemas']

export type Generation = Schemas['Generation']
export type Asset = Schemas['Asset']

/** A generation whose PDF can be fetched. */
export type CompletedGeneration = Generation & { status: 'completed' } & Required<
    Pick<Generation, 'url' | 'pages' | 'size' | 'duration_ms' | 'warnings'>
  >

type Document =
  | { html: string; template?: never; template_version?: never }
  /** The id or the slug of a template. */
  | { template: string; template_version?: number; html?: never }

type OtherFields = Omit<Schemas['GenerateRequest'], keyof Document | 'async' | 'webhook_url'>

/** What to print: `html` or `template`, with `data`, `options`, `metadata` and `file_name`. */
export type GenerateInput = Document & OtherFields

/** `webhook_url` is notified when the generation has ended. */
export type GenerateAsyncInput = GenerateInput & { webhook_url?: string }

/** A PDF, as `generatePdf` returns it. */
export interface PrintedPdf {
  /** The id of the generation. */
  id: string
  bytes: Uint8Array<ArrayBuffer>
  pages: number
  /** How many warnings there are. `generate` returns them. */
  warnings: number
}

export interface PlatenOptions {
  /** The URL of the gateway, such as `https://pdf.example.com`. */
  url: string
  /** The API key: `pk_…`. Signed file URLs need none. */
  key?: string | undefined
  /** How long a call may take, with its retries, in milliseconds. Default: 60,000. */
  timeoutMs?: number | undefined
  /** How often a request is repeated after a failure that may pass. Default: 4. */
  retries?: number | undefined
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

export interface CallOptions {
  /** Aborts the call. It then rejects with the `reason` of the signal. */
  signal?: AbortSignal | undefined
  /** How long the call may take, with its retries, in milliseconds. */
  timeoutMs?: number | undefined
}

export interface GenerateOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters. Calls with the same key and input share a generation for 24 hours. Default: random. */
  idempotencyKey?: string | undefined
}

export interface FileOptions {
  /** Aborts the download. */
  signal?: AbortSignal | undefined
  /** How long to wait for the first and for each further part of the file, in milliseconds. */
  timeoutMs?: number | undefined
}
