import type { Client } from '../../client.ts'
import type { RequestKind } from '../mix.ts'
import { reading } from './reading.ts'

/** What an operator's programs ask. */
export function operationRequests(client: Client): RequestKind[] {
  const get = reading(client, { pick: () => undefined, expected: [200] })
  return [get('livez', 0.4, () => '/livez'), get('metrics', 0.2, () => '/metrics')]
}
