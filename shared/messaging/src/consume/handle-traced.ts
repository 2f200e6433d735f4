import { inSpan, tracing } from '@platen/foundation/tracing/tracing.ts'
import { destinationOf, templateOf, traceparentHeader } from '../publish/publish-traced.ts'
import type { DeliveredMessage } from './delivered-message.ts'

/** The fields of the metadata of a command, or of an event, that spans have. */
export interface TraceContext {
  traceparent?: string | undefined
  /** The request id: of a command. */
  correlation_id?: string
  /** Correlation id of an event. */
  correlationid?: string
  api_key_id?: string
}

/**
 * With traces on, the wait in the queue and the handling are spans. Their parent is the span in which the message was
 * sent.
 */
export async function handleTraced(
  raw: DeliveredMessage,
  context: TraceContext | undefined,
  handle: () => Promise<void>,
): Promise<void> {
  const traces = tracing()
  if (traces === undefined) return handle()
  const { subject, headers, info } = raw
  const parent = headers?.get(traceparentHeader) || context?.traceparent
  const attributes = {
    ...destinationOf(subject),
    'platen.deliveries': info.deliveryCount,
    'platen.request_id': context?.correlation_id ?? context?.correlationid,
    'platen.api_key_id': context?.api_key_id,
  }
  const name = templateOf(subject)
  traces.begin(`queue ${name}`, { parent, startMs: info.timestampNanos / 1e6, attributes }).end()
  const options = {
    kind: 'consumer' as const,
    parent,
    attributes: { ...attributes, 'messaging.operation.type': 'process' },
  }
  await inSpan(`process ${name}`, options, (traceparent) => {
    if (context && traceparent !== undefined) context.traceparent = traceparent
    return handle()
  })
}
