/** The kinds of spans of OpenTelemetry: https://opentelemetry.io/docs/specs/otel/trace/api/#spankind. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal'

/** No content of documents, and no URL with a signature or a secret. */
export type Attributes = Record<string, string | number | boolean | undefined>

export interface SpanOptions {
  /** Default: `internal`. */
  kind?: SpanKind | undefined
  /** The `traceparent` of what caused it. Without one, or with an invalid one, a trace begins. */
  parent?: string | undefined
  /** Start in ms since the epoch. Default: now. */
  startMs?: number | undefined
  attributes?: Attributes | undefined
}

export interface Span {
  /** W3C Trace Context: https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent: string
  set(attributes: Attributes): void
  /** A failed span has an error, or a text that says what went wrong. */
  end(failure?: unknown): void
}

/** Traces of a process. Spans are sent in the background, and dropped if the collector does not take them. */
export interface Tracing {
  begin(name: string, options?: SpanOptions): Span
  /** The attribute of an id by what it begins with: `pdf` → `platen.generation_id` for `pdf_…`. */
  readonly idAttributes?: Readonly<Record<string, string>>
}

let active: Tracing | undefined

/** Undefined if traces are off: then this check is all that they cost. */
export const tracing = (): Tracing | undefined => active

export function setTracing(traces: Tracing | undefined): void {
  active = traces
}

/**
 * Runs `work` within a span. Its argument is the `traceparent` for whatever it causes; if traces are off, the parent's.
 */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (traceparent: string | undefined, span?: Span) => Promise<Result>,
): Promise<Result> {
  if (active === undefined) return work(options.parent)
  const span = active.begin(name, options)
  try {
    const result = await work(span.traceparent, span)
    span.end()
    return result
  } catch (err) {
    span.end(err)
    throw err
  }
}

/** Spans that follow each other. Disposal ends the last. */
export class SpanSequence implements Disposable {
  readonly #tracing: Tracing
  readonly #parent: string | undefined
  #span: Span | undefined

  /** Undefined if traces are off. */
  static begin(parent: string | undefined): SpanSequence | undefined {
    return active && new SpanSequence(active, parent)
  }

  private constructor(traces: Tracing, parent: string | undefined) {
    this.#tracing = traces
    this.#parent = parent
  }

  next(name: string): void {
    this.#span?.end()
    this.#span = this.#tracing.begin(name, { parent: this.#parent })
  }

  [Symbol.dispose](): void {
    this.#span?.end()
  }
}

/** The header, the field of events and the field of metadata have this name and format. */
const format = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/

export const isTraceparent = (text: unknown): text is string => typeof text === 'string' && format.test(text)

/** The trace id, as a field of log lines. */
export function traceIdOf(traceparent: unknown): { trace_id?: string } {
  const [, trace_id] = typeof traceparent === 'string' ? (format.exec(traceparent) ?? []) : []
  return trace_id === undefined ? {} : { trace_id }
}
