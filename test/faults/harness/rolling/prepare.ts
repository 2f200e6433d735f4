import { allScopes } from '@platen/domain/api-key/api-key.ts'
import type { BatchPost } from '../batches/batch-post.ts'
import type { Receivers } from '../deliveries/receivers.ts'
import type { Post } from '../generations/post.ts'
import { writeOperations } from '../operations.ts'
import { type Seeded, seeded } from '../seeded.ts'
import type { System } from '../system.ts'
import { BalancedClient } from './balanced-client.ts'
import { mixOf, type RequestKind } from './mix.ts'
import { administrationRequests } from './requests/administration.ts'
import { assetRequests } from './requests/assets.ts'
import { batchRequests } from './requests/batches.ts'
import { deliveryRequests } from './requests/deliveries.ts'
import { type DocumentRequests, documentRequests } from './requests/documents.ts'
import { operationRequests } from './requests/operations.ts'
import { partialRequests } from './requests/partials.ts'
import { pdfToolRequests } from './requests/pdf-tools.ts'
import { templateRequests } from './requests/templates.ts'

const keys = 12
const templates = 6

export interface Prepared {
  client: BalancedClient
  posts: Post[]
  batches: BatchPost[]
  operations: string[]
  /** Each kind of request of the API. */
  kinds: readonly RequestKind[]
  /** One of them, by their shares. */
  choose: (random: Seeded) => RequestKind
  postDocument: DocumentRequests['postDocument']
}

/** Makes what the first requests are about: API keys, templates and a document. */
export async function prepare(system: System, receivers: Receivers, seed: number): Promise<Prepared> {
  const [gateway] = system.gateways
  if (!gateway) throw new Error('there is no gateway')
  const client = new BalancedClient(system.gateways, seed)
  const random = seeded(seed).fork('prepare')
  const template = templateRequests(client)
  const document = documentRequests(client, receivers, template)
  const batch = batchRequests(client)
  const kinds = [
    ...[...document.kinds, ...template.kinds, ...partialRequests(client), ...assetRequests(client)],
    ...[...administrationRequests(client), ...deliveryRequests(client, receivers, document)],
    ...[...operationRequests(client), ...batch.kinds, ...pdfToolRequests(client, receivers, document.posts)],
  ]
  const issued: string[] = []
  for (let n = 0; n < keys; n++) {
    const name = `program ${n} of ${seed}`
    const { body } = await client.write<{ key: string }>(gateway, {
      operation: 'issueApiKey',
      path: '/v1/keys',
      body: { name, scopes: allScopes },
      expected: [201],
      subject: name,
      sent: { name },
    })
    if (body) issued.push(body.key)
  }
  client.keys = issued
  for (let n = 0; n < templates; n++) await template.createKnown(random)
  await document.postDocument(random, { isAsync: false })
  const operations = await writeOperations(gateway, [{ operations: writingOf(kinds) }])
  const choose = await mixOf(gateway, kinds)
  client.requests.length = 0
  const { posts, postDocument } = document
  return { client, posts, batches: batch.batches, operations, kinds, choose, postDocument }
}

const writingOf = (kinds: readonly RequestKind[]) =>
  [...new Set(kinds.map(({ operation }) => operation))].filter(isWriting)
const isWriting = (operation: string) => !/^(?:get|list|find|compare|follow|livez|metrics)/.test(operation)
