import type { Generation } from '@platen/domain/generation/generation.ts'
import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import type { Urls } from '../http/urls.ts'
import type { GenerationRecord } from '../views/generation-record.ts'

/** The generation as the API returns it. */
export function generationBody({ request, state }: GenerationRecord, urls: Urls): Generation {
  const { generation_id: id, template, metadata, file_name, batch, retry_of, operation } = request
  const common = {
    id,
    status: state.status,
    created_at: new Date(idTimeMs(id)).toISOString(),
    ...(template !== undefined && { template: { id: template.id, version: template.version } }),
    ...(metadata !== undefined && { metadata }),
    ...(file_name !== undefined && { file_name }),
    ...(batch !== undefined && { batch }),
    ...(retry_of !== undefined && { retry_of }),
    ...(operation !== undefined && { operation }),
    ...('erased' in state && state.erased && { erased_at: state.erased.erased_at }),
  }
  switch (state.status) {
    case 'queued':
    case 'rendering':
      return { ...common, poll_url: urls.poll(id) }
    case 'completed': {
      const { pages, size, duration_ms, engine, helpers_sha256, warnings, media_type, steps } = state.result
      const rare = {
        ...(helpers_sha256 !== undefined && { helpers_sha256 }),
        ...(media_type !== undefined && { media_type }),
        ...(steps && { steps }),
      }
      return { ...common, url: urls.file(id, media_type), pages, size, duration_ms, engine, ...rare, warnings }
    }
    case 'failed': {
      const { code, message, details } = state.failure
      return { ...common, error: { code, message, ...(details !== undefined && { details }) } }
    }
    case 'cancelled':
      return common
  }
}
