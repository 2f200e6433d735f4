import type { Signing } from './signing.ts'

/** Where anybody may fetch a generation's PDF until `expiresAtS` (seconds since the epoch), without an API key. */
export function fileUrl(signing: Signing, publicUrl: string, generationId: string, expiresAtS: number): string {
  const address = new URL(`${publicUrl.replace(/\/+$/, '')}/v1/files/${generationId}.pdf`)
  address.searchParams.set('expires', String(expiresAtS))
  address.searchParams.set('signature', signing.fileSignature(generationId, expiresAtS))
  return address.href
}
