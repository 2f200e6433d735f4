import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { ErrorEnvelope } from '@platen/domain/http/http.ts'
import { readJson, request } from '../../support/platen.ts'
import { download } from '../../support/print.ts'

/** A running Platen. */
export interface PlatenAccess {
  url: string
  apiKey: string
}

export interface PlatenJob {
  html: string
  /** What the document's relative URLs are resolved with. */
  baseUrl?: string
  options?: PdfOptions
}

export interface PlatenPrinting {
  status: number
  /** Absent unless the status is 200. */
  pdf?: Uint8Array
  /** The answer's error; empty where there is none. */
  error: string
  /** `CODE: message`. */
  warnings: string[]
}

export async function printByPlaten({ url, apiKey }: PlatenAccess, job: PlatenJob): Promise<PlatenPrinting> {
  const { html, baseUrl, options } = job
  const body = { html, options: { ...options, ...(baseUrl !== undefined && { base_url: baseUrl }) } }
  const answer = await readJson<Generation & Partial<ErrorEnvelope>>(
    await request(new URL('/v1/generate', url), apiKey, { body }),
  )
  const { status, body: generation } = answer
  if (status !== 200) return { status, error: JSON.stringify(generation.error ?? generation), warnings: [] }
  return {
    status,
    pdf: await download(generation.url),
    error: '',
    warnings: (generation.warnings ?? []).map(({ code, message }) => `${code}: ${message}`),
  }
}
