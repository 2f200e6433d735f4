import type { Client } from '../../client.ts'
import type { RequestKind } from '../mix.ts'

/** What an operator's programs ask. */
export function operationRequests(client: Client): RequestKind[] {
  const get = (operation: string, share: number): RequestKind => ({
    ...{ operation, share },
    send: (random) => client.send(random.pick(client.gateways), { operation, path: `/${operation}`, expected: [200] }),
  })
  return [get('livez', 0.4), get('metrics', 0.2)]
}
