import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from '../runtime/logger.ts'
import { OutageLog } from '../runtime/outage-log.ts'
import { sleep } from '../runtime/sleep.ts'
import type { Environment } from '../settings/config.ts'
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

type Log = Pick<Logger, 'warn'>

/** A number of milliseconds or spans; undefined, with a warning, if it is none. */
function numberOf(name: string, env: Environment, log: Log): number | undefined {
  const value = env[name]?.trim() || undefined
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value)
  log.warn({ value }, `${name} must be a number; the default is used`)
  return undefined
}

/** The libraries ignore the wrong parts of a list in silence. The values may be secrets. */
function warnOfWrongLists(env: Environment, log: Log): void {
  const lists = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_RESOURCE_ATTRIBUTES']
  for (const name of lists) {
    const parts = (env[name] ?? '').split(',').filter((part) => part.trim() !== '')
    if (parts.every((part) => /^\s*[^\s=]+\s*=/.test(part))) continue
    log.warn({ name }, `${name} must be <name>=<value>, or several separated by commas; others are ignored`)
  }
}

/**
 * Calls `create`, and logs what the libraries report about their variables. Failures to send are reported elsewhere.
 */
function reportingWrongVariables<Result>(log: Log, create: () => Result): Result {
  const say = (text: string) => log.warn({}, /OTEL_/.test(text) ? text : `OTEL_EXPORTER_OTLP_…: ${text}`)
  const quiet = () => {}
  diag.setLogger({ error: say, warn: say, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN)
  try {
    return create()
  } finally {
    diag.disable()
  }
}

/**
 * OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG:
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration
 */
function samplerOf(env: Environment, log: Pick<Logger, 'warn'>): Sampler {
  const name = env.OTEL_TRACES_SAMPLER?.trim() || 'parentbased_always_on'
  const given = env.OTEL_TRACES_SAMPLER_ARG?.trim()
  const ratio = given ? Number(given) : 1
  const isRatio = ratio >= 0 && ratio <= 1
  if (!isRatio) log.warn({ value: given }, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1; 1 is used')
  const roots: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(isRatio ? ratio : 1),
  }
  const root = roots[name.replace(/^parentbased_/, '')]
  if (root === undefined) {
    log.warn({ value: name }, 'OTEL_TRACES_SAMPLER is not known; parentbased_always_on is used')
    return new ParentBasedSampler({ root: new AlwaysOnSampler() })
  }
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root: root() }) : root()
}
