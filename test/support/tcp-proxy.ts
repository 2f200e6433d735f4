import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** `request`: towards the server. `answer`: towards the client. */
export type Direction = 'request' | 'answer'

export interface Trap {
  direction: Direction
  /** Bytes to wait for. */
  text: string
  /**
   * `it`: the bytes and all later ones. `subscription`: only those of their HTTP/2 stream, which has been open for a
   * second; other streams of the connection continue. `replies`: all later replies of the other side. Default: nothing.
   */
  hold?: 'it' | 'subscription' | 'replies'
}

export interface TcpProxy extends AsyncDisposable {
  port: number
  /** Added to the way of each chunk, in both directions. */
  delayMs: number
  /** Forwards nothing and closes no connection, like a pulled cable. Data that are held back are lost. */
  silent: boolean
  /** Changes what one side sends, as Latin-1: bytes are lost or others, and the connection stays. Default: nothing is. */
  changing: Partial<Record<Direction, (sent: string) => string>>
  /** The bytes that were forwarded, in both directions. */
  bytes: number
  /** Resets all connections. What was held back is lost. */
  cut(): void
  /** Open connections stay open and transmit nothing from now on. New ones work. */
  abandon(): void
  /** Waits for bytes on any connection. Resolves with false after `withinMs`, and when the signal aborts. */
  trap(trap: Trap, withinMs: number, signal?: AbortSignal): Promise<boolean>
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
  /** The bytes of an HTTP/2 frame that has not arrived whole. */
  rest: Buffer
  /** When the open HTTP/2 streams have begun. */
  begunMs: Map<number, number>
  /** The HTTP/2 streams that are held back. */
  heldStreams: Set<number>
  /** Chunks are delayed one after the other, so that they keep their order. */
  sent: Promise<unknown>
  dead: boolean
}

/** An HTTP/2 frame begins with the length of its payload, its type, its flags and its stream (RFC 9113, 4.1). */
const frameHead = 9
const streamAt = 5
const streamOf = (frame: Buffer) => frame.readUInt32BE(streamAt) & 0x7fffffff

const typeAt = 3
const flagsAt = 4
const endStream = 1
/** Whether a frame with data or headers is the last one. */
const isLast = (frame: Buffer) => (frame[typeAt] ?? 0) <= 1 && ((frame[flagsAt] ?? 0) & endStream) !== 0
const subscriptionMs = 1_000
const isOld = ({ begunMs }: Channel, stream: number) =>
  Date.now() - (begunMs.get(stream) ?? Date.now()) > subscriptionMs

/** The whole frames in some bytes, and what is left of them. */
function framesIn(bytes: Buffer): { frames: Buffer[]; rest: Buffer } {
  const frames: Buffer[] = []
  let at = 0
  for (let end: number; bytes.length >= at + frameHead; at = end) {
    end = at + frameHead + bytes.readUIntBE(at, 3)
    if (bytes.length < end) break
    frames.push(bytes.subarray(at, end))
  }
  return { frames, rest: bytes.subarray(at) }
}

/**
 * Forwards connections on a port of 127.0.0.1 to another one. `http2`: the server speaks HTTP/2 without TLS, so that streams can
 * be told apart.
 */
export async function startTcpProxy(targetPort: number, { http2 = false } = {}): Promise<TcpProxy> {
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
      if (trap.hold === 'subscription' && !isOld(channel, streamOf(chunk))) continue
      traps.delete(trap)
      if (trap.hold === 'subscription') channel.heldStreams.add(streamOf(chunk))
      if (trap.hold === 'it') holding[trap.direction] = true
      if (trap.hold === 'replies') holding[trap.direction === 'request' ? 'answer' : 'request'] = true
      trap.sprung()
    }
  }
  const pass = (direction: Direction, from: Socket, to: Socket) => {
    const channel: Channel = {
      direction,
      from,
      to,
      held: [],
      tail: '',
      sent: Promise.resolve(),
      dead: false,
      rest: Buffer.alloc(0),
      begunMs: new Map(),
      heldStreams: new Set(),
    }
    channels.add(channel)
    const take = (chunk: Buffer) => {
      meetTraps(channel, chunk)
      const isHeld = holding[direction] || (channel.heldStreams.size > 0 && channel.heldStreams.has(streamOf(chunk)))
      if (isHeld) channel.held.push(chunk)
      else forward(channel, chunk)
    }
    from.on('data', (sent) => {
      if (proxy.silent || channel.dead) return
      const change = proxy.changing[direction]
      const chunk = change ? Buffer.from(change(sent.toString('latin1')), 'latin1') : sent
      if (chunk.length === 0) return
      // A client sends a preface before its frames.
      if (!http2 || direction === 'request') return take(chunk)
      const { frames, rest } = framesIn(Buffer.concat([channel.rest, chunk]))
      channel.rest = rest
      for (const frame of frames) {
        const stream = streamOf(frame)
        if (!channel.begunMs.has(stream)) channel.begunMs.set(stream, Date.now())
        take(frame)
        if (isLast(frame)) channel.begunMs.delete(stream)
      }
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
    changing: {},
    bytes: 0,
    cut() {
      for (const { from } of channels) from.resetAndDestroy()
    },
    abandon() {
      for (const channel of channels) channel.dead = true
    },
    async trap(trap, withinMs, signal) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      signal?.addEventListener('abort', () => resolve(false), { once: true })
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
        channel.heldStreams.clear()
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
