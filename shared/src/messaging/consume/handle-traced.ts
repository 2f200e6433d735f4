import type { JsMsg } from 'nats'
import { inSpan, tracing } from '../../tracing/tracing.ts'
import { destinationOf, templateOf, traceparentHeader } from '../publish/publish-traced.ts'

/** With traces, the wait in the queue and the handling are spans, caused by the one in which the message was sent. */
export async function handleTraced(
  raw: JsMsg,
  context: { traceparent?: string | undefined } | undefined,
  handle: () => Promise<void>,
): Promise<void> {
  const traces = tracing()
  if (traces === undefined) return handle()
  const { subject, headers, info } = raw
  const parent = headers?.get(traceparentHeader) || context?.traceparent
  const attributes = { ...destinationOf(subject), 'platen.delivery': info.deliveryCount }
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
