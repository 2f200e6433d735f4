import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy extends AsyncDisposable {
  port: number
  /** Added to the way of each chunk, in both directions. */
  delayMs: number
  /** Nothing is forwarded and no connection is closed, as when a cable is pulled. What was held back is lost. */
  silent: boolean
  /** Resets all connections. */
  cut(): void
}

/** Forwards connections on a port of 127.0.0.1 to another one. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', (chunk) => {
      if (!proxy.silent) setTimeout(() => to.writable && to.write(chunk), proxy.delayMs)
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer({ noDelay: true }, (client) => {
    const target = connect({ port: targetPort, host: '127.0.0.1', noDelay: true })
    forward(client, target)
    forward(target, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    delayMs: 0,
    silent: false,
    cut() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    async [Symbol.asyncDispose]() {
      server.close()
      proxy.cut()
    },
  }
  return proxy
}
