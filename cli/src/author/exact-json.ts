/** https://tc39.es/proposal-json-parse-with-source/, which the types of the language do not have yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
const parse = JSON.parse as (
  text: string,
  reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
) => unknown

const integer = /^-?\d+$/

/** Like JSON.parse. Integers that a number cannot hold keep their digits: JSON.stringify writes them as they were. */
export function parseExact(text: string): unknown {
  return parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && integer.test(source) ? rawJSON(source) : value,
  )
}
