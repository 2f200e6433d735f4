import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** `request`: towards the server. `answer`: towards the client. */
export type Direction = 'request' | 'answer'

export interface Trap {
  direction: Direction
  /** Bytes to wait for. */
  text: string
  /** `it`: the bytes and all after them. `replies`: what the other side sends from then on. Default: nothing. */
  hold?: 'it' | 'replies'
}

export interface TcpProxy extends AsyncDisposable {
  port: number
  /** Added to the way of each chunk, in both directions. */
  delayMs: number
  /** Nothing is forwarded and no connection is closed, as when a cable is pulled. What was held back is lost. */
  silent: boolean
  /** Changes what a client sends, as Latin-1: messages are lost, and the connection stays. Default: nothing is. */
  losing: ((sent: string) => string) | undefined
  /** The bytes that were forwarded, in both directions. */
  bytes: number
  /** Resets all connections. What was held back is lost. */
  cut(): void
  /** Open connections stay open and transmit nothing from now on. New ones work. */
  abandon(): void
  /** Waits for bytes on any connection. Resolves with false after `withinMs`. */
  trap(trap: Trap, withinMs: number): Promise<boolean>
  /** Forwards what is held back, or loses it and closes its connections. */
  release(held?: 'forward' | 'lose'): void
}

interface Armed extends Trap {
  sprung: () => void
}

/** One direction of a connection. */
interface Channel {
  direction: Direction
  from: Socket
  to: Socket
  held: Buffer[]
  /** The end of the last chunk: the bytes of a trap may come in two. */
  tail: string
  /** Chunks are delayed one after the other, so that they keep their order. */
  sent: Promise<unknown>
  dead: boolean
}

/** Forwards connections on a port of 127.0.0.1 to another one. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const channels = new Set<Channel>()
  const traps = new Set<Armed>()
  const holding: Record<Direction, boolean> = { request: false, answer: false }

  const forward = (channel: Channel, chunk: Buffer) => {
    const due = Date.now() + proxy.delayMs
    const write = () => {
      if (proxy.silent || channel.dead || !channel.to.writable) return
      proxy.bytes += chunk.length
      channel.to.write(chunk)
    }
    if (proxy.delayMs > 0) channel.sent = channel.sent.then(() => delay(Math.max(0, due - Date.now())))
    channel.sent = channel.sent.then(write)
  }
  const meetTraps = (channel: Channel, chunk: Buffer) => {
    if (traps.size === 0) return
    const text = channel.tail + chunk.toString('latin1')
    channel.tail = text.slice(-100)
    for (const trap of traps) {
      if (trap.direction !== channel.direction || !text.includes(trap.text)) continue
      traps.delete(trap)
      if (trap.hold === 'it') holding[trap.direction] = true
      if (trap.hold === 'replies') holding[trap.direction === 'request' ? 'answer' : 'request'] = true
      trap.sprung()
    }
  }
  const pass = (direction: Direction, from: Socket, to: Socket) => {
    const channel: Channel = { direction, from, to, held: [], tail: '', sent: Promise.resolve(), dead: false }
    channels.add(channel)
    from.on('data', (sent) => {
      if (proxy.silent || channel.dead) return
      const { losing } = proxy
      const chunk = losing && direction === 'request' ? Buffer.from(losing(sent.toString('latin1')), 'latin1') : sent
      if (chunk.length === 0) return
      meetTraps(channel, chunk)
      if (holding[direction]) channel.held.push(chunk)
      else forward(channel, chunk)
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      channels.delete(channel)
      to.destroy()
    })
  }
  const server = createServer({ noDelay: true }, (client) => {
    const target = connect({ port: targetPort, host: '127.0.0.1', noDelay: true })
    pass('request', client, target)
    pass('answer', target, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    delayMs: 0,
    silent: false,
    losing: undefined,
    bytes: 0,
    cut() {
      for (const { from } of channels) from.resetAndDestroy()
    },
    abandon() {
      for (const channel of channels) channel.dead = true
    },
    async trap(trap, withinMs) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const armed = { ...trap, sprung: () => resolve(true) }
      for (const channel of channels) channel.tail = ''
      traps.add(armed)
      const timer = setTimeout(() => resolve(false), withinMs)
      const sprung = await promise
      clearTimeout(timer)
      traps.delete(armed)
      return sprung
    },
    release(held = 'forward') {
      holding.request = holding.answer = false
      for (const channel of channels) {
        const chunks = channel.held.splice(0)
        if (held === 'forward') for (const chunk of chunks) forward(channel, chunk)
        else if (chunks.length > 0) channel.from.resetAndDestroy()
      }
    },
    async [Symbol.asyncDispose]() {
      server.close()
      proxy.cut()
    },
  }
  return proxy
}
