import { redactAll, redactResponse } from '@platen/domain/events/redact.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'

const withUrls: readonly string[] = ['generation', 'batch', 'delivery', 'endpoint']

interface Shown {
  stream: string
  data: unknown
  metadata?: object
}

/**
 * The event without the tokens of webhook URLs and the values of webhook headers: what a terminal or a browser shows is kept in a
 * history. Sources and data of templates are left as they are. A snapshot in the metadata, which repeats the data of earlier events, is
 * left out. What has nothing to hide is returned as it is.
 */
export function withoutTokens<Event extends Shown>(event: Event): Event {
  if (!withUrls.includes(categoryOf(event.stream))) return event
  const data: unknown = redactAll(event.data)
  const { response } = (data ?? {}) as { response?: unknown }
  const { snapshot, ...metadata } = (event.metadata ?? {}) as { snapshot?: unknown }
  return {
    ...event,
    ...(snapshot !== undefined && { metadata }),
    data: typeof response === 'string' ? { ...(data as object), response: redactResponse(response) } : data,
  }
}
