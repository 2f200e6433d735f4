import type { JsonObject } from './fields.ts'

export type ParsedObject = { value: JsonObject } | { problem: string; line: number; column: number }

/**
 * A JSON object, or what is wrong with the text and where. Lines and columns are counted from 1. `parse`: `parseExact` for what is
 * sent or written again.
 */
export function parseObject(text: string, parse: (text: string) => unknown = JSON.parse): ParsedObject {
  try {
    const value = parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: value as JsonObject }
    return { problem: 'It must be an object: { … }', line: 1, column: 1 }
  } catch (err) {
    const message = err instanceof Error ? err.message : String(err)
    const [, at] = /at position (\d+)/.exec(message) ?? []
    const before = text.slice(0, at === undefined ? text.length : Number(at)).split('\n')
    const problem = `Not JSON: ${message.replace(/,? ?(\.\.\.)?".*" is not valid JSON$|in JSON at position.*$/s, '').trim()}`
    return { problem, line: before.length, column: (before.at(-1) ?? '').length + 1 }
  }
}
