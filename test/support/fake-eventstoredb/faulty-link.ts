import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

interface LinkState {
  isSilent: boolean
  sockets: Set<Socket>
  /** Open, and nothing passes them. */
  dead: WeakSet<Socket>
}

/** A TCP address in front of a server, which can fail as networks and hosts do. */
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
    const state: LinkState = { isSilent: false, sockets: new Set(), dead: new WeakSet() }
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

  /** Connections are refused, those that are open end. */
  async refuse(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.cut()
    await closed
  }

  /** A black hole: connections are accepted and stay open, and nothing passes them any more. */
  silence(): void {
    this.#state.isSilent = true
  }

  /** What is open dies without a word, as behind a firewall that forgot it. New connections are well. */
  abandon(): void {
    for (const socket of this.#state.sockets) this.#state.dead.add(socket)
  }

  /** All is well again. What was open while bytes were lost ends. */
  async mend(): Promise<void> {
    this.cut()
    this.#state.isSilent = false
    if (!this.#server.listening) await once(this.#server.listen(this.port, '127.0.0.1'), 'listening')
  }

  /** All connections end at once. */
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
  from.on('drain', () => to.resume())
  from.on('error', () => {})
  from.on('close', () => {
    state.sockets.delete(from)
    to.destroy()
  })
}
