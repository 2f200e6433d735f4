import type { Generation } from '@platen/domain/generation/generation.ts'
import type { PlatenClient } from './platen.ts'
import { type ReadPage, readPdf } from './read-pdf.ts'

export type Completed = Required<Pick<Generation, 'url' | 'pages' | 'size' | 'duration_ms'>> & Generation

/** Generates a document synchronously, downloads the file without a key and reads it. */
export async function print(platen: PlatenClient, body: object): Promise<ReadPage[]> {
  const { pdf } = await generate(platen, body)
  return readPdf(pdf)
}

/** Rejects unless the response is a 200. */
export async function generate(
  platen: PlatenClient,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ generation: Completed; pdf: Uint8Array; headers: Headers }> {
  const answer = await platen.json<Completed>('/v1/generate', { body, headers })
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return { generation: answer.body, pdf: await download(answer.body.url), headers: answer.headers }
}

/** Downloads a signed URL, which needs no key. */
export async function download(url: string | undefined): Promise<Uint8Array> {
  const response = await fetch(url ?? '')
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.bytes()
}
