import type { Signing } from './signing.ts'

/** The URL of a generation's PDF that needs no API key until `expiresAtS` (seconds since the epoch). */
export function fileUrl(signing: Signing, publicUrl: string, generationId: string, expiresAtS: number): string {
  const url = new URL(`${publicUrl.replace(/\/+$/, '')}/v1/files/${generationId}.pdf`)
  url.searchParams.set('expires', String(expiresAtS))
  url.searchParams.set('signature', signing.fileSignature(generationId, expiresAtS))
  return url.href
}
