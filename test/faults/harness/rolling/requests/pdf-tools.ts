import type { Client } from '../../client.ts'
import type { Receivers } from '../../deliveries/receivers.ts'
import type { Post } from '../../generations/post.ts'
import { pdfToolPosts } from '../../pdf-tools/clients.ts'
import type { RequestKind } from '../mix.ts'

/** Programs that work on PDFs. */
export function pdfToolRequests(client: Client, receivers: Receivers, posts: Post[]): RequestKind[] {
  const { operations, post } = pdfToolPosts(client, receivers, posts)
  return operations.map((operation) => ({
    operation,
    share: 0.05,
    send: (random) => post(operation, random.pick(client.gateways)),
  }))
}
