import type { BrowserPage } from '../browser-pool/browser-page.ts'
import { checkPdfBytes, type PdfLimits } from '../pdf/page-count.ts'

const chunkBytes = 1024 * 1024

/** Reads a printed PDF in chunks. Throws DomainError when it exceeds the limit. */
export async function readStream({ session }: BrowserPage, handle: string, limits: PdfLimits): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for (let bytes = 0; ; checkPdfBytes(bytes, limits)) {
    const { data, base64Encoded, eof } = await session.send('IO.read', { handle, size: chunkBytes })
    const chunk = Buffer.from(data, base64Encoded ? 'base64' : 'latin1')
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (eof) return Buffer.concat(chunks)
  }
}
