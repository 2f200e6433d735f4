import { type Action, Violation, type World } from './world.ts'

export interface QueuedMessage<Message> {
  message: Message
  /** How often it was delivered. */
  deliveries: number
  /** `handled`: its acknowledgement is on its way. */
  state: 'queued' | 'delivered' | 'handled' | 'acknowledged'
  /** Messages that running processes are handling. */
  handled: number
}

export interface QueueOptions<Message> {
  name: (message: Message) => string
  /** Must resolve when the message may be acknowledged. An error makes the broker deliver it again. */
  handle: (message: Message, deliveryCount: number) => Promise<void>
  /** How often a message is delivered again although its handler runs, or has sent its acknowledgement: it is slow, or lost. */
  redeliveries?: number
  onAcknowledged?: (message: Message) => void
  /** A handler that has failed so often is not tried again. */
  maxDeliveries?: number
}

/** A durable consumer: each message is delivered until it is acknowledged, each time to a process of its own. */
export class MessageQueue<Message> {
  readonly messages: QueuedMessage<Message>[] = []
  readonly #world: World
  readonly #options: QueueOptions<Message>
  #redeliveries: number

  constructor(world: World, options: QueueOptions<Message>) {
    this.#world = world
    this.#options = options
    this.#redeliveries = options.redeliveries ?? 0
  }

  add(...messages: Message[]): void {
    for (const message of messages) {
      const queued: QueuedMessage<Message> = { message, deliveries: 0, state: 'queued', handled: 0 }
      this.#changes(queued)
      this.messages.push(queued)
    }
  }

  #changes({ message }: QueuedMessage<Message>): void {
    this.#world.changes(`message ${this.#options.name(message)}`)
  }

  actions(): Action[] {
    return this.messages.flatMap((queued) => [...this.#deliveryOf(queued), ...this.#ackOf(queued)])
  }

  #deliveryOf(queued: QueuedMessage<Message>): Action[] {
    const { name, maxDeliveries = 10 } = this.#options
    const { message, state, deliveries } = queued
    if (state === 'acknowledged' || deliveries >= maxDeliveries) return []
    const isFirst = state === 'queued'
    if (!isFirst && this.#redeliveries === 0) return []
    const why = { queued: '', delivered: ' again: its handler is slow', handled: ' again: its ack is lost' }[state]
    const run = () => {
      if (!isFirst) {
        this.#world.changes('redeliveries')
        this.#redeliveries--
      }
      this.#deliver(queued)
    }
    return [{ label: `${name(message)} is delivered${why}`, run }]
  }

  #ackOf(queued: QueuedMessage<Message>): Action[] {
    if (queued.state !== 'handled') return []
    return [{ label: `the ack of ${this.#options.name(queued.message)} arrives`, run: () => this.#acknowledge(queued) }]
  }

  #acknowledge(queued: QueuedMessage<Message>): void {
    this.#changes(queued)
    queued.state = 'acknowledged'
    this.#options.onAcknowledged?.(queued.message)
  }

  #deliver(queued: QueuedMessage<Message>): void {
    const { name, handle } = this.#options
    const { message } = queued
    this.#changes(queued)
    queued.deliveries++
    queued.handled++
    queued.state = 'delivered'
    const count = queued.deliveries
    const again = () => {
      this.#changes(queued)
      queued.handled--
      if (queued.state === 'delivered' && queued.handled === 0) queued.state = 'queued'
    }
    const process = `${name(message)}${count > 1 ? ` (delivery ${count})` : ''}`
    const work = () =>
      handle(message, count).then(
        () => {
          this.#changes(queued)
          this.#world.reads('redeliveries')
          queued.handled--
          if (queued.state === 'acknowledged') return
          // Without another delivery to come, it makes no difference when it arrives.
          if (this.#redeliveries === 0) this.#acknowledge(queued)
          else queued.state = 'handled'
        },
        (err) => {
          if (err instanceof Violation) throw err
          again()
        },
      )
    this.#world.spawn(process, work, { onCrash: again })
  }

  toJSON() {
    return [this.#redeliveries, this.messages.map(({ deliveries, state, handled }) => [deliveries, state, handled])]
  }
}
