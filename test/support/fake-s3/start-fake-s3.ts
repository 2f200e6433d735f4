import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { actionOf, answer, type S3Action, type S3Answer, type S3Request } from './answers.ts'
import { Buckets } from './buckets.ts'
import { type Fault, Faults } from './faults.ts'
import { halfWay, meetFault } from './meet-fault.ts'
import { S3Refusal } from './refusal.ts'
import { verifySignature } from './signature-v4.ts'

export interface FakeS3Options {
  region?: string
  /** PEM. Makes the server use TLS. */
  tls?: { key: string; cert: string }
  /** Temporary keys: each request must have this token. */
  sessionToken?: string
}

/** What a policy does not allow. */
type Denial = S3Action | `${S3Action} ${string}/`

export interface FakeS3 extends AsyncDisposable {
  port: number
  accessKey: string
  secretKey: string
  buckets: Buckets
  /** An OBJECT_STORE_URL without keys. */
  url(bucket: string): string
  /** Plans a fault, after those planned before. */
  plan(fault: Fault): void
  heal(): void
  /** Keys of objects that the server fails to read, such as `pdfs/a`, while it answers all other requests. */
  damaged: Set<string>
  /** The objects, such as `pdfs/a`, that are read only when a promise has settled. */
  held: Map<string, Promise<unknown>>
  /** Further keys, with what their policy allows. */
  users: Map<string, { secretKey: string; allows: (action: S3Action, key: string) => boolean }>
  /** Actions that are denied, everywhere or in a category: `s3:PutObject assets/`. */
  denied: Set<Denial>
  /**
   * How it treats If-Match and If-None-Match of a PUT. Older stores ignore them, or answer 501 (refused). Default:
   * known.
   */
  conditions: 'known' | 'ignored' | 'refused' | 'never met'
  /** As a bucket with Object Lock: a PUT needs a checksum of its body. Default: false. */
  needsChecksums: boolean
  /** The requests so far: `PUT /bucket/pdfs/a`. */
  requests: string[]
  /** The number of open connections. */
  connections(): number
  /** Stops listening and cuts all connections. The buckets remain. */
  stop(): Promise<void>
  /** Listens again on the same port. */
  start(): Promise<void>
}

/**
 * An in-memory S3 server for tests. It implements the part of the protocol that the adapter uses and checks signatures.
 */
export async function startFakeS3({ region = 'us-east-1', tls, sessionToken }: FakeS3Options = {}): Promise<FakeS3> {
  const credentials = { accessKey: 'test-access', secretKey: 'test/secret+key', region }
  const [buckets, faults, requests] = [new Buckets(), new Faults(), [] as string[]]
  const [damaged, denied] = [new Set<string>(), new Set<Denial>()]
  const held = new Map<string, Promise<unknown>>()
  const users: FakeS3['users'] = new Map()

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '' } = request
    const [path = '', query = ''] = url.split('?', 2)
    requests.push(`${method} ${path}`)
    const fault = faults.take(method, path)
    if (fault && meetFault(fault, request, response)) return
    try {
      const [, accessKey = ''] = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '') ?? []
      const user = users.get(accessKey)
      const signer = user === undefined ? credentials : { accessKey, secretKey: user.secretKey, region }
      const payload = verifySignature({ method, path, query, headers: request.headers }, signer)
      const [bucket = '', key = ''] = decodeURIComponent(path.slice(1)).split(/\/(.*)/s)
      const asked = { method, bucket, key, query: new URLSearchParams(query), headers: request.headers }
      if (sessionToken !== undefined) assertToken(asked, sessionToken)
      const action = actionOf(asked)
      const right = action === 's3:ListObjects' ? 's3:ListBucket' : action
      const isDenied = denied.has(right) || denied.has(`${right} ${key.split('/')[0]}/`)
      if (isDenied || user?.allows(right, key) === false) throw new S3Refusal(403, 'AccessDenied')
      if (action === 's3:GetObject') await held.get(key)
      if (action === 's3:GetObject' && damaged.has(key)) throw new S3Refusal(503, 'SlowDownRead')
      const body = await buffer(request)
      if (action === 's3:PutObject') {
        const [conditions, { headers }] = [['if-match', 'if-none-match'], request]
        if (fake.conditions === 'refused' && conditions.some((name) => headers[name] !== undefined))
          throw new S3Refusal(501, 'NotImplemented')
        if (fake.conditions === 'never met' && conditions.some((name) => headers[name] !== undefined))
          throw new S3Refusal(412, 'PreconditionFailed')
        if (fake.conditions === 'ignored') for (const name of conditions) delete headers[name]
        if (fake.needsChecksums && payload === 'UNSIGNED-PAYLOAD' && headers['content-md5'] === undefined)
          throw new S3Refusal(400, 'InvalidRequest')
      }
      if (fault === 'whole') delete request.headers.range
      if (fault === 'less') request.headers.range = request.headers.range?.replace(/=(\d+)-.*/, '=$1-$1')
      const answered = answer(action, { ...asked, body, payload }, buckets, region)
      send(response, method, answered, fault && fault !== 'whole' && fault !== 'less' ? halfWay(fault) : undefined)
    } catch (err) {
      const refusal = err instanceof S3Refusal ? err : new S3Refusal(500, 'InternalError')
      request.resume()
      const headers = { 'content-type': 'application/xml' }
      send(response, method, { status: refusal.status, headers, body: refusal.toXml() })
    }
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse) => void handle(request, response)
  const server = tls ? https.createServer(tls, onRequest) : http.createServer(onRequest)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const fake: FakeS3 = {
    port,
    conditions: 'known',
    needsChecksums: false,
    accessKey: credentials.accessKey,
    secretKey: credentials.secretKey,
    buckets,
    damaged,
    held,
    denied,
    users,
    requests,
    url: (bucket) => `s3://127.0.0.1:${port}/${bucket}?region=${region}&tls=${tls !== undefined}`,
    plan: (fault) => faults.plan(fault),
    heal: () => faults.clear(),
    connections: () => sockets.size,
    stop,
    async start() {
      await listen(port)
    },
    [Symbol.asyncDispose]: stop,
  }
  return fake
}

function assertToken({ headers, query }: Pick<S3Request, 'headers' | 'query'>, sessionToken: string): void {
  const given = headers['x-amz-security-token'] ?? query.get('X-Amz-Security-Token')
  if (given !== sessionToken) throw new S3Refusal(403, 'InvalidToken')
}

function send(response: ServerResponse, method: string, answered: S3Answer, breakOff?: (socket: Socket) => void): void {
  const { status, headers = {}, body = '' } = answered
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, ...(status !== 204 && { 'content-length': bytes.length }) })
  if (method === 'HEAD' || status === 204) response.end()
  else if (breakOff === undefined) response.end(bytes)
  else {
    const { socket } = response
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => socket && breakOff(socket))
  }
}
