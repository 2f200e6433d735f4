import type { GenerationRequest } from '@platen/domain/generation/generation.ts'
import type { Caller } from './find-generation.ts'

type Asked = Pick<GenerationRequest, 'template' | 'metadata' | 'file_name' | 'webhook_url' | 'operation'> & {
  file_webhook?: GenerationRequest['file_webhook']
}

/** The request of a generation of this caller, without the fields that are not asked for. */
export function newGeneration(
  generation_id: string,
  { ownerId, apiKeyId }: Caller,
  {
    template,
    metadata,
    file_name,
    webhook_url,
    file_webhook,
    operation,
  }: { [Name in keyof Asked]: Asked[Name] | undefined },
) {
  return {
    ...{ generation_id, owner_id: ownerId, api_key_id: apiKeyId },
    ...(template !== undefined && { template }),
    ...(metadata !== undefined && { metadata }),
    ...(file_name !== undefined && { file_name }),
    ...(webhook_url !== undefined && { webhook_url }),
    ...(file_webhook && { file_webhook }),
    ...(operation !== undefined && { operation }),
  }
}
