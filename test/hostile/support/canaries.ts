import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { dressed } from './secret.ts'

/** Whatever reached a canary. */
export interface Hit {
  /** `http GET /img/a.png`, `tcp connection`, `udp 20 bytes`. */
  what: string
  /** The address that was spoken to, where the canary listens on many. */
  to: string
  /** The payload that the path names. */
  payload?: string
}

export interface Ports {
  http: number
  tcp: number
  udp: number
}

export interface Canaries extends AsyncDisposable {
  ports: Ports
  /** What was heard since this was last asked. */
  takeHits(): Hit[]
}

/** Listeners that hear any byte: HTTP and WebSocket, TCP, UDP. The same ports on each host. */
export async function openCanaries(hosts: readonly string[], wanted: Partial<Ports> = {}): Promise<Canaries> {
  await using resources = new AsyncDisposableStack()
  let hits: Hit[] = []
  const hear: Hear = (what, to, path = '') => {
    const payload = path.split('/')[1]
    hits.push({ what, to: (to ?? '').replace('::ffff:', ''), ...(payload && { payload }) })
  }
  const ports = { http: 0, tcp: 0, udp: 0, ...wanted }
  for (const host of hosts) {
    ports.http = await listen(resources, httpCanary(hear), host, ports.http)
    ports.tcp = await listen(resources, tcpCanary(hear), host, ports.tcp)
    ports.udp = await udpCanary(resources, hear, host, ports.udp)
  }
  const takeHits = () => {
    const taken = hits
    hits = []
    return taken
  }
  return Object.assign(resources.move(), { ports, takeHits })
}

type Hear = (what: string, to: string | undefined, path?: string) => void

function httpCanary(hear: Hear): Server {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://canary')
    hear(`http ${request.method} ${request.url}`, request.socket.localAddress, pathname)
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-methods', '*')
    response.setHeader('set-cookie', 'canary=1')
    const to = searchParams.get('to')
    if (to) return response.writeHead(302, { location: to }).end()
    const { type, body } = dressed(pathname)
    response.setHeader('content-type', type).end(body)
  })
  server.on('connection', (socket) => hear('tcp connection', socket.localAddress))
  server.on('upgrade', (request, socket) => {
    hear(`websocket ${request.url}`, request.socket.localAddress, request.url)
    socket.destroy()
  })
  server.on('clientError', (_err, socket) => {
    socket.destroy()
  })
  return server
}

function tcpCanary(hear: Hear): TcpServer {
  return createTcpServer((socket) => {
    hear('tcp connection', socket.localAddress)
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

async function udpCanary(resources: AsyncDisposableStack, hear: Hear, host: string, port: number) {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  socket.on('message', (bytes) => hear(`udp ${bytes.length} bytes`, host))
  socket.bind(port, host)
  await once(socket, 'listening')
  resources.defer(() => {
    socket.close()
  })
  return socket.address().port
}
