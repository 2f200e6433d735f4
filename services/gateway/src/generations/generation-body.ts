import { keptUntilMs } from '@platen/domain/document/retain-input.ts'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import type { Urls } from '../http/urls.ts'
import type { GenerationRecord } from '../views/generation-record.ts'

/** The generation as the API returns it. `inputDays`: for how long large inputs, and those of batches, are stored. */
export function generationBody(record: GenerationRecord, urls: Urls, inputDays = 0): Generation {
  const { request, state } = record
  const { generation_id: id, template, metadata, file_name, batch, retry_of, operation } = request
  const common = {
    id,
    status: state.status,
    created_at: new Date(idTimeMs(id)).toISOString(),
    ...(template !== undefined && { template: { id: template.id, version: template.version } }),
    ...defined({ metadata, file_name, batch, retry_of, operation }),
    ...inputKeptUntil(record, inputDays),
    ...('erased' in state && state.erased && { erased_at: state.erased.erased_at }),
  }
  switch (state.status) {
    case 'queued':
    case 'rendering':
      return { ...common, poll_url: urls.poll(id) }
    case 'completed': {
      const { pages, size, duration_ms, engine, helpers_sha256, warnings, media_type, steps } = state.result
      const rare = {
        ...defined({ helpers_sha256, media_type, steps }),
      }
      return { ...common, url: urls.file(id, media_type), pages, size, duration_ms, engine, ...rare, warnings }
    }
    case 'failed': {
      const { code, message, details } = state.failure
      return { ...common, error: { code, message, ...defined({ details }) } }
    }
    case 'cancelled':
      return common
  }
}

const dayMs = 24 * 3_600_000

/** Until when the input is stored, if it is. */
function inputKeptUntil({ request, state }: GenerationRecord, inputDays: number) {
  if ('erased' in state && state.erased) return {}
  const { generation_id: id, kept_input, batch } = request
  const isLarge = 'request' in state && state.request.input_key !== undefined
  const stored = isLarge ? id : batch?.id
  const storedUntilMs = stored === undefined ? 0 : idTimeMs(stored) + inputDays * dayMs
  const untilMs = kept_input ? keptUntilMs(id, kept_input.days) : storedUntilMs
  return untilMs > Date.now() ? { input_kept_until: new Date(untilMs).toISOString() } : {}
}
