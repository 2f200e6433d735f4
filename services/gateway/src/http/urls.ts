import type { ServerClock } from '@platen/messaging/connection/server-clock.ts'
import { fileUrl } from '@platen/service-kit/signing/file-url.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'

/** URLs as clients reach the gateway. */
export interface Urls {
  template(templateId: string): string
  asset(name: string): string
  partial(partialId: string): string
  poll(generationId: string): string
  batch(batchId: string): string
  apiKey(id: string): string
  owner(id: string): string
  /** Signed, and valid for the configured time from now. */
  file(generationId: string, mediaType?: string): string
}

export interface UrlsOptions {
  publicUrl: () => string
  signing: Signing
  fileUrlTtlS: number
  clock: Pick<ServerClock, 'now'>
}

export function createUrls({ publicUrl, signing, fileUrlTtlS, clock }: UrlsOptions): Urls {
  return {
    template: (id) => `${publicUrl()}/v1/templates/${id}`,
    asset: (name) => `${publicUrl()}/v1/assets/${encodeURIComponent(name)}`,
    partial: (id) => `${publicUrl()}/v1/partials/${id}`,
    apiKey: (id) => `${publicUrl()}/v1/keys/${id}`,
    owner: (id) => `${publicUrl()}/v1/owners/${id}`,
    batch: (id) => `${publicUrl()}/v1/batches/${id}`,
    poll: (id) => `${publicUrl()}/v1/generations/${id}`,
    file: (generationId, mediaType) => {
      const expiresAtS = Math.floor(clock.now() / 1_000) + fileUrlTtlS
      return fileUrl(signing, publicUrl(), { generationId, mediaType }, expiresAtS)
    },
  }
}
