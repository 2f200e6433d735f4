import type { Signing } from '@platen/shared/signing/signing.ts'

/** Where clients find things, as they reach us. */
export interface Addresses {
  templateUrl(templateId: string): string
  pollUrl(generationId: string): string
  /** Signed anew on each call, good for the deployment's time. */
  fileUrl(generationId: string): string
}

export interface AddressesOptions {
  publicUrl: () => string
  signing: Signing
  fileUrlTtlS: number
}

export function addresses({ publicUrl, signing, fileUrlTtlS }: AddressesOptions): Addresses {
  return {
    templateUrl: (id) => `${publicUrl()}/v1/templates/${id}`,
    pollUrl: (id) => `${publicUrl()}/v1/generations/${id}`,
    fileUrl(id) {
      const expires = Math.floor(Date.now() / 1_000) + fileUrlTtlS
      const signature = signing.fileSignature(id, expires)
      return `${publicUrl()}/v1/files/${id}.pdf?expires=${expires}&signature=${signature}`
    },
  }
}
