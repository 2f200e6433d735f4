import { AckPolicy, connect, nanos, RetentionPolicy, StorageType } from 'nats'
import type { RecordedEvent } from './event-log.ts'

export interface Commands extends AsyncDisposable {
  /** Resolves when the command is on disk. */
  send(id: string, html: string): Promise<void>
  /** Resolves when the events are on disk in the stream of events. */
  publish(events: readonly RecordedEvent[]): Promise<void>
}

interface CommandsOptions {
  atOnce: number
  /** Its command is acknowledged when it resolves, and delivered again after it has rejected. */
  execute(id: string, html: string): Promise<void>
}

/** Sends the commands to JetStream and executes them, in one process. */
export async function openCommands(url: string, { atOnce, execute }: CommandsOptions): Promise<Commands> {
  const nats = await connect({ servers: url.replace('nats://', '') })
  const jsm = await nats.jetstreamManager()
  const file = { storage: StorageType.File }
  await jsm.streams.add({ ...file, name: 'COMMANDS', subjects: ['commands.>'], retention: RetentionPolicy.Workqueue })
  await jsm.streams.add({ ...file, name: 'EVENTS', subjects: ['events.>'] })
  await jsm.consumers.add('COMMANDS', {
    durable_name: 'print',
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(60_000),
  })
  const js = nats.jetstream()
  const messages = await (await js.consumers.get('COMMANDS', 'print')).consume({ max_messages: atOnce })
  const execution = (async () => {
    for await (const message of messages) {
      execute(message.subject.slice('commands.'.length), message.string()).then(
        () => message.ack(),
        (err) => {
          process.stderr.write(`floor: ${err}\n`)
          message.nak(1_000)
        },
      )
    }
  })()
  return {
    async send(id, html) {
      await js.publish(`commands.${id}`, html)
    },
    async publish(events) {
      await Promise.all(events.map(({ id, type, data }) => js.publish(`events.${type}.${id}`, data)))
    },
    async [Symbol.asyncDispose]() {
      messages.stop()
      await execution
      await nats.close()
    },
  }
}
