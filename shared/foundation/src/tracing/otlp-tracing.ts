import { type Context, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from '../runtime/logger.ts'
import { OutageLog } from '../runtime/outage-log.ts'
import { sleep } from '../runtime/sleep.ts'
import type { Environment } from '../settings/config.ts'
import { numberOf, reportingWrongVariables, samplerOf, warnOfWrongLists } from './otlp-variables.ts'
import type { Attributes, Span, SpanOptions, Tracing } from './tracing.ts'

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

const closeLimitMs = 3_000

/** Traces over OTLP with HTTP and JSON. The exporter reads its own variables: URL, headers, timeout, compression, certificates. */
export function openOtlpTracing(
  env: Environment,
  service: string,
  log: Pick<Logger, 'warn' | 'info'>,
): Tracing & { close(): Promise<void> } {
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/json'
  if (protocol !== 'http/json') log.warn({ protocol }, 'traces are sent as http/json, the only protocol of Platen')
  const name = service === 'platen' ? service : `platen-${service}`
  const named = resourceFromAttributes({ 'service.namespace': 'platen', 'service.name': name })
  const resource = defaultResource()
    .merge(named)
    .merge(detectResources({ detectors: [envDetector] }))
  const number = (name: string) => numberOf(name, env, log)
  warnOfWrongLists(env, log)
  const exporter = reportingWrongVariables(log, () => new OTLPTraceExporter())
  const processor = new BatchSpanProcessor({
    exporter: reporting(exporter, log),
    maxQueueSize: number('OTEL_BSP_MAX_QUEUE_SIZE') ?? 8_192,
    maxExportBatchSize: number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? 512,
    scheduledDelayMillis: number('OTEL_BSP_SCHEDULE_DELAY') ?? 2_000,
    exportTimeoutMillis: number('OTEL_BSP_EXPORT_TIMEOUT') ?? 30_000,
  })
  const provider = new TracerProvider({ resource, sampler: samplerOf(env, log), spanProcessors: [processor] })
  const tracer = provider.getTracer('platen')
  log.info({ service: resource.attributes['service.name'] }, 'traces are on')
  return {
    begin(name, { kind = 'internal', parent, startMs, attributes = {} }: SpanOptions = {}): Span {
      const options = { kind: kinds[kind], attributes, ...(startMs !== undefined && { startTime: startMs }) }
      const span = tracer.startSpan(name, options, contextOf(parent))
      return {
        traceparent: traceparentOf(span.spanContext()),
        set: (more: Attributes) => void span.setAttributes(more),
        end(failure) {
          if (failure !== undefined) {
            const message = failure instanceof Error ? failure.name : String(failure)
            const code = failure instanceof Error && 'code' in failure ? failure.code : undefined
            span.setAttribute('error.type', typeof code === 'string' ? code : message)
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        },
      }
    },
    async close() {
      await Promise.race([provider.shutdown().catch(() => {}), sleep(closeLimitMs)])
    },
  }
}

/** Failures are logged in growing intervals. The library would drop them in silence. */
function reporting(exporter: SpanExporter, log: Pick<Logger, 'warn'>): SpanExporter {
  const outage = new OutageLog(log, 'trace collector (spans are dropped meanwhile)')
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error) outage.failed(result.error)
        else outage.recovered()
        done(result)
      })
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** The library ignores a context with invalid ids. */
function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, parent)
}
