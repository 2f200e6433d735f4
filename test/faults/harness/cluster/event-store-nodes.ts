const nodes = [0, 1, 2] as const
type Node = (typeof nodes)[number]

/** Three nodes of a fake EventStoreDB, which run in a process of their own and elect when they are told. */
export class EventStoreNodes {
  readonly #control: string
  /** The node that was elected last. */
  leader: Node = 0

  constructor(control: string) {
    this.#control = control
  }

  get others(): Node[] {
    return nodes.filter((node) => node !== this.leader)
  }

  /** As if nothing listened on its port. `start` ends that, and a full disk. */
  kill = (node: Node) => this.#send('kill', node)
  start = (node: Node) => this.#send('start', node)
  suspend = (node: Node) => this.#send('suspend', node)
  resume = (node: Node) => this.#send('resume', node)
  /** Its connections stay open and transmit nothing. */
  cutOff = (node: Node) => this.#send('cutOff', node)
  rejoin = (node: Node) => this.#send('rejoin', node)
  /** The node ends at its next append. */
  fillDisk = (node: Node) => this.#send('fillDisk', node)
  /** A node that was away learns who leads, and gets the log. */
  catchUp = () => this.#send('catchUp')
  /** The others notice that the leader is gone. */
  loseLeader = () => this.#send('loseLeader')
  loseQuorum = () => this.#send('loseQuorum')

  async elect(node: Node): Promise<void> {
    this.leader = node
    await this.#send('elect', node)
  }

  async #send(action: string, node: Node = 0): Promise<void> {
    const { ok, status } = await fetch(`${this.#control}/${action}/${node}`, { method: 'POST' })
    if (!ok) throw new Error(`the fake answered ${action} with ${status}`)
  }
}
