import type { Receiver } from '../../support/notifier/receiver.ts'
import { administrationClients } from './administration/clients.ts'
import { assetClients } from './assets/clients.ts'
import { type BatchClients, batchClients } from './batches/clients.ts'
import { Client, type Kind } from './client.ts'
import { deliveryClients } from './deliveries/clients.ts'
import { type Receivers, startReceivers } from './deliveries/receivers.ts'
import { type GenerationClients, generationClients } from './generations/clients.ts'
import { writeOperations } from './operations.ts'
import { partialClients } from './partials/clients.ts'
import { pdfToolClients } from './pdf-tools/clients.ts'
import { previewClients } from './previews/clients.ts'
import type { System } from './system.ts'
import { templateClients } from './templates/clients.ts'
import { webhookTestClients } from './webhook-tests/clients.ts'

export interface Workload
  extends Receivers,
    Pick<GenerationClients, 'posts' | 'once' | 'overfill'>,
    Pick<BatchClients, 'batches'> {
  client: Client
  receiver: Receiver
  /** The templates that are never deleted. */
  known: readonly string[]
  /** Ids of all operations of the OpenAPI document that write. */
  operations: string[]
  /** Resolves when this number of generations was posted, and `mayEnd` has aborted. */
  run(generations: number, mayEnd: AbortSignal): Promise<void>
  /** A request of each kind. All answers from now on count as after recovery. */
  probe(): Promise<void>
}

/** Clients of every kind. Throws if there is an operation that writes and that no client sends. */
export async function startWorkload(
  system: System,
  seed: number,
  options: { withRefusals?: boolean } = {},
): Promise<Workload> {
  const [gateway] = system.gateways
  if (!gateway) throw new Error('there is no gateway')
  const client = new Client(system.gateways, seed)
  const { body } = await gateway.json<{ secret: string }>('/v1/webhook-secret')
  const receivers = await startReceivers(body.secret, seed)
  const templates = templateClients(client)
  const generations = generationClients(client, receivers, templates, options)
  const batches = batchClients(client, receivers, templates)
  const kinds: Kind[] = [
    ...[generations, batches, templates, partialClients(client), assetClients(client, system)],
    ...[administrationClients(client), deliveryClients(client, receivers, generations), previewClients(client)],
    ...[webhookTestClients(client, receivers), pdfToolClients(client, receivers, generations.posts)],
  ]
  const operations = await writeOperations(gateway, kinds)
  return {
    ...receivers,
    client,
    operations,
    posts: generations.posts,
    once: generations.once,
    overfill: generations.overfill,
    known: templates.known,
    batches: batches.batches,
    async run(number, mayEnd) {
      const done = new AbortController()
      const running = kinds.map((kind) => kind.run(done.signal))
      // A rejection is reported when it is awaited below.
      for (const one of running) one.catch(() => {})
      await generations.post(number, mayEnd)
      done.abort()
      await Promise.all(running)
    },
    async probe() {
      client.phase = 'after'
      for (const at of system.gateways) for (const kind of kinds) await kind.probe(at)
    },
  }
}
