import { endingOf } from '@platen/domain/generation/job-details.ts'
import type { Signing } from './signing.ts'

/** The URL of a generation's file that needs no API key until `expiresAtS` (seconds since the epoch). */
export function fileUrl(
  signing: Signing,
  publicUrl: string,
  { generationId, mediaType }: { generationId: string; mediaType?: string | undefined },
  expiresAtS: number,
): string {
  const url = new URL(`${publicUrl.replace(/\/+$/, '')}/v1/files/${generationId}.${endingOf(mediaType)}`)
  url.searchParams.set('expires', String(expiresAtS))
  url.searchParams.set('signature', signing.fileSignature(generationId, expiresAtS))
  return url.href
}
