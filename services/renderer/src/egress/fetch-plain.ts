import { type IncomingHttpHeaders, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CheckedTarget } from './checked-target.ts'
import type { EgressLimits } from './egress-policy.ts'
import { Refusal } from './refusal.ts'

/** Connection-bound headers end here (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
])

/** Fetches one resource over plain HTTP: bounded in time and bytes, from an address that was checked. */
export async function fetchPlain(
  request: IncomingMessage,
  response: ServerResponse,
  { host, port, lookup, path }: CheckedTarget & { path: string },
  { resourceBytes, resourceTimeoutMs }: EgressLimits,
  shut: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([shut, AbortSignal.timeout(resourceTimeoutMs)])
  const upstream = openRequest({
    ...{ host, port, lookup, path, signal, agent: false, autoSelectFamily: true },
    ...{ method: request.method ?? 'GET', headers: endToEnd(request.headers), setHost: false },
  })
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once('response', resolve).once('error', reject).end()
    upstream.once('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(new Refusal(502, 'an upgrade that nobody asked for'))
    })
  })
  // Errors after the answer began reach the pipeline below.
  upstream.on('error', () => {})
  if (Number(answer.headers['content-length'] ?? 0) > resourceBytes) {
    upstream.destroy()
    throw tooLarge(resourceBytes)
  }
  response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers))
  await pipeline(answer, atMost(resourceBytes), response, { signal })
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !named.includes(name)))
}

function tooLarge(bytes: number): Refusal {
  return new Refusal(502, `more than ${bytes} bytes`)
}

/** Passes bytes on and breaks off at the limit. */
export function atMost(bytes: number): Transform {
  let passed = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length
      if (passed > bytes) done(tooLarge(bytes))
      else done(null, chunk)
    },
  })
}
