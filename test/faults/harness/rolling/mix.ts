import { elsewhere } from '../operations.ts'
import type { Seeded } from '../seeded.ts'
import type { Door } from '../system.ts'

/** Requests of one operation. */
export interface RequestKind {
  /** The id of the operation in the OpenAPI document. */
  operation: string
  /** How often it is sent, compared with others. */
  share: number
  send(random: Seeded): Promise<unknown>
}

interface Document {
  paths: Record<string, Record<string, { operationId?: string }>>
}

/**
 * Readiness is 503 on purpose while a process stops: a load balancer asks for it, and no user. Sessions are of browsers, streams of events end
 * with their gateway, a comparison draws two documents, and no message is dead here.
 */
const notSent = ['readyz', 'getSession', 'followEvents', 'followStatus', 'compareGenerations', 'getDeadLetter']

/** Chooses one request after the other by their shares. Throws unless each operation of the OpenAPI document is among them. */
export async function mixOf(gateway: Door, kinds: readonly RequestKind[]): Promise<(random: Seeded) => RequestKind> {
  const { body } = await gateway.json<Document>('/openapi.json')
  const sent = new Set([...notSent, ...elsewhere, ...kinds.map(({ operation }) => operation)])
  const missing = Object.values(body.paths)
    .flatMap((methods) => Object.values(methods).flatMap(({ operationId }) => operationId ?? []))
    .filter((operation) => !sent.has(operation))
  if (missing.length > 0) throw new Error(`no request of the rolling test is ${missing.join(', ')}`)
  const all = kinds.reduce((sum, { share }) => sum + share, 0)
  return (random) => {
    let left = random.fraction() * all
    for (const kind of kinds) {
      left -= kind.share
      if (left < 0) return kind
    }
    return kinds[0] as RequestKind
  }
}
