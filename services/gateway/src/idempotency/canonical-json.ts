import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { Json } from '@platen/foundation/json/json.ts'

/** After so many values other requests are served. */
const valuesPerStep = 5_000

/** SHA-256 (hex) of a JSON value, independent of the order of its fields. */
export async function jsonSha256(value: Json): Promise<string> {
  let values = 0
  const canonical = async (value: Json): Promise<string> => {
    if (!isContainer(value)) return stringifyExact(value)
    const names = Array.isArray(value) ? undefined : await sorted(Object.keys(value))
    const items = names?.map((name) => Reflect.get(value, name)) ?? (value as Json[])
    const parts: string[] = []
    for (let at = 0; at < items.length; at++) {
      const item = items[at] ?? null
      const text = isContainer(item) ? await canonical(item) : stringifyExact(item)
      parts.push(names ? `${JSON.stringify(names[at])}:${text}` : text)
      if (++values % valuesPerStep === 0) await setImmediate()
    }
    return names ? `{${parts.join()}}` : `[${parts.join()}]`
  }
  return createHash('sha256')
    .update(await canonical(value))
    .digest('hex')
}

const isContainer = (value: Json) => typeof value === 'object' && value !== null

async function sorted(names: string[]): Promise<string[]> {
  if (names.length <= valuesPerStep) return names.sort()
  const half = names.length >> 1
  const lower = await sorted(names.slice(0, half))
  await setImmediate()
  return merged(lower, await sorted(names.slice(half)))
}

function merged(one: string[], other: string[]): string[] {
  const all: string[] = []
  let at = 0
  for (const name of one) {
    for (let next = other[at]; next !== undefined && next < name; next = other[++at]) all.push(next)
    all.push(name)
  }
  return all.concat(other.slice(at))
}
