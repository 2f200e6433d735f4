import type { Position } from './event-store.ts'

/**
 * How far from the start of its log a position is, to compare it with others of the log: a row of SQLite, or a byte of EventStoreDB. Nothing
 * can be read from there.
 */
export function logOffset(position: Position | 'start'): number {
  const [, row, commit] = /^(?:sqlite:[^:]*:(\d+):|esdb:[^:]*:(\d+):)/.exec(position) ?? []
  return Number(row ?? commit ?? 0)
}
