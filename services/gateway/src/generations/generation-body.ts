import type { Generation } from '@platen/shared/contracts/generation.ts'
import { idTimeMs } from '@platen/shared/runtime/ids.ts'
import type { Addresses } from '../http/urls.ts'
import type { GenerationRecord } from './generation-record.ts'

/** A generation as HTTP answers it. */
export function generationBody({ request, state }: GenerationRecord, { pollUrl, fileUrl }: Addresses): Generation {
  const { generation_id: id, template } = request
  const known = {
    id,
    status: state.status,
    created_at: new Date(idTimeMs(id)).toISOString(),
    ...(template !== undefined && { template }),
  }
  switch (state.status) {
    case 'queued':
    case 'rendering':
      return { ...known, poll_url: pollUrl(id) }
    case 'completed': {
      const { pages, size, duration_ms, engine, warnings = [] } = state.result
      return { ...known, url: fileUrl(id), pages, size, duration_ms, engine, warnings }
    }
    case 'failed': {
      const { code, message, details } = state.failure
      return { ...known, error: { code, message, ...(details !== undefined && { details }) } }
    }
    case 'cancelled':
      return known
  }
}
