import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

interface LinkState {
  isSilent: boolean
  isFrozen: boolean
  sockets: Set<Socket>
  /** Open sockets that transmit nothing. */
  dead: WeakSet<Socket>
}

/** A TCP proxy in front of a server that simulates failures of networks and hosts. */
export class FaultyLink implements AsyncDisposable {
  readonly port: number
  readonly #server: Server
  readonly #state: LinkState

  private constructor(server: Server, state: LinkState) {
    this.#server = server
    this.#state = state
    this.port = (server.address() as AddressInfo).port
  }

  static async open(targetPort: number): Promise<FaultyLink> {
    const state: LinkState = { isSilent: false, isFrozen: false, sockets: new Set(), dead: new WeakSet() }
    const server = createServer((near) => {
      const far = connect(targetPort, '127.0.0.1')
      pass(near, far, state)
      pass(far, near, state)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return new FaultyLink(server, state)
  }

  get isListening(): boolean {
    return this.#server.listening
  }

  /** Refuses connections and closes the open ones. */
  async refuse(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.cut()
    await closed
  }

  /** Accepts connections and keeps them open, but transmits nothing. */
  silence(): void {
    this.#state.isSilent = true
  }

  /** Accepts connections, and keeps what arrives until `thaw`, like the kernel of a host with a suspended server. */
  freeze(): void {
    this.#state.isFrozen = true
    for (const socket of this.#state.sockets) socket.pause()
  }

  /** Transmits what has arrived since. */
  thaw(): void {
    this.#state.isFrozen = false
    for (const socket of this.#state.sockets) socket.resume()
  }

  /** Stops transmitting on open connections, like a firewall that lost its state. New connections work. */
  abandon(): void {
    for (const socket of this.#state.sockets) this.#state.dead.add(socket)
  }

  /** Ends all faults. Closes connections that lost bytes. */
  async restore(): Promise<void> {
    this.cut()
    this.#state.isSilent = false
    this.#state.isFrozen = false
    if (!this.#server.listening) await once(this.#server.listen(this.port, '127.0.0.1'), 'listening')
  }

  /** Closes all connections at once. */
  cut(): void {
    for (const socket of this.#state.sockets) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.refuse()
  }
}

function pass(from: Socket, to: Socket, state: LinkState): void {
  state.sockets.add(from)
  from.setNoDelay()
  from.on('data', (bytes) => {
    const passes = !state.isSilent && !state.dead.has(from)
    if (passes && !to.write(bytes)) from.pause()
  })
  if (state.isFrozen) from.pause()
  from.on('drain', () => {
    if (!state.isFrozen) to.resume()
  })
  from.on('error', () => {})
  from.on('close', () => {
    state.sockets.delete(from)
    to.destroy()
  })
}
