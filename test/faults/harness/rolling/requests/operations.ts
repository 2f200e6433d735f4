import type { Client } from '../../client.ts'
import type { RequestKind } from '../mix.ts'
import { reading } from './reading.ts'

/** What an operator's programs ask. */
export function operationRequests(client: Client): RequestKind[] {
  const get = reading(client, { pick: () => undefined, expected: [200] })
  return [
    get('livez', 0.4, () => '/livez'),
    get('metrics', 0.2, () => '/metrics'),
    get('getStatus', 0.1, () => '/v1/status'),
    get('listHelpers', 0.1, () => '/v1/helpers'),
    get('listEventCategories', 0.1, () => '/v1/events/categories'),
    get('listEvents', 0.2, () => '/v1/events?limit=5'),
    get('findDeliveries', 0.2, () => '/v1/deliveries?limit=5'),
    get('listDeadLetters', 0.1, () => '/v1/dead-letters'),
  ]
}
