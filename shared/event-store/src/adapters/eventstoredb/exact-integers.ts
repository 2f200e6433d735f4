import type { Json } from '@platen/foundation/json/json.ts'

/** The path of an integer in the data of an event, and its digits. */
export type ExactInteger = [path: string[], digits: string]

/**
 * The integers of event data that a JavaScript number cannot hold. The event store keeps them, but its client reads
 * JSON with JSON.parse, which changes them. They are also stored in the metadata, so that they can be restored.
 */
export function exactIntegers(data: unknown): ExactInteger[] {
  if (typeof data === 'bigint') return [[[], data.toString()]]
  if (typeof data !== 'object' || data === null) return []
  const found: ExactInteger[] = []
  for (const name of Object.keys(data)) {
    const value = Reflect.get(data, name)
    if (typeof value !== 'object' && typeof value !== 'bigint') continue
    for (const [path, digits] of exactIntegers(value)) found.push([[name, ...path], digits])
  }
  return found
}

/** Puts the integers back into the data that the client has read. */
export function restoreIntegers(data: Json, integers: readonly ExactInteger[]): void {
  for (const [path, digits] of integers) {
    const holder = path.slice(0, -1).reduce<unknown>((value, name) => Reflect.get(value as object, name), data)
    const last = path.at(-1)
    if (last !== undefined) Reflect.set(holder as object, last, BigInt(digits))
  }
}
