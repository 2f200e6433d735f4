import { significant } from './text-table.ts'

/** Prints what was measured beside its limit. Above it the benchmark exits with code 1. */
export function limited(what: string, measured: number, limit: number, unit: string): void {
  const isMet = measured <= limit
  if (!isMet) process.exitCode = 1
  console.log(`${what}: ${significant(measured)} ${unit}; limit ${limit}${isMet ? '' : ', missed'}`)
}
