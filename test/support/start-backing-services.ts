import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { type Inbox, openInbox, type Reply } from '@platen/messaging/requests/reply.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import { type BackingServices, openBackingServices } from '@platen/service-kit/host/backing-services.ts'
import { startNatsServer, type TestNatsServer } from './nats-server.ts'

export interface TestServices extends AsyncDisposable {
  /** A temporary folder for other files of the test, such as views. */
  folder: string
  services: BackingServices
  nats: TestNatsServer
  /** Opens the same engines once more, as another process does. Closed after the test. */
  open(): Promise<BackingServices>
  /** Sends a command as the gateway does and waits for the reply. */
  request<Value>(
    subject: string,
    command: { type: string; data: unknown },
    metadata?: Partial<CommandMetadata>,
  ): Promise<Reply<Value>>
}

/** nats-server, a SQLite event store and an object folder, removed after the test. */
export async function startBackingServices(): Promise<TestServices> {
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'platen-services-'))
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const nats = resources.use(await startNatsServer())
  const urls = {
    nats,
    eventStoreUrl: `sqlite:${join(folder, 'events.db')}`,
    objectStoreUrl: `file:${join(folder, 'objects')}`,
  }
  const open = (owned: AsyncDisposableStack) =>
    openBackingServices(urls, { service: 'test', log: createLogger('test', 'silent'), resources: owned, fail })
  const services = await open(resources)
  const inbox = resources.use(openInbox(services.bus.nats))
  const running = resources.move()
  return {
    folder,
    services,
    nats,
    open: () => open(running),
    request: (subject, command, metadata = {}) => sendAndWait(services, inbox, { subject, command, metadata }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Ends the test. */
const fail = (err: Error) => {
  throw err
}

interface Request {
  subject: string
  command: { type: string; data: unknown }
  metadata: Partial<CommandMetadata>
}

async function sendAndWait<Value>(
  { bus }: BackingServices,
  inbox: Inbox,
  { subject, command, metadata: given }: Request,
): Promise<Reply<Value>> {
  const metadata: CommandMetadata = {
    id: crypto.randomUUID(),
    time: new Date().toISOString(),
    correlation_id: newId('req'),
    ...given,
  }
  using pending = inbox.expect<Value>()
  // A new message id: JetStream must not drop a command that is sent twice.
  const messageId = crypto.randomUUID()
  await sendCommand(bus, { subject, command: { ...command, metadata }, replyTo: pending.subject, messageId })
  return await pending.answer
}
