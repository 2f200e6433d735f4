import { inSpan, isTraceparent, tracing } from '@platen/foundation/tracing/tracing.ts'
import type { StoredMessage } from './publish.ts'

export const traceparentHeader = 'traceparent'

/** Publishes a message. With traces on, it gets the header `traceparent` of its span. `parent` may be of any type. */
export async function publishTraced<Result>(
  message: StoredMessage,
  parent: unknown,
  send: () => Promise<Result>,
): Promise<Result> {
  if (tracing() === undefined) return send()
  const { subject, messageId, headers } = message
  const options = {
    kind: 'producer' as const,
    parent: isTraceparent(parent) ? parent : undefined,
    attributes: { ...destinationOf(subject), 'messaging.operation.type': 'send', 'messaging.message.id': messageId },
  }
  return inSpan(`send ${templateOf(subject)}`, options, (traceparent) => {
    if (traceparent !== undefined) headers?.set(traceparentHeader, traceparent)
    return send()
  })
}

/** https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/ */
export function destinationOf(subject: string) {
  return {
    'messaging.system': 'nats',
    'messaging.destination.name': subject,
    'messaging.destination.template': templateOf(subject),
    ...idsIn(subject),
  }
}

/** The ids that spans of requests and webhooks have, too. */
function idsIn(subject: string): Record<string, string> {
  const attributes = tracing()?.idAttributes ?? {}
  const ids: Record<string, string> = {}
  for (const part of subject.split('.')) {
    const name = attributes[part.slice(0, part.indexOf('_'))]
    if (name !== undefined) ids[name] = part
  }
  return ids
}

/** `commands.render.batch` of `commands.render.batch.own_….pdf_…`: without ids, which have a `_`. */
export function templateOf(subject: string): string {
  return subject
    .split('.')
    .filter((part) => !part.includes('_'))
    .join('.')
}
