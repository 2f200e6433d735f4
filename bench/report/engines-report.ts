import type { DeploymentResult } from '../engines/deployments.ts'
import type { EventStoreResult } from '../engines/event-stores.ts'
import type { ObjectStoreResult } from '../engines/object-stores.ts'
import type { Timing } from '../engines/timing.ts'
import { significant, textTable } from './text-table.ts'

export interface EnginesResult {
  eventStores: readonly EventStoreResult[]
  objectStores: readonly ObjectStoreResult[]
  deployments: readonly DeploymentResult[]
}

export function enginesTable({ eventStores, objectStores, deployments }: EnginesResult): string {
  const row = (engine: string, operation: string, { p50Ms, p95Ms, perS, atOnce }: Timing) => [
    ...[engine, operation],
    ...[p50Ms, p95Ms, perS].map(significant),
    String(atOnce),
  ]
  return textTable(
    ['engine', 'operation', 'p50 ms', 'p95 ms', 'a second', 'at once'],
    [
      ...eventStores.flatMap(({ name, append, read, notifiedP50Ms, catchUpPerS }) => [
        row(name, 'append one event', append),
        row(name, 'read a stream of 20', read),
        [name, 'append to subscriber', significant(notifiedP50Ms), '–', '–', '1'],
        [name, 'catch up (events)', '–', '–', significant(catchUpPerS), '1'],
      ]),
      ...objectStores.flatMap(({ name, put, get, putLarge }) => [
        row(name, 'put 50 KB', put),
        row(name, 'get 50 KB', get),
        row(name, 'put 5 MB', putLarge),
      ]),
      ...deployments.map(({ name, sync }) => row(name, 'label, HTTP sync', sync)),
    ],
  )
}
