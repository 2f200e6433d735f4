import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { secretFile } from './secret.ts'

/** A request, connection or datagram that reached a canary. */
export interface Hit {
  /** `http GET /img/a.png`, `tcp connection`, `udp 20 bytes`. */
  what: string
  /** The destination address, if the canary listens on several. */
  to: string
  /** The name of the payload in the path. */
  payload?: string
}

export interface Ports {
  http: number
  tcp: number
  udp: number
}

export interface Canaries extends AsyncDisposable {
  ports: Ports
  /** Returns and clears the hits. */
  takeHits(): Hit[]
}

/** Listens for HTTP and WebSocket, TCP, and UDP, with the same ports on each host. */
export async function openCanaries(hosts: readonly string[], wanted: Partial<Ports> = {}): Promise<Canaries> {
  await using resources = new AsyncDisposableStack()
  let hits: Hit[] = []
  const record: RecordHit = (what, to, path = '') => {
    const payload = path.split('/')[1]
    hits.push({ what, to: (to ?? '').replace('::ffff:', ''), ...(payload && { payload }) })
  }
  const ports = { http: 0, tcp: 0, udp: 0, ...wanted }
  for (const host of hosts) {
    ports.http = await listen(resources, httpCanary(record), host, ports.http)
    ports.tcp = await listen(resources, tcpCanary(record), host, ports.tcp)
    ports.udp = await udpCanary(resources, record, host, ports.udp)
  }
  const takeHits = () => {
    const taken = hits
    hits = []
    return taken
  }
  return Object.assign(resources.move(), { ports, takeHits })
}

type RecordHit = (what: string, to: string | undefined, path?: string) => void

function httpCanary(record: RecordHit): Server {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://canary')
    record(`http ${request.method} ${request.url}`, request.socket.localAddress, pathname)
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-methods', '*')
    response.setHeader('set-cookie', 'canary=1')
    const to = searchParams.get('to')
    if (to) return response.writeHead(Number(searchParams.get('status') ?? 302), { location: to }).end()
    const refresh = searchParams.get('refresh')
    if (refresh) response.setHeader('refresh', `0;url=${refresh}`)
    const { type, body } = secretFile(pathname)
    response.setHeader('content-type', type).end(body)
  })
  server.on('connection', (socket) => record('tcp connection', socket.localAddress))
  server.on('upgrade', (request, socket) => {
    record(`websocket ${request.url}`, request.socket.localAddress, request.url)
    socket.destroy()
  })
  server.on('clientError', (_err, socket) => {
    socket.destroy()
  })
  return server
}

function tcpCanary(record: RecordHit): TcpServer {
  return createTcpServer((socket) => {
    record('tcp connection', socket.localAddress)
    socket.on('error', () => {}).once('data', () => socket.destroy())
  })
}

async function listen(resources: AsyncDisposableStack, server: Server | TcpServer, host: string, port: number) {
  server.listen(port, host)
  await once(server, 'listening')
  resources.defer(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function udpCanary(resources: AsyncDisposableStack, record: RecordHit, host: string, port: number) {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  socket.on('message', (bytes) => record(`udp ${bytes.length} bytes`, host))
  socket.bind(port, host)
  await once(socket, 'listening')
  resources.defer(() => {
    socket.close()
  })
  return socket.address().port
}
