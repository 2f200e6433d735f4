import { redactAllUrls, redactResponse } from '@platen/domain/events/redact.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'

const withUrls: readonly string[] = ['generation', 'batch', 'delivery', 'endpoint']

/**
 * The event without the tokens of webhook URLs: what a terminal or a browser shows is kept in a history. Sources and data of templates
 * are left as they are.
 */
export function withoutTokens<Event extends { stream: string; data: unknown }>(event: Event): Event {
  if (!withUrls.includes(categoryOf(event.stream))) return event
  const data: unknown = redactAllUrls(event.data)
  const { response } = (data ?? {}) as { response?: unknown }
  return {
    ...event,
    data: typeof response === 'string' ? { ...(data as object), response: redactResponse(response) } : data,
  }
}
