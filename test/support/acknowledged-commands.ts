import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureStreams } from '@platen/domain/streams/set-up-streams.ts'
import { type Bus, openBus } from '@platen/messaging/connection/bus.ts'
import { type DurableConsumer, openConsumer } from '@platen/messaging/streams/streams.ts'
import { startNatsServer } from './nats-server.ts'
import { recordingLog } from './recording-log.ts'

export interface SentCommand {
  consumer: DurableConsumer
  subject: string
  payload: string
}

/**
 * Connects to a server whose stream COMMANDS still has these commands although their consumers have acknowledged them,
 * as nats-server 2.9 leaves some when it is killed.
 */
export async function withAcknowledged(
  commands: readonly SentCommand[],
  use: (bus: Bus) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-sweep-'))
  const messages = join(folder, 'store/jetstream/$G/streams/COMMANDS/msgs')
  const withServer = async (work: (bus: Bus) => Promise<void>) => {
    await using server = await startNatsServer(['-sd', join(folder, 'store')])
    const bus = await openBus({ url: server.url }, 'test', recordingLog().log)
    await ensureStreams(bus.jsm)
    await work(bus)
    await bus[Symbol.asyncDispose]()
    await server.stop('SIGTERM')
  }
  try {
    await withServer(async (bus) => {
      for (const { subject, payload } of commands) await bus.js.publish(subject, payload)
    })
    await cp(messages, join(folder, 'before'), { recursive: true })
    await withServer(async (bus) => {
      for (const { consumer } of commands) {
        const message = await (await openConsumer(bus, consumer)).next({ expires: 10_000 })
        await message?.ackAck()
      }
    })
    await rm(messages, { recursive: true })
    await cp(join(folder, 'before'), messages, { recursive: true })
    await withServer(use)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
