import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

type Mode = 'passing' | 'silent'

/** A TCP address in front of a server, which can fail as networks and hosts do. */
export class FaultyLink implements AsyncDisposable {
  readonly port: number
  readonly #sockets: Set<Socket>
  readonly #server: Server
  readonly #state: { mode: Mode }

  private constructor(server: Server, sockets: Set<Socket>, state: { mode: Mode }) {
    this.#server = server
    this.#sockets = sockets
    this.#state = state
    this.port = (server.address() as AddressInfo).port
  }

  static async open(targetPort: number): Promise<FaultyLink> {
    const sockets = new Set<Socket>()
    const state: { mode: Mode } = { mode: 'passing' }
    const server = createServer((near) => {
      const far = connect(targetPort, '127.0.0.1')
      for (const [from, to] of [[near, far] as const, [far, near] as const]) {
        sockets.add(from)
        from.setNoDelay()
        from.on('data', (bytes) => {
          if (state.mode === 'passing' && !to.write(bytes)) from.pause()
        })
        from.on('drain', () => to.resume())
        from.on('error', () => {})
        from.on('close', () => {
          sockets.delete(from)
          to.destroy()
        })
      }
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return new FaultyLink(server, sockets, state)
  }

  get isListening(): boolean {
    return this.#server.listening
  }

  get isSilent(): boolean {
    return this.#state.mode === 'silent'
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
    this.#state.mode = 'silent'
  }

  /** All is well again. What was open while bytes were lost ends. */
  async mend(): Promise<void> {
    this.cut()
    this.#state.mode = 'passing'
    if (!this.#server.listening) await once(this.#server.listen(this.port, '127.0.0.1'), 'listening')
  }

  /** All connections end at once. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.refuse()
  }
}
