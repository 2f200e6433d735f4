import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A span as a collector gets it by OTLP with HTTP and JSON. */
export interface ReceivedSpan {
  service: string
  name: string
  /** SPAN_KIND_INTERNAL 1, SERVER 2, CLIENT 3, PRODUCER 4, CONSUMER 5. */
  kind: number
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  attributes: Record<string, string | number | boolean>
  /** Whether it has failed. */
  failed: boolean
  startMs: number
  endMs: number
}

export interface TraceCollector extends AsyncDisposable {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string
  spans: readonly ReceivedSpan[]
  /** The requests, with the headers of each. */
  requests: { url: string | undefined; headers: Record<string, unknown> }[]
}

type AnyValue = { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number }
type KeyValue = { key: string; value: AnyValue }

/** What https://opentelemetry.io/docs/specs/otlp/#otlphttp says of an ExportTraceServiceRequest. */
interface ExportRequest {
  resourceSpans: {
    resource: { attributes: KeyValue[] }
    scopeSpans: {
      spans: {
        traceId: string
        spanId: string
        parentSpanId?: string
        name: string
        kind: number
        startTimeUnixNano: string
        endTimeUnixNano: string
        attributes?: KeyValue[]
        status?: { code?: number }
      }[]
    }[]
  }[]
}

const errorStatus = 2

/** Takes traces by OTLP with HTTP and JSON. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = []
  const requests: TraceCollector['requests'] = []
  const server = createServer(async (request, response) => {
    requests.push({ url: request.url, headers: request.headers })
    for (const { resource, scopeSpans } of ((await json(request)) as ExportRequest).resourceSpans) {
      const service = String(attributesOf(resource.attributes)['service.name'])
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const { traceId, spanId, parentSpanId, name, kind } = span
        spans.push({
          service,
          name,
          kind,
          traceId,
          spanId,
          parentSpanId: parentSpanId || undefined,
          attributes: attributesOf(span.attributes ?? []),
          failed: span.status?.code === errorStatus,
          startMs: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
          endMs: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
        })
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function attributesOf(list: KeyValue[]): ReceivedSpan['attributes'] {
  const plain = ({ stringValue, intValue, boolValue, doubleValue }: AnyValue) =>
    stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? boolValue ?? doubleValue ?? ''
  return Object.fromEntries(list.map(({ key, value }) => [key, plain(value)]))
}
