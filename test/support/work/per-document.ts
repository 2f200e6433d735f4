import type { Work } from './counted-platen.ts'
import type { Counts } from './counts.ts'

/** Work that depends on the passed time, and not on the number of documents. */
const byTime = [
  // Requests for the state of streams and consumers: health, metrics, the length of the queue (at most four a second).
  ...[/^\$JS\.API\.(INFO|STREAM\.INFO|CONSUMER\.INFO|STREAM\.MSG)/, /^answer of the server$/, /^\$JS\.EVENT\.ADVISORY/],
  /^published nats\.health/,
  // A pull asks for many messages, and is repeated when its time has passed. See `pullsAnswered`.
  ...[/^pull /],
  // Who relays and sweeps, and which processes run.
  ...[/^\$KV\.(LEASES|PROCESSES)$/, /^stored in KV_(LEASES|PROCESSES)$/],
  // A relay saves its place once for all events of a moment.
  ...[/^\$KV\.CHECKPOINTS$/, /^stored in KV_CHECKPOINTS$/],
  // The processor time of a page is read once for all documents of a quarter of a second.
  /^Performance\.getMetrics$/,
]

export const isByTime = (kind: string): boolean => byTime.some((pattern) => pattern.test(kind))

/**
 * Work per document, to the half: each kind that happened for at least every other document. Rarer work is not counted, such as resets
 * of pages, replaced browsers, and what is sent again on a busy machine.
 */
export function perDocument(counts: Counts, documents: number): Counts {
  const kinds = Object.entries(counts).filter(([kind]) => !isByTime(kind))
  const often = kinds.filter(([, count]) => count >= documents / 2)
  return Object.fromEntries(often.map(([kind, count]) => [kind, Math.round((2 * count) / documents) / 2]))
}

/** Pulls that were not repeated because their time had passed, but because they had brought their messages. */
export function pullsAnswered({ messages }: Work): number {
  const pulls = Object.entries(messages).filter(([kind]) => kind.startsWith('pull ') && kind !== 'pull ended')
  return pulls.reduce((sum, [, count]) => sum + count, 0) - (messages['pull ended'] ?? 0)
}

/** Flushes of Node.js that are no transaction of the event store, a document. Appends at the same time share a transaction. */
export function otherFlushes({ calls, appends }: Work, documents: number): number {
  return Math.floor(Math.max(0, (calls['node flush'] ?? 0) - appends) / documents)
}
