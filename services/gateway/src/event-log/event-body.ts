import type { RecordedEvent } from '@platen/domain/event-log/recorded-event.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { stepOf } from '@platen/service-kit/trace/timeline.ts'
import { withoutTokens } from '@platen/service-kit/trace/without-tokens.ts'

const mostChars = 500

/** `whole`: with long texts as they are. */
export function eventBody(event: StoredEvent, { whole = false } = {}): RecordedEvent {
  const { stream, revision, position, id, type, recordedAt } = event
  const { at, what, request_id, command_id } = stepOf(event, { isNewest: true })
  const { data } = withoutTokens(event)
  return {
    ...{ position, id, stream, revision, category: categoryOf(stream), type, at, what },
    recorded_at: recordedAt.toISOString(),
    ...(request_id !== undefined && { request_id }),
    ...(command_id !== undefined && { command_id }),
    ...(isObject(data) && { data: (whole ? data : shortened(data)) as JsonObject }),
  }
}

const isObject = (data: unknown): data is object => typeof data === 'object' && data !== null && !Array.isArray(data)

/** Each event of a page may have a megabyte. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > mostChars ? `${value.slice(0, mostChars).toWellFormed()}…` : value
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item)]))
}
