import { commandSubjects, streams } from '@platen/domain/streams/subjects.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import type { DeliveredMessage } from '@platen/messaging/consume/delivered-message.ts'
import { publish } from '@platen/messaging/publish/publish.ts'
import { encodeCommand } from '@platen/messaging/requests/send-command.ts'
import { inOrder, refuseIfAnswered } from '../../services/template/src/handlers/in-order.ts'
import { type Change, causeOf, commandOf, executed, ids } from './slug.model.ts'
import { MemoryBus, type StoredMessage } from './world/memory-bus.ts'
import { MemoryStore } from './world/memory-store.ts'
import type { Model } from './world/search.ts'
import { type Action, type Budgets, type ModelProcess, must } from './world/world.ts'

interface OrderOptions {
  name: string
  budgets: Budgets
  before: readonly Change[]
  /** Commands of one template, in the order in which the stream has them. */
  commands: readonly Change[]
  /** How often an acknowledgement is lost. */
  lostAcks?: number
  /** How often a command is delivered again although its handler runs: its process stood still, or had no connection to NATS. */
  slow?: number
  /** Commands do not wait for each other. */
  isUnordered?: boolean
  /** A command is executed although it was answered. */
  areRepeated?: boolean
}

interface Delivered {
  message: StoredMessage
  change: Change
  deliveries: number
  state: 'queued' | 'delivered' | 'handled' | 'acknowledged'
  by: ModelProcess | undefined
}

const stream = templateStream(ids.a)
/** While neither service has done anything, only the first one may begin. */
const mayBegin = (process: ModelProcess, before: ModelProcess | undefined) =>
  process.hasBegun || before === undefined || before.hasBegun
const nameOf = ({ change }: Delivered) => `message ${change}`

/** Two processes of the template service that execute the commands of one template in order. */
export function orderModel({
  name,
  budgets,
  before,
  commands,
  lostAcks = 0,
  slow = 0,
  isUnordered = false,
  areRepeated = false,
}: OrderOptions): Model {
  return {
    name,
    invariant: 'A command that was answered changes nothing after a later one was answered.',
    budgets,
    async begin(world) {
      const store = new MemoryStore(world, { hasNoLog: true })
      const memory = new MemoryBus(world)
      const queue: Delivered[] = []
      /** The number of events when each command was answered first. */
      const answered = new Map<Change, number>()
      const deadlineMs = world.nowMs + 4_500
      let lost = 0
      let slowLeft = slow
      memory.onStored = (_, message) => {
        const change = commands[queue.length]
        if (change) queue.push({ message, change, deliveries: 0, state: 'queued', by: undefined })
      }
      await world.prepare(async () => {
        for (const change of before) await executed(store, world, commandOf(world, change))
        for (const change of commands) {
          const command = commandOf(world, change, deadlineMs)
          const { payload } = encodeCommand(command)
          const subject = commandSubjects.template(command.data.template_id)
          await publish(memory.bus, { subject, payload, messageId: causeOf(change) })
        }
      })
      const services: { process: ModelProcess; deliver: (delivered: Delivered) => void }[] = []
      const start = (number: number, run: number) => {
        const name = `service ${number}${run > 0 ? ` (run ${run})` : ''}`
        let handled = 0
        const work = async () => {
          const { bus } = memory
          const stopping = new AbortController().signal
          const execute = async (change: Change, raw: DeliveredMessage) => {
            const beforeAppend = areRepeated ? undefined : () => refuseIfAnswered(bus, raw)
            await executed(store, world, commandOf(world, change, deadlineMs), beforeAppend)
            world.changes('answers')
            world.reads(stream)
            if (!answered.has(change)) answered.set(change, store.of(stream).length)
          }
          const handle = isUnordered ? execute : inOrder({ bus, now: Date.now, stopping }, execute)
          const process = world.current()
          const deliver = (delivered: Delivered) => {
            const raw = memory.delivered(streams.commands, delivered.message, delivered.deliveries)
            const done = () => {
              world.changes(nameOf(delivered))
              handled--
              if (delivered.state !== 'acknowledged') Object.assign(delivered, { state: 'handled', by: process })
            }
            handled++
            world.tell(process, `${delivered.change} is delivered`, () => void handle(delivered.change, raw).then(done))
          }
          services.push({ process, deliver })
          await new Promise(() => {})
        }
        const onCrash = () => {
          for (const delivered of queue) {
            if (delivered.by?.name !== name || delivered.state === 'acknowledged') continue
            world.changes(nameOf(delivered))
            delivered.state = 'queued'
          }
          start(number, run + 1)
        }
        // Without a command it remembers nothing, until a deadline has passed.
        const remembers = () => (handled === 0 && world.nowMs < deadlineMs ? 'nothing' : undefined)
        world.spawn(name, work, { onCrash, isRestarted: true, remembers })
      }
      start(1, 0)
      start(2, 0)
      const deliveries = (delivered: Delivered): Action[] => {
        const isSlow = delivered.state === 'delivered'
        if (delivered.state !== 'queued' && !(isSlow && slowLeft > 0)) return []
        return services
          .filter(
            ({ process }, index) => process.status === 'running' && mayBegin(process, services[index - 1]?.process),
          )
          .map(({ process, deliver }) => ({
            label: `"${delivered.change}" is delivered${isSlow ? ' again' : ''} to ${process.name}`,
            run() {
              world.changes(nameOf(delivered))
              if (isSlow) {
                world.changes('slow')
                slowLeft--
              }
              Object.assign(delivered, { state: 'delivered', deliveries: delivered.deliveries + 1, by: process })
              deliver(delivered)
            },
          }))
      }
      const acks = (delivered: Delivered): Action[] => {
        if (delivered.state !== 'handled') return []
        const arrive = () => {
          world.changes(nameOf(delivered))
          delivered.state = 'acknowledged'
          memory.remove(streams.commands, delivered.message.seq)
        }
        const lose = () => {
          world.changes(nameOf(delivered))
          world.changes('lost')
          lost++
          delivered.state = 'queued'
        }
        const arrival = { label: `the ack of "${delivered.change}" arrives`, run: arrive }
        return lost < lostAcks ? [arrival, { label: `the ack of "${delivered.change}" is lost`, run: lose }] : [arrival]
      }
      return {
        shared: () => [
          ...[store, memory, [...answered], lost, slowLeft],
          queue.map(({ change, deliveries, state, by }) => [change, deliveries, state, by?.name]),
        ],
        actions: () => queue.flatMap((delivered) => [...deliveries(delivered), ...acks(delivered)]),
        waits: () => queue.some(({ state }) => state === 'delivered'),
        always() {
          for (const [index, { metadata }] of store.of(stream).entries()) {
            for (const [earlier, at] of answered) {
              if (metadata.causation_id !== causeOf(earlier) || index < at) continue
              const later = commands.slice(commands.indexOf(earlier) + 1)
              const overtaken = later.find((change) => (answered.get(change) ?? Number.POSITIVE_INFINITY) <= index)
              must(
                overtaken === undefined,
                `"${earlier}" was answered, and has changed the template again after "${overtaken}"`,
              )
            }
          }
        },
      }
    },
  }
}
